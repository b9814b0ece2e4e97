import CSV
import Fields
package import Schema
import SourceFiles
import SQLiteSwiftly
import Text
package import Vocabulary

/// Detects values that are valid but new or spelled differently; their record may still be rejected.
struct DriftDetector {
  static let reportedValues = 20
  static let reportedBytes = 100

  private let table: TableDescription
  let formats: [FieldFormat]
  /// The spellings of booleans: `t` and `f`, or `True` and `False`.
  private var letters = Spelling()
  private var words = Spelling()
  /// For each column, its known and unknown values; nil if any value is allowed.
  private var vocabularies: [Vocabulary?]
  /// The number of rounded numbers of each column, and the first one.
  private var rounded: [(count: Int, line: Int, text: String)]

  init(_ table: TableDescription, _ formats: [FieldFormat]) {
    self.table = table
    self.formats = formats
    rounded = table.columns.map { _ in (0, 0, "") }
    vocabularies = zip(table.columns, formats).map { column, format in
      let known = column.knownValues + format.missingValues
      return column.knownValues.isEmpty ? nil : Vocabulary(known.map { Array($0.utf8) })
    }
  }

  func watches(_ column: Int) -> Bool {
    let described = table.columns[column]
    return vocabularies[column] != nil
      || described.type == .boolean && formats[column].spelling == .exact
  }

  mutating func countRounded(_ text: Span<UInt8>, inColumn column: Int, line: Int) {
    if rounded[column].count == 0 { rounded[column] = (0, line, text.quotedForMessage) }
    rounded[column].count += 1
  }

  /// Counts a watched column's values in the records of a chunk without a fault so far.
  mutating func countValues(
    of column: Int, field: Int, _ chunk: borrowing RecordChunk, _ records: Span<Record>,
    _ fields: Span<RecordBatch.Field>, _ bytes: Span<UInt8>
  ) {
    for index in 0..<chunk.count where !chunk.isFaulty[index] {
      let place = fields[chunk.firstFields[index] + field]
      let count = Int(place.end - place.start)
      guard count > 0 else { continue }
      if vocabularies[column] == nil {
        if count > 1 {
          words.count(inColumn: column, line: records[index].line)
        } else {
          letters.count(inColumn: column, line: records[index].line)
        }
      } else {
        let text = bytes.extracting(Int(place.start)..<Int(place.end))
        vocabularies[column]?.count(text, line: records[index].line)
      }
    }
  }

  func warnings(of file: String) -> [Warning] {
    let unknown = zip(table.columns, vocabularies).compactMap { column, vocabulary in
      vocabulary.flatMap { $0.isKnown ? nil : warning(of: $0, column, in: file) }
    }
    let rounded = zip(table.columns, rounded).filter { $1.count > 0 }.map { column, rounded in
      Warning(
        file: file, code: .numberRounded, table: table.name, column: column.name,
        "\(column.name) has numbers with too many digits for 64 bits, which are rounded: "
          + "\(rounded.count.of("record")), first in line \(rounded.line), \(rounded.text)",
        facts: "")
    }
    return unknown + (letters.count > 0 && words.count > 0 ? [mixedSpellings(in: file)] : [])
      + rounded
  }

  private func warning(
    of vocabulary: Vocabulary, _ column: ColumnDescription, in file: String
  ) -> Warning {
    let values = vocabulary.unknown.map { value in
      "\(value.bytes.span.quotedForMessage) (\(value.count.of("record")), first in line "
        + "\(value.firstLine))"
    }
    let rest = vocabulary.unreported
    let more = rest > 0 ? (values.isEmpty ? "" : ", and ") + "others in \(rest.of("record"))" : ""
    return Warning(
      file: file, code: .valueUnknown, table: table.name, column: column.name,
      "\(column.name) has new values, which are loaded: "
        + values.joined(separator: ", ") + more,
      facts: facts(of: vocabulary))
  }

  /// The values, sorted, since their order in the source file can change.
  private func facts(of vocabulary: Vocabulary) -> String {
    let values = vocabulary.unknown.map(\.bytes).sorted { $0.lexicographicallyPrecedes($1) }
    return (values.map { $0.span.quotedForMessage } + (vocabulary.unreported > 0 ? ["others"] : []))
      .joined(separator: ", ")
  }

