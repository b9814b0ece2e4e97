import Vocabulary
import Text

struct ProgressLine: Equatable {
  var share: Double
  /// The table being read, or the stage.
  var name: String
  var nameColumns: Int
  /// The records read per second; nil after the reading.
  var recordsPerSecond: Double?
  var rejected: Int
  /// The seconds to the end of the run; nil while unknown.
  var secondsLeft: Double?

  /// The line for a terminal, in ASCII.
  ///
  /// The last column stays free, because some terminals wrap there. A narrow terminal gets fewer parts, not shorter
  /// ones.
  func text(columns: Int) -> String {
    let room = max(columns - 1, 0)
    var (parts, free) = ([percent, name.filled(to: nameColumns), left], room)
    free -= parts.reduce(-2) { $0 + $1.count + 2 }
    for (part, place) in [(rejections, 2), (rate, 2)] where part.count + 2 <= free {
      parts.insert(part, at: place)
      free -= part.count + 2
    }
    if free >= Self.leastBar + 2 {
      parts.insert(bar(columns: min(free - 2, Self.mostBar)), at: 0)
    }
    return String(parts.joined(separator: "  ").prefix(room))
  }

  private static let leastBar = 8
  private static let mostBar = 42

  private var percent: String { "\(Int(share * 100))%".filled(from: 4) }

  private var rejections: String { "\(rejected.grouped) rejected".filled(from: 16) }

  private var rate: String {
    let text = recordsPerSecond.map { "\(Int($0 / 1000))k rows/s" } ?? ""
    return text.filled(from: 12)
  }

  private var left: String {
    guard let secondsLeft else { return "".filled(from: 10) }
    let seconds = Int(secondsLeft.rounded())
    let digits = "\(seconds % 60)"
    return "\(seconds / 60):\(digits.count < 2 ? "0" : "")\(digits) left".filled(from: 10)
  }

  private func bar(columns: Int) -> String {
    let inner = columns - 2
    let done = Int(share * Double(inner))
    return
      "[\(String(repeating: "#", count: done))\(String(repeating: ".", count: inner - done))]"
  }
}

extension String {
  /// The text, padded or cut to a width.
  fileprivate func filled(to columns: Int) -> String {
    prefix(columns) + String(repeating: " ", count: max(columns - count, 0))
  }

  /// The text, padded on the left to a width.
  fileprivate func filled(from columns: Int) -> String {
    String(repeating: " ", count: max(columns - count, 0)) + self
  }
}
