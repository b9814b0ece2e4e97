import SourceFiles
package import Facts

extension TableRepairs {
  /// What became of the repairs of each file, once the table is read.
  package var accounts: [RepairCounts] {
    files.map { file in
      var account = RepairCounts(file)
      for repair in repairs(file.kind) {
        switch repair.fate {
        case .applied: account.applied += 1
        case .needless: account.needless += 1
        case .inapplicable: account.inapplicable += 1
        }
      }
      return account
    }
  }

  /// A warning for each file with repairs that the dump has made needless, or that do not apply.
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

  /// What is told of the repairs of a table that has no dump.
  package static func warnings(ofUnread files: [RepairFile]) -> [Warning] {
    files.filter { !$0.records.isEmpty }.map { file in
      warning(
        .repairInapplicable, file, file.records.map(\.line),
        "there is no dump of \(file.table), so nothing was repaired in it")
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
    case (.needless, .add): "the dump has these records by now; they can be removed here"
    case (.needless, _):
      "the dump has these records as they are here by now; they can be removed here"
    case (_, .add):
      "the dump has other records with these keys by now, and those are loaded; remove these, or move "
        + "them to the file of records that replace others"
    case (_, .replace): "the dump has no records with these keys, so these are not loaded"
    case (_, .leaveOut):
      "the dump has no such records, or has them no longer; they can be removed here"
    }
  }

  private static let describedRanges = 10

  /// Some lines in their order, in words: `lines 2-4, 9`.
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
  /// What has become of a repair.
  enum Fate { case applied, needless, inapplicable }

  var fate: Fate {
    switch kind {
    case .leaveOut: taken > 0 ? .applied : .inapplicable
    case .add: isMet ? (changes ? .inapplicable : .needless) : .applied
    case .replace:
      // What is replayed takes the place of both.
      !isSound
        ? .applied
        : isMet || (taken == 1 && !changes) ? .needless : taken > 0 ? .applied : .inapplicable
    }
  }
}
