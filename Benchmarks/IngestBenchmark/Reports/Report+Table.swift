extension Report {
  /// The lines above those of the measurements.
  var header: String {
    let machine = conditions.machine
    return """
      \(machine.processor), \(machine.processors) processors, \(machine.system); SQLite \
      \(conditions.sqlite)
      dumps with \(conditions.rows.grouped) rows of inventory_parts
      medians of \(conditions.rounds) rounds (least to greatest), how many times as good as what was measured in turn

      """
  }

  /// The lines of one subject.
  func table(of subject: Subject) -> String {
    let rows = measurements.filter { $0.subject == subject }.map(\.cells)
    let widths = (0..<3).map { column in rows.map { $0[column].count }.max() ?? 0 }
    let lines = rows.map { row in
      let padded = zip(row, widths).map { cell, width in cell.padded(to: width) }
      return "  " + (padded + [row[3]]).joined(separator: "  ").trimmingEnd
    }
    return (["", "\(subject.rawValue): \(subject.summary)"] + lines).joined(separator: "\n") + "\n"
  }
}

extension Measurement {
  /// Name, figure, comparison and bar, as they appear in the table.
  fileprivate var cells: [String] {
    let verdict = bar.map { "\($0): \(isMet == true ? "met" : "missed")" }
    let ratio = comparison.map { $0.ratio.text(unit: "x \($0.reference)") }
    return [name, figure.text(unit: unit.rawValue), ratio ?? "", verdict ?? ""]
  }
}

extension Spread {
  /// The median with its unit, then the least and the greatest, with the digits that tell something.
  func text(unit: String) -> String {
    let decimals = greatest >= 100 ? 0 : greatest >= 10 ? 1 : greatest >= 1 ? 2 : 3
    let texts = [median, least, greatest].map { $0.rounded(decimals: decimals) }
    return "\(texts[0]) \(unit) (\(texts[1]) to \(texts[2]))"
  }
}

extension Bar: CustomStringConvertible {
  var description: String {
    switch self {
    case .atLeast(let least): "at least \(least.shortest)"
    case .atMost(let most): "at most \(most.shortest)"
    }
  }
}

extension Double {
  /// The number with some decimals: `1.05`.
  func rounded(decimals: Int) -> String {
    let scale = (0..<decimals).reduce(1) { scale, _ in scale * 10 }
    let scaled = Int((magnitude * Double(scale)).rounded())
    let sign = self < 0 && scaled > 0 ? "-" : ""
    guard decimals > 0 else { return "\(sign)\(scaled)" }
    return "\(sign)\(scaled / scale).\(String(scaled % scale + scale).dropFirst())"
  }

  /// The number without decimals that say nothing: `64`, `1.7`.
  var shortest: String { self == rounded() ? rounded(decimals: 0) : "\(self)" }
}

extension Int {
  /// The number in groups of three digits: `1,500,000`.
  var grouped: String {
    let digits = String(magnitude)
    let groups = digits.enumerated().map { index, digit in
      index > 0 && (digits.count - index).isMultiple(of: 3) ? ",\(digit)" : "\(digit)"
    }
    return (self < 0 ? "-" : "") + groups.joined()
  }
}

extension String {
  /// The text with blanks after it, if it is shorter than `count` characters.
  func padded(to count: Int) -> String {
    self + String(repeating: " ", count: Swift.max(0, count - self.count))
  }

  /// The text without blanks at its end.
  fileprivate var trimmingEnd: Substring {
    guard let last = lastIndex(where: { $0 != " " }) else { return "" }
    return self[...last]
  }
}
