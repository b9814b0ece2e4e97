import Fields
import Validation
import SourceFiles
package import Vocabulary
package import CSV
package import SQLiteSwiftly
import Text

/// The repairs of one table, and their outcomes so far.
///
/// Records are equal if their fields are, regardless of quotes, column order, and the spelling of booleans, or if their
/// bytes are, for invalid CSV.
package struct TableRepairs {
  package let files: [RepairFile]
  private let table: TableDescription
  /// Whether several records may have a key, so that a repair replaces only the first, and those equal to it.
  private let hasInferredKey: Bool
  private let layout: SourceLayout
  private var repairs: [Repair] = []
  /// The repairs that remove a record, by the fields that identify it.
  private var leaveOuts: [[UInt8]: [Int]] = [:]
  /// The other repairs, by the keys of their records.
  private var keyed: [[UInt8]: [Int]] = [:]
  private var places = Places()
  private var text: [UInt8] = []

  /// A record of a file of repairs, and its matches in the source file.
  struct Repair {
    let kind: RepairKind
    let number: Int
    let line: Int
    let content: [UInt8]
    /// Whether it is valid CSV; if not, it is rejected, unless it only removes a record.
    let isSound: Bool
    /// The number of records that it removed from the source file.
    var removals = 0
    var changes = false
    /// The record that it removed last.
    var removed: [UInt8]?
    /// Whether a record with the key remains; one to add is then not loaded.
    var isMet = false
  }

  /// The fields of a source to compare; nil if it lacks the column.
  private struct Places {
    typealias Column = (field: Int?, isBoolean: Bool)
    var fieldCount = 0
    var leaveOut: [Column] = []
    var key: [Column] = []
    var all: [Column] = []
  }

  package init(_ files: [RepairFile], of table: TableDescription, hasInferredKey: Bool) {
    self.files = files
    self.table = table
    self.hasInferredKey = hasInferredKey
    layout = files.first?.file.layout ?? .usual
    for file in files {
      let places = places(in: file.header, leaveOut: file.header)
      for record in file.records {
        let content = record.fields.map { Self.text(of: places.all, in: $0) } ?? record.bytes
        repairs.append(
          Repair(
            kind: file.kind, number: record.number, line: record.line, content: content,
            isSound: record.fields != nil))
        if file.kind == .leaveOut {
          let text =
            record.fields.map { Self.text(of: places.leaveOut, in: $0) } ?? Self.mark(record.bytes)
          leaveOuts[text, default: []].append(repairs.count - 1)
        } else if let fields = record.fields, !places.key.isEmpty {
          keyed[Self.text(of: places.key, in: fields), default: []].append(repairs.count - 1)
        }
      }
    }
  }

  func repairs(_ kind: RepairKind) -> [Repair] { repairs.filter { $0.kind == kind } }

  package mutating func begin(header: [String]) throws(IngestError) {
    for file in files { try file.checkColumns(of: table, source: header) }
    let leaveOut = files.first { $0.kind == .leaveOut }?.header ?? []
    places = places(in: header, leaveOut: leaveOut)
  }

  /// Matches the records of a batch of the source file, and removes those that are skipped or replaced; returns their sum.
  package mutating func removeMatched(from batch: inout RecordBatch) -> SourceCounts.Sum {
    var removed: Set<Int> = []
    for record in batch.records where record.number > 0 && !record.faults.contains(.tooLong) {
      if isLeftOut(record, batch) || isReplaced(record, batch) { removed.insert(record.number) }
    }
    return removed.isEmpty ? SourceCounts.Sum() : batch.remove { removed.contains($0.number) }
  }

  /// Removes the records of a file of repairs that are not loaded from the batch, and returns their sum.
  package func removeUnused(_ kind: RepairKind, from batch: inout RecordBatch) -> SourceCounts.Sum {
    let unused = Set(repairs.filter { $0.kind == kind && !$0.isLoaded }.map(\.number))
    return batch.remove { unused.contains($0.number) }
  }

  /// Whether a repair removes the record; each repair removes one.
  private mutating func isLeftOut(_ record: Record, _ batch: borrowing RecordBatch) -> Bool {
    guard !leaveOuts.isEmpty else { return false }
    if record.isSound(fieldCount: places.fieldCount) {
      compose(places.leaveOut, record, batch)
    } else {
      text = Self.mark(batch.bytes(withoutLineEndOf: record, layout))
    }
    guard let next = leaveOuts[text]?.first(where: { repairs[$0].removals == 0 }) else {
      return false
    }
    repairs[next].removals = 1
    return true
  }

  /// Whether a repair replaces the record; its matches by key are recorded.
  private mutating func isReplaced(_ record: Record, _ batch: borrowing RecordBatch) -> Bool {
    guard !keyed.isEmpty, record.isSound(fieldCount: places.fieldCount) else { return false }
    compose(places.key, record, batch)
    guard let matches = keyed[text] else { return false }
    compose(places.all, record, batch)
    let isReplaced = matches.contains { repair in
      repairs[repair].kind == .replace
        && (!hasInferredKey || repairs[repair].removed ?? text == text)
    }
    for repair in matches {
      if repairs[repair].content != text { repairs[repair].changes = true }
      if isReplaced, repairs[repair].kind == .replace {
        repairs[repair].removals += 1
        repairs[repair].removed = text
      } else if !isReplaced {
        repairs[repair].isMet = true
      }
    }
    return isReplaced
  }

  // MARK: - Comparison

  private func places(in header: [String], leaveOut names: [String]) -> Places {
    func columns(_ names: [String]) -> [Places.Column] {
      names.map { name in
        let column = table.columns.first { haveSameBytes($0.name, name) }
        return (header.firstIndex { haveSameBytes($0, name) }, column?.type == .boolean)
      }
    }
    return Places(
      fieldCount: header.count, leaveOut: columns(names), key: columns(table.primaryKey),
      all: columns(table.columns.map(\.name)))
  }

  private mutating func compose(
    _ columns: [Places.Column], _ record: Record, _ batch: borrowing RecordBatch
  ) {
    text.removeAll(keepingCapacity: true)
    Self.append(columns, to: &text) { batch.bytes[batch.place($0, of: record)] }
  }

  private static func text(of columns: [Places.Column], in fields: [[UInt8]]) -> [UInt8] {
    var text: [UInt8] = []
    append(columns, to: &text) { fields[$0][...] }
    return text
  }

  /// Appends fields in a unique encoding.
  private static func append(
    _ columns: [Places.Column], to text: inout [UInt8], _ field: (Int) -> ArraySlice<UInt8>
  ) {
    for (index, isBoolean) in columns {
      var field = index.map(field) ?? []
      if isBoolean, let value = parseBoolean(0..<field.count, of: field.span) {
        field = value ? [UInt8(ascii: "t")] : [UInt8(ascii: "f")]
      }
      text.append(number: UInt32(truncatingIfNeeded: field.count))
      text.append(contentsOf: field)
    }
  }

  /// The bytes of an invalid record, marked by a length that no field can have.
  private static func mark(_ bytes: some Collection<UInt8>) -> [UInt8] {
    [0xff, 0xff, 0xff, 0xff] + bytes
  }
}