  private func mixedSpellings(in file: String) -> Warning {
    let first = letters.count < words.count ? letters : words
    return Warning(
      file: file, code: .booleanSpellings, table: table.name,
      column: table.columns[first.firstColumn].name,
      "two spellings of booleans: t or f in \(letters.count.of("field")), True or False in "
        + "\(words.count.grouped); the first of the rarer is in line \(first.firstLine)",
      facts: "")
  }
}

extension DriftDetector {
  private struct Spelling {
    private(set) var count = 0
    private(set) var firstLine = Int.max
    private(set) var firstColumn = 0

    @inline(__always)
    mutating func count(inColumn column: Int, line: Int) {
      count += 1
      // A chunk of records is examined column by column.
      if line < firstLine { (firstLine, firstColumn) = (line, column) }
    }
  }

  private struct Vocabulary {
    struct Value {
      let bytes: [UInt8]
      var count = 1
      let firstLine: Int
    }

    private let known: [[UInt8]]
    /// The index of the last known value, which probably comes next.
    private var last = 0
    private(set) var unknown: [Value] = []
    /// The number of records with further or long unknown values.
    private(set) var unreported = 0

    var isKnown: Bool { unknown.isEmpty && unreported == 0 }

    init(_ known: [[UInt8]]) { self.known = known }

    mutating func count(_ text: Span<UInt8>, line: Int) {
      if text.isEqual(to: known[last]) { return }
      for index in known.indices where text.isEqual(to: known[index]) {
        last = index
        return
      }
      for index in unknown.indices where text.isEqual(to: unknown[index].bytes) {
        unknown[index].count += 1
        return
      }
      guard unknown.count < DriftDetector.reportedValues, text.count <= DriftDetector.reportedBytes
      else {
        unreported += 1
        return
      }
      unknown.append(Value(bytes: text.indices.map { text[$0] }, firstLine: line))
    }
  }
}

extension SourceFolder {
  /// Warnings about files that look like source files of tables outside the schema, with a proposed description if the
  /// first block of a file allows one.
  ///
  /// A column has the type of the schema's column with that name, or else the type of its first values.
  package func unknownFileWarnings(_ schema: SchemaDescription) -> [Warning] {
    let knownColumns = schema.tables.flatMap(\.columns)
    let warnings = unknown.prefix(Self.describedFiles).map { file in
      Warning(
        file: file.name, code: .fileUnknown, "no table for this file; not loaded",
        facts: "", change: description(of: file, knownColumns))
    }
    let others = unknown.dropFirst(Self.describedFiles)
    guard let next = others.first else { return warnings }
    return warnings + [
      Warning(
        file: next.name, code: .fileUnknown,
        "no table for this file and \((others.count - 1).grouped) more; not loaded",
        facts: "and \((others.count - 1).grouped) more")
    ]
  }

  private static let describedFiles = 50

  /// Reads at most one block; returns nil at any fault.
  private func description(
    of file: File, _ knownColumns: [ColumnDescription]
  ) -> DescriptionChange? {
    var batch = RecordBatch(capacity: 64 << 10, records: 1000, fields: 10_000)
    guard var parser = try? SourceParser(file, recordLimit: 32 << 10),
      (try? parser.next(&batch)) == true, let header = batch.records.first, header.faults.isEmpty,
      header.fieldCount <= Self.describedColumns
    else { return nil }
    let table = file.name.prefix { $0 != "." }
    let names = batch.texts(of: header)
    let types = names.map { name in knownColumns.first { haveSameBytes($0.name, name) }?.type }
    return .table(
      String(table), file: file.name, columns: Array(zip(names, types)),
      ColumnSample.samples(of: batch, from: 1, keepingValues: true))
  }

  private static let describedColumns = 100
}

extension Warning {
  private typealias Stamped = (table: String, file: String, time: SourceTime)

  /// The most seconds between the source files of one day, which are written within half a minute.
  private static let mostSecondsApart = 3600

