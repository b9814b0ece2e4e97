import SourceFiles
package import Vocabulary
import Text

extension TableRepairs {
  package var counts: [RepairCounts] {
    files.map { file in
      var counts = RepairCounts(file)
      let fates = repairs(file.kind).map(\.fate)
      counts.applied = fates.count { $0 == .applied }
      counts.needless = fates.count { $0 == .needless }
      counts.inapplicable = fates.count { $0 == .inapplicable }
      return counts
    }
  }

  /// A warning for each file with repairs that are needless, or do not apply.
  package var warnings: [Warning] {
    files.flatMap { file in
      [(Repair.Fate.needless, WarningCode.repairNeedless), (.inapplicable, .repairInapplicable)]
        .compactMap { fate, code in
          let lines = repairs(file.kind).filter { $0.fate == fate }.map(\.line)
          guard !lines.isEmpty else { return nil }
          return Self.warning(code, file, lines, Self.explanation(of: fate, file.kind))
        }
    }
  }

  package static func warnings(ofUnread files: [RepairFile]) -> [Warning] {
    files.filter { !$0.records.isEmpty }.map { file in
      warning(
        .repairInapplicable, file, file.records.map(\.line),
        "source file of \(file.table) missing, so these repairs do not apply")
    }
  }

  private static func warning(
    _ code: WarningCode, _ file: RepairFile, _ lines: [Int], _ explanation: String
  ) -> Warning {
    let places = places(lines)
    return Warning(
      file: file.file.name, code: code, table: file.table, "\(places): \(explanation)",
      facts: "\(file.kind.rawValue) \(places)")
  }

  private static func explanation(of fate: Repair.Fate, _ kind: RepairKind) -> String {
    switch (fate, kind) {
    case (.needless, .add): "the source file now has these records; remove these repairs"
    case (.needless, _): "the source file now has the same records; remove these repairs"
    case (_, .add):
      "the source file now has other records with these keys, which are loaded; remove these repairs, "
        + "or move them to the .replace.csv file"
    case (_, .replace): "the source file has no records with these keys, so these are not loaded"
    case (_, .leaveOut): "the source file has no such records; remove these repairs"
    }
  }

  private static let describedRanges = 10

  /// Lines in ascending order as text: `lines 2-4, 9`.
  private static func places(_ lines: [Int]) -> String {
    var ranges = RangeSet<Int>()
    for line in lines { ranges.insert(contentsOf: line..<line + 1) }
    let shown = ranges.ranges.prefix(describedRanges)
    let words = shown.map { range in
      range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound)-\(range.upperBound - 1)"
    }
    let more = lines.count - shown.reduce(0) { $0 + $1.count }
    return (lines.count == 1 ? "line " : "lines ") + words.joined(separator: ", ")
      + (more > 0 ? " and \(more.grouped) more" : "")
  }
}

extension TableRepairs.Repair {
  enum Fate { case applied, needless, inapplicable }

  var fate: Fate {
    switch kind {
    case .leaveOut: removals > 0 ? .applied : .inapplicable
    case .add: isMet ? (changes ? .inapplicable : .needless) : .applied
    case .replace:
      !isSound
        ? .applied
        : removals == 1 && !changes ? .needless : removals > 0 ? .applied : .inapplicable
    }
  }
}
