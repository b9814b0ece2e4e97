import DataPackage
import Text
package import Vocabulary

extension Int {
  /// A size in bytes, with about three digits: `17.3 MB`.
  var asSize: String {
    let units = ["kB", "MB", "GB", "TB"]
    guard magnitude >= 1000 else { return of("byte") }
    var size = Double(self) / 1000
    var unit = 0
    while size.magnitude >= 999.5, unit < units.count - 1 {
      size /= 1000
      unit += 1
    }
    return "\(size.rounded(decimals: size.magnitude < 99.95 ? 1 : 0)) \(units[unit])"
  }
}

extension Double {
  /// The number with a number of decimals: `0.250`; a dash for NaN and infinity.
  package func rounded(decimals: Int) -> String {
    guard magnitude < 1e12 else { return "–" }
    var scale = 1
    for _ in 0..<decimals { scale *= 10 }
    let scaled = Int((magnitude * Double(scale)).rounded())
    let sign = self < 0 && scaled > 0 ? "-" : ""
    guard decimals > 0 else { return sign + scaled.grouped }
    let fraction = String(scaled % scale)
    let zeros = String(repeating: "0", count: decimals - fraction.count)
    return "\(sign)\((scaled / scale).grouped).\(zeros)\(fraction)"
  }

  /// Seconds, with milliseconds below ten seconds: `12.3 s`, `0.004 s`.
  var asSeconds: String { "\(rounded(decimals: self < 9.9995 ? 3 : 1)) s" }
}

/// A share in percent, never rounded to 0 or 100: `0.004 %`, `under 0.001 %`.
func share(_ part: Int, of whole: Int) -> String {
  guard whole > 0 else { return "0 %" }
  if part == 0 || part == whole { return part == 0 ? "0 %" : "100 %" }
  let percent = Double(part) / Double(whole) * 100
  if percent < 0.001 { return "under 0.001 %" }
  if percent < 0.1 { return "\(percent.rounded(decimals: 3)) %" }
  if percent > 99.9 {
    return percent > 99.999 ? "over 99.999 %" : "\(percent.rounded(decimals: 3)) %"
  }
  return "\(percent.rounded(decimals: 1)) %"
}

extension JSON {
  /// Seconds with six decimals; zero for NaN and infinity.
  init(seconds: Double) { self.init(seconds.isFinite ? (seconds * 1e6).rounded() / 1e6 : 0) }

  /// The value on the one line of a record for programs.
  var line: String { written(as: .record) }
}

extension StageTime {
  var seconds: Double { end - start }
}

extension String {
  var beginningSentence: String { prefix(1).uppercased() + dropFirst() }
}

extension DescriptionChange {
  package var instruction: String {
    switch self {
    case .column(let column, let table):
      "add to the fields of \(table): \(DataPackage.field(of: column))"
    case .table(let table, let source):
      "add to the resources: \(DataPackage.resource(of: table, source))"
    }
  }
}

extension PublishingChoice {
  /// The mode and the reason, such as `merge, since the published tables can take the rows`.
  package var words: String { "\(mode.rawValue), since \(reasonWords)" }

  var reasonWords: String {
    switch reason {
    case .requested: "--publish or --staging requests it"
    case .firstLoad: "the schema does not exist yet"
    case .previousKept: "--keep-previous keeps the published schema"
    case .tablesFit(0): "the published tables can take the rows"
    case .tablesFit(let additions):
      "the published tables can take the rows; it keeps \(additions.of("object")) added by others"
    case .tablesLack(let parts):
      "the published tables only lack \(parts.joined(separator: ", ").escapedForMessage), which it adds"
    case .differs(let part):
      "the published schema differs in \(part.split(separator: "\n").joined(separator: " ").escapedForMessage)"
    }
  }
}

extension IngestOptions {
  /// What a dry run does not check.
  package var uncheckedByDryRun: String {
    let changes =
      output == .nothing
      ? "whether a database can be replaced, and how it would change (without --out)"
      : "which keys would be added, removed and changed"
    let sql = sqlFiles.isEmpty ? [] : [output.uncheckedSQL]
    return ([changes] + sql + ["free space for \(output.uncheckedSpace)"]).joined(separator: "; ")
  }
}
