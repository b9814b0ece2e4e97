import Validation
import SourceFiles
package import Vocabulary
package import CSV
package import SQLiteSwiftly

/// The repairs of one table, and their outcomes so far.
///
/// Records are equal if their fields are, regardless of quotes, column order, and the spelling of booleans, or if their
/// bytes are, for invalid CSV.
package struct TableRepairs {
  package let files: [RepairFile]
  private let table: TableDescription
  private let layout: SourceLayout
  private var repairs: [Repair] = []
  /// The repairs that remove a record, by the fields that identify it.
  private var leaveOuts = Index()
  /// The other repairs, by the keys of their records.
  private var keyed = Index()
  private var places = Places()
  private var removed: Set<Int> = []
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
    /// Whether a record with the key remains, so that this one is not loaded.
    var isMet = false
  }

  private struct Index {
    var texts = TextKeySet(seed: HashSeed(), memory: KeyMemory(limit: .max))
    /// The repairs of each text, indexed by its ordinal.
    var repairs: [[Int]] = []

    mutating func add(_ repair: Int, for text: [UInt8]) {
      guard let ordinal = texts.ordinalInserting(0..<text.count, of: text.span) else { return }
      if ordinal == repairs.count { repairs.append([]) }
      repairs[ordinal].append(repair)
    }

    func repairs(for text: [UInt8]) -> [Int]? { texts.ordinal(of: text.span).map { repairs[$0] } }
  }

  /// The fields of a source to compare; nil if it lacks the column.
  private struct Places {
    typealias Column = (field: Int?, isBoolean: Bool)
    var fieldCount = 0
    var leaveOut: [Column] = []
    var key: [Column] = []
    var all: [Column] = []
  }

  package init(_ files: [RepairFile], of table: TableDescription) {
    self.files = files
    self.table = table
    layout = files.first?.file.layout ?? .usual
    for file in files {
      let key = columns(table.primaryKey, in: file.header)
      let all = columns(table.columns.map(\.name), in: file.header)
      let named = columns(file.header, in: file.header)
      for record in file.records {
        let content = record.fields.map { Self.text(of: all, in: $0) } ?? record.bytes
        repairs.append(
          Repair(
            kind: file.kind, number: record.number, line: record.line, content: content,
            isSound: record.fields != nil))
        if file.kind == .leaveOut {
          leaveOuts.add(
            repairs.count - 1,
            for: record.fields.map { Self.text(of: named, in: $0) } ?? Self.mark(record.bytes))
        } else if let fields = record.fields, !key.isEmpty {
          keyed.add(repairs.count - 1, for: Self.text(of: key, in: fields))
        }
      }
    }
  }

  func repairs(_ kind: RepairKind) -> [Repair] { repairs.filter { $0.kind == kind } }

  package mutating func begin(header: [String]) throws(IngestError) {
    for file in files { try file.checkColumns(of: table, source: header) }
    places.fieldCount = header.count
    places.key = columns(table.primaryKey, in: header)
    places.all = columns(table.columns.map(\.name), in: header)
    let named = files.first { $0.kind == .leaveOut }?.header ?? []
    places.leaveOut = columns(named, in: header)
  }

  /// Matches the records of a batch of the source file, and marks those to remove.
  package mutating func match(_ batch: borrowing RecordBatch) {
    for record in batch.records where record.number > 0 && !record.faults.contains(.tooLong) {
      if isLeftOut(record, batch) {
        removed.insert(record.number)
      } else {
        matchKey(of: record, batch)
      }
    }
  }

  package mutating func removeMatched(from batch: inout RecordBatch) -> SourceCounts.Sum {
    guard !removed.isEmpty else { return SourceCounts.Sum() }
    defer { removed.removeAll() }
    return batch.remove { removed.contains($0.number) }
  }

  /// Removes the records of a file of repairs that are not loaded from the batch, and returns their sum.
  package func removeUnused(_ kind: RepairKind, from batch: inout RecordBatch) -> SourceCounts.Sum {
    let unused = Set(repairs.filter { $0.kind == kind && !$0.isLoaded }.map(\.number))
    return batch.remove { unused.contains($0.number) }
  }

  /// Whether a repair removes the record; each repair removes one.
  private mutating func isLeftOut(_ record: Record, _ batch: borrowing RecordBatch) -> Bool {
    guard leaveOuts.texts.count > 0 else { return false }
    if record.isSound(fieldCount: places.fieldCount) {
      compose(places.leaveOut, record, batch)
    } else {
      text = Self.mark(batch.bytes(withoutLineEndOf: record, layout))
    }
    guard let candidates = leaveOuts.repairs(for: text),
      let next = candidates.first(where: { repairs[$0].removals == 0 })
    else { return false }
    repairs[next].removals = 1
    return true
  }

  private mutating func matchKey(of record: Record, _ batch: borrowing RecordBatch) {
    guard record.isSound(fieldCount: places.fieldCount) else { return }
    let matches = repairsWithKey(of: record, batch)
    guard !matches.isEmpty else { return }
    compose(places.all, record, batch)
    let isReplaced = matches.contains { repairs[$0].kind == .replace }
    if isReplaced { removed.insert(record.number) }
    for repair in matches {
      if repairs[repair].content != text { repairs[repair].changes = true }
      if repairs[repair].kind == .replace {
        repairs[repair].removals += 1
      } else if !isReplaced {
        repairs[repair].isMet = true
      }
    }
  }

  private mutating func repairsWithKey(of record: Record, _ batch: borrowing RecordBatch) -> [Int] {
    guard keyed.texts.count > 0 else { return [] }
    compose(places.key, record, batch)
    return keyed.repairs(for: text) ?? []
  }

  // MARK: - Comparison

  private func columns(_ names: [String], in header: [String]) -> [Places.Column] {
    names.map { name in
      let column = table.columns.first { haveSameBytes($0.name, name) }
      return (header.firstIndex { haveSameBytes($0, name) }, column?.type == .boolean)
    }
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

extension TableRepairs.Repair {
  var isLoaded: Bool {
    switch kind {
    case .leaveOut: false
    case .replace: !isSound || removals > 0
    case .add: !isMet
    }
  }
}

extension RecordBatch {
  fileprivate mutating func remove(where isRemoved: (Record) -> Bool) -> SourceCounts.Sum {
    var sum = SourceCounts.Sum()
    removeRecords { record in
      guard isRemoved(record) else { return false }
      sum.records += 1
      sum.bytes += record.length
      return true
    }
    return sum
  }
}
