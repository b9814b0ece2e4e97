import Validation
import SourceFiles
package import Facts
package import CSV
package import SQLiteSwiftly

/// The standing repairs of one table, and what has become of them so far.
///
/// Records are the same if their fields are, however they are quoted and whatever the order of the columns;
/// a boolean is the same in both spellings. One that is not sound as CSV is the same as another with the
/// same bytes.
package struct TableRepairs {
  package let files: [RepairFile]
  private let table: TableDescription
  private let layout: SourceLayout
  private var repairs: [Repair] = []
  /// The repairs that leave a record out, by what they say of it.
  private var leaveOuts = Index()
  /// The others, by the keys of their records.
  private var keyed = Index()
  /// Where what is compared is in the records of the source that is read.
  private var places = Places()
  /// The numbers of the records of the batch that are taken out.
  private var taken: Set<Int> = []
  private var text: [UInt8] = []

  /// A record of a file, and what was met of it in the dump.
  struct Repair {
    let kind: RepairKind
    let number: Int
    let line: Int
    /// All fields as they would be in the table.
    let content: [UInt8]
    /// Whether it is sound as CSV; if not, it is rejected as such, unless it only leaves a record out.
    let isSound: Bool
    /// How many records of the dump it took out.
    var taken = 0
    /// Whether one of them was another than this.
    var changes = false
    /// Whether a record with the key stays, so that this one is not loaded.
    var isMet = false
  }

  private struct Index {
    var texts = TextKeySet(seed: HashSeed(), memory: KeyMemory(limit: .max))
    /// The repairs of each text, by its ordinal.
    var repairs: [[Int]] = []

    mutating func add(_ repair: Int, for text: [UInt8]) {
      guard let ordinal = texts.ordinalInserting(0..<text.count, of: text.span) else { return }
      if ordinal == repairs.count { repairs.append([]) }
      repairs[ordinal].append(repair)
    }

    func repairs(for text: [UInt8]) -> [Int]? { texts.ordinal(of: text.span).map { repairs[$0] } }
  }

  /// The fields of a source in which things are; nil where it lacks the column.
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

  /// Begins with the dump, or with records that are replayed.
  package mutating func begin(header: [String]) throws(IngestError) {
    for file in files { try file.checkColumns(of: table, dump: header) }
    places.fieldCount = header.count
    places.key = columns(table.primaryKey, in: header)
    places.all = columns(table.columns.map(\.name), in: header)
    let named = files.first { $0.kind == .leaveOut }?.header ?? []
    places.leaveOut = columns(named, in: header)
  }

  /// Looks at each record of the dump that is in a batch, and notes which are to be taken out.
  package mutating func look(at batch: borrowing RecordBatch) {
    for record in batch.records where record.number > 0 && !record.faults.contains(.tooLong) {
      if leavesOut(record, batch) { taken.insert(record.number) } else { meet(record, batch) }
    }
  }

  /// Looks at each replayed record that is in a batch: it is loaded, and no repair with its key is.
  package mutating func lookAtReplayed(_ batch: borrowing RecordBatch) {
    for record in batch.records where record.number > 0 && isSound(record) {
      for repair in repairsWithKey(of: record, batch) { repairs[repair].isMet = true }
    }
  }

  /// Removes what is taken out from the batch, and returns its sum.
  package mutating func takeOut(from batch: inout RecordBatch) -> SourceCounts.Sum {
    guard !taken.isEmpty else { return SourceCounts.Sum() }
    defer { taken.removeAll() }
    return batch.remove { taken.contains($0.number) }
  }

  /// Removes those records of a file of repairs from the batch that are not to be loaded, and returns
  /// their sum.
  package func takeOut(_ kind: RepairKind, from batch: inout RecordBatch) -> SourceCounts.Sum {
    let unused = Set(repairs.filter { $0.kind == kind && !$0.isLoaded }.map(\.number))
    return batch.remove { unused.contains($0.number) }
  }

  private func isSound(_ record: Record) -> Bool {
    record.faults.isEmpty && record.fieldCount == places.fieldCount
  }

  /// Whether a repair leaves the record out; each does so once.
  private mutating func leavesOut(_ record: Record, _ batch: borrowing RecordBatch) -> Bool {
    guard leaveOuts.texts.count > 0 else { return false }
    if isSound(record) {
      compose(places.leaveOut, record, batch)
    } else {
      text = Self.mark(batch.bytes(withoutLineEndOf: record, layout))
    }
    guard let found = leaveOuts.repairs(for: text),
      let next = found.first(where: { repairs[$0].taken == 0 })
    else { return false }
    repairs[next].taken = 1
    return true
  }

  /// Takes the record out if one with its key is to be loaded in its place.
  private mutating func meet(_ record: Record, _ batch: borrowing RecordBatch) {
    guard isSound(record) else { return }
    let found = repairsWithKey(of: record, batch)
    guard !found.isEmpty else { return }
    compose(places.all, record, batch)
    let isReplaced = found.contains { repairs[$0].kind == .replace }
    if isReplaced { taken.insert(record.number) }
    for repair in found {
      if repairs[repair].content != text { repairs[repair].changes = true }
      if repairs[repair].kind == .replace {
        repairs[repair].taken += 1
      } else if !isReplaced {
        repairs[repair].isMet = true
      }
    }
  }

  private mutating func repairsWithKey(
    of record: Record, _ batch: borrowing RecordBatch
  ) -> [Int] {
    guard keyed.texts.count > 0 else { return [] }
    compose(places.key, record, batch)
    return keyed.repairs(for: text) ?? []
  }

  // MARK: - What is compared

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
    for (field, isBoolean) in columns {
      let place = field.map { batch.fields[record.firstField + $0] }
      Self.append(
        batch.bytes[Int(place?.start ?? 0)..<Int(place?.end ?? 0)], isBoolean: isBoolean, to: &text)
    }
  }

  private static func text(of columns: [Places.Column], in fields: [[UInt8]]) -> [UInt8] {
    var text: [UInt8] = []
    for (field, isBoolean) in columns {
      append(field.map { fields[$0][...] } ?? [], isBoolean: isBoolean, to: &text)
    }
    return text
  }

  /// Appends a field so that no other fields give the same text.
  private static func append(_ field: ArraySlice<UInt8>, isBoolean: Bool, to text: inout [UInt8]) {
    var field = field
    if isBoolean, let value = parseBoolean(0..<field.count, of: field.span) {
      field = value ? [UInt8(ascii: "t")] : [UInt8(ascii: "f")]
    }
    for shift in stride(from: 0, to: 32, by: 8) {
      text.append(UInt8(truncatingIfNeeded: field.count >> shift))
    }
    text.append(contentsOf: field)
  }

  /// The bytes of a record that is not sound, as no fields would give them: no field is that long.
  private static func mark(_ bytes: some Collection<UInt8>) -> [UInt8] {
    [0xff, 0xff, 0xff, 0xff] + bytes
  }
}

extension TableRepairs.Repair {
  /// Whether the record goes on its way into the table.
  var isLoaded: Bool {
    switch kind {
    case .leaveOut: false
    case .replace: !isSound || taken > 0 && !isMet
    case .add: !isMet
    }
  }
}