extension TableRepairs {
  package var counts: [RepairCounts] {
    files.map { file in
      var counts = RepairCounts(file)
      let fates = repairs(file.kind).map(\.fate)
      counts.applied = fates.count { $0 == .applied || $0 == .ambiguous }
      counts.needless = fates.count { $0 == .needless }
      counts.inapplicable = fates.count { $0 == .inapplicable }
      return counts
    }
  }

  /// A warning for each file with repairs that are needless, or do not apply.
  package var warnings: [Warning] {
    files.flatMap { file in
      [
        (Repair.Fate.needless, WarningCode.repairNeedless), (.inapplicable, .repairInapplicable),
        (.ambiguous, .repairInapplicable),
      ].compactMap { fate, code in
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
    case (.ambiguous, _):
      "the source file now has several records with each of these inferred keys, of which only the first is replaced"
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
  enum Fate { case applied, needless, inapplicable, ambiguous }

  var fate: Fate {
    switch kind {
    case .leaveOut: removals > 0 ? .applied : .inapplicable
    case .add: isMet ? (changes ? .inapplicable : .needless) : .applied
    case .replace where isMet: .ambiguous
    case .replace:
      !isSound
        ? .applied
        : removals == 1 && !changes ? .needless : removals > 0 ? .applied : .inapplicable
    }
  }

  var isLoaded: Bool {
    switch kind {
    case .leaveOut: false
    case .replace: !isSound || removals > 0
    case .add: !isMet
    }
  }
}
