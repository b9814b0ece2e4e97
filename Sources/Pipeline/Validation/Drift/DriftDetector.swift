import Vocabulary
import CSV
import SQLiteSwiftly
import Schema
import Text

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
  private var rounded: [Rounded]

  init(_ table: TableDescription, _ formats: [FieldFormat]) {
    self.table = table
    self.formats = formats
    rounded = table.columns.map { _ in Rounded() }
    vocabularies = table.columns.map { column in
      column.knownValues.isEmpty ? nil : Vocabulary(column.knownValues.map { Array($0.utf8) })
    }
  }

  func watches(_ column: Int) -> Bool {
    let described = table.columns[column]
    return vocabularies[column] != nil
      || described.type == .boolean && formats[column].spelling == .exact
  }

  mutating func countRounded(_ text: Span<UInt8>, inColumn column: Int, line: Int) {
    if rounded[column].count == 0 { rounded[column].first = (line, text.quotedForMessage) }
    rounded[column].count += 1
  }

  /// Counts a watched column's values in the records of a chunk without a fault so far.
  mutating func countValues(
    of column: Int, field: Int, _ chunk: borrowing RecordChunk, _ records: Span<Record>,
    _ fields: Span<RecordBatch.Field>, _ bytes: Span<UInt8>
  ) {
    for index in 0..<chunk.count where chunk.faults[index] == nil {
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
    let rounded = zip(table.columns, rounded).compactMap { column, rounded in
      rounded.count == 0 ? nil : warning(of: rounded, column, in: file)
    }
    return unknown + (letters.count > 0 && words.count > 0 ? [mixedSpellings(in: file)] : [])
      + rounded
  }

  private func warning(
    of rounded: Rounded, _ column: ColumnDescription, in file: String
  ) -> Warning {
    Warning(
      file: file, code: .numberRounded, table: table.name, column: column.name,
      "\(column.name) has numbers with too many digits for 64 bits, which are rounded: "
        + "\(rounded.count.of("record")), first in line \(rounded.first.line), \(rounded.first.text)",
      facts: "")
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

  private struct Rounded {
    var count = 0
    var first = (line: 0, text: "")
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
      for place in known.indices where text.isEqual(to: known[place]) {
        last = place
        return
      }
      for place in unknown.indices where text.isEqual(to: unknown[place].bytes) {
        unknown[place].count += 1
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