  /// Gzip times are in UTC and ZIP times in an unknown time zone, so they are only compared with their own kind.
  package static func mixedGenerations(in tables: [TableCounts]) -> Warning? {
    let stamped: [Stamped] = tables.flatMap { counts in
      counts.sources.compactMap { source in source.time.map { (counts.table, source.name, $0) } }
    }
    return mixedGenerations(of: stamped.filter(\.time.isUTC))
      ?? mixedGenerations(of: stamped.filter { !$0.time.isUTC })
  }

  private static func mixedGenerations(of stamped: [Stamped]) -> Warning? {
    guard let oldest = stamped.min(by: { $0.time.isEarlier(than: $1.time) }),
      let newest = stamped.max(by: { $0.time.isEarlier(than: $1.time) }),
      newest.time.seconds - oldest.time.seconds > mostSecondsApart
    else { return nil }
    let (first, last) = (oldest.time.text, newest.time.text)
    return Warning(
      file: oldest.file, code: .mixedGenerations, table: oldest.table,
      "compressed at \(first), but \(newest.file) at \(last): the source files may be from different "
        + "days; download all of them again together",
      facts: "\(first) to \(last)")
  }
}

/// The values of a field in the first records of a source file, from which a column is proposed.
struct ColumnSample {
  static let capacity = 250

  private var hasValues = false
  private(set) var hasEmptyFields = false
  private var areIntegers = true
  private var areBooleans = true
  private(set) var values: [[UInt8]] = []

  /// The common type of all values; text if there is none.
  var type: ColumnDescription.DataType {
    guard hasValues else { return .text }
    // 0 and 1 are integers, since only words are read as booleans.
    return areBooleans ? .boolean : areIntegers ? .integer : .text
  }

  private mutating func add(_ range: Range<Int>, of bytes: Span<UInt8>, keepingValues: Bool) {
    if keepingValues { values.append(range.map { bytes[$0] }) }
    guard !range.isEmpty else {
      hasEmptyFields = true
      return
    }
    hasValues = true
    areIntegers = areIntegers && parseInteger(range, of: bytes).fault == nil
    areBooleans = areBooleans && parseBoolean(range, of: bytes) != nil
  }

  /// Samples each field of the records from index `first`; the header comes before them.
  static func samples(
    of batch: borrowing RecordBatch, from first: Int, keepingValues: Bool = false
  ) -> [ColumnSample] {
    guard let count = batch.records.first?.fieldCount else { return [] }
    var samples = [ColumnSample](repeating: ColumnSample(), count: count)
    for record in batch.records[first...].prefix(capacity)
    where record.isSound(fieldCount: count) {
      for index in samples.indices {
        samples[index].add(
          batch.place(index, of: record), of: batch.bytes.span, keepingValues: keepingValues)
      }
    }
    return samples
  }
}

extension DescriptionChange {
  static func column(
    _ name: String, ofTable table: String, _ sample: ColumnSample
  ) -> DescriptionChange {
    .column(ColumnDescription(name, sample.type, isNullable: true), ofTable: table)
  }

  /// A table proposed from its header, the known types of some columns, and its first records; its key is the shortest
  /// run of leading columns that is unique in them.
  static func table(
    _ name: String, file: String, columns: [(name: String, type: ColumnDescription.DataType?)],
    _ samples: [ColumnSample]
  ) -> DescriptionChange {
    let keyCount = samples.uniqueColumns
    let described = zip(columns, samples).enumerated().map { index, column in
      ColumnDescription(
        column.0.name, column.0.type ?? column.1.type,
        isNullable: column.1.hasEmptyFields && index >= keyCount)
    }
    let table = TableDescription(
      name, columns: described, primaryKey: described.prefix(keyCount).map(\.name))
    var source = SourceDescription(of: table)
    source.place = .files([file])
    source.fieldsMatch = .exact
    return .table(table, source)
  }
}

extension Array<ColumnSample> {
  /// The length of the shortest run of leading columns that is unique in all records; one without records, and 0 if not
  /// even all columns are unique.
  fileprivate var uniqueColumns: Int {
    let records = first?.values.count ?? 0
    return indices.first { last in
      let keys = (0..<records).map { record in self[...last].map { $0.values[record] } }
      return Set(keys).count == records
    }.map { $0 + 1 } ?? 0
  }
}
