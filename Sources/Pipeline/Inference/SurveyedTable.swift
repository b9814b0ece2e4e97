import Validation
import Vocabulary
import CSV
import Platform
import SourceFiles
import Schema
import SQLiteSwiftly
import Text

/// A source file after the first pass: its columns, and its key if already determined.
struct SurveyedTable {
  let undescribed: UndescribedTable
  /// The identity of the file; every later pass must read the same file.
  let identity: FileIdentity?
  private(set) var records = 0
  private(set) var unreadable = 0
  /// A conclusion for each field; that of a field without a name is not used.
  var columns: [ColumnConclusion] = []
  /// The positions of the key columns; empty for a table without a key.
  var key: [Int] = []
  var keyConfidence: Confidence?
  /// The columns whose values all differ so far.
  var unique: Set<Int> = []
  /// The hashes of the key's values, if it is a single column that may be referred to.
  var keyValues: IntegerKeySet?
  var doubts: [Doubt] = []

  var name: String { undescribed.source.table }

  var words: NameWords { undescribed.words }

  init(_ undescribed: UndescribedTable, _ candidates: inout KeyCandidates) throws(IngestError) {
    self.undescribed = undescribed
    var scan = try undescribed.scan()
    identity = scan.parser.reader.identity
    let allowsDecimalComma = undescribed.dialect.delimiter != ","
    var surveys = undescribed.names.map {
      ColumnSurvey($0, allowsDecimalComma: allowsDecimalComma)
    }
    let fieldCount = surveys.count
    var (sound, faulty, line) = (0, 0, 0)
    let hasNoQuote = undescribed.dialect.quote == nil && undescribed.options.stated.quote == nil
    var (enclosed, enclosedLine) = (0, 0)
    var others = OtherTable()
    try scan.forEachBatch { batch, first throws(IngestError) in
      for record in batch.records[first...] {
        guard record.isSound(fieldCount: fieldCount) else {
          if faulty == 0 { line = record.line }
          faulty += 1
          others.add(record)
          continue
        }
        sound += 1
        for column in 0..<fieldCount {
          let place = batch.place(column, of: record)
          surveys[column].add(place, of: batch.bytes.span)
          if hasNoQuote, place.count > 1, batch.bytes[place.lowerBound] == UInt8(ascii: "\""),
            batch.bytes[place.upperBound - 1] == UInt8(ascii: "\"")
          {
            if enclosed == 0 { enclosedLine = record.line }
            enclosed += 1
          }
        }
      }
      candidates.add(batch, from: first)
      return true
    }
    (records, unreadable) = (sound, faulty)
    columns = surveys.map { ColumnConclusion($0, records: sound) }
    let missing = MissingWords.ofDatabases.filter { text in
      columns.contains { $0.has(missing: text) }
    }
    for index in columns.indices { columns[index].addMissingValues(missing) }
    if let doubt = undescribed.encodingDoubt { doubts.append(doubt) }
    if unreadable > 0 { doubts.append(.unreadableRecords(unreadable, firstLine: line)) }
    if let repeated = scan.repeatedHeader, repeated.count > 0 {
      doubts.append(.dialect(.repeatedHeader(repeated.words)))
    }
    doubts += undescribed.remarks.map(Doubt.dialect)
    if let first = others.first {
      doubts.append(.dialect(.otherTable(fields: first.fieldCount, firstLine: first.line)))
    }
    if enclosed > 0 { doubts.append(.dialect(.enclosed(enclosed, firstLine: enclosedLine))) }
    let inFields = scan.parser.recordsInFields
    if inFields.lines > 0 {
      doubts.append(.dialect(.recordsInFields(inFields.lines, firstLine: inFields.firstLine)))
    }
  }

  func scan() throws(IngestError) -> SourceScan {
    var scan = try undescribed.scan()
    try scan.parser.reader.check(identity)
    return scan
  }

  var singleKey: Int? { key.count == 1 ? key[0] : nil }

  var keyNames: [String] { key.map { columns[$0].name } }
}

/// Records one after the other with the same number of several fields, unlike those of the table.
private struct OtherTable {
  private(set) var first: Record?
  private var last: Record?

  mutating func add(_ record: Record) {
    if first == nil, let last, record.fieldCount > 1, record.fieldCount == last.fieldCount,
      record.number == last.number + 1, record.faults.isEmpty, last.faults.isEmpty
    {
      first = last
    }
    last = record
  }
}

struct UndescribedTable {
  let source: FoundSource
  /// Why the encoding of the file may be another one; nil if it is certain.
  let encodingDoubt: Doubt?
  let dialect: SourceDescription.Dialect
  let options: InferenceOptions
  let words: NameWords
  /// The names of the columns, by the order of the fields.
  let names: [String]
  /// The words of these names; nil for a name that the header does not have.
  let columns: [NameWords?]
  /// Whether fields are matched by order, since some names are not those of the header.
  let isMatchedByOrder: Bool
  let remarks: [DialectRemark]
  private let isProse: Bool

  init(_ source: FoundSource, _ options: InferenceOptions) throws(IngestError) {
    var source = source
    let encoding = try EncodingGuess(source.file, stated: options.stated.encoding)
    encodingDoubt = encoding.doubt
    source.file.encoding = encoding.name
    self.source = source
    self.options = options
    var guess = try DialectGuess(source.file, options.stated)
    if guess.dialect.commentPrefix != options.stated.commentPrefix,
      try Self.hasRecordLikeComment(source, guess, options)
    {
      guess = try DialectGuess(source.file, options.stated, allowsComments: false)
    }
    dialect = guess.dialect
    isProse = guess.isProse
    words = NameWords(source.table)
    let scan = try SourceScan(source, dialect: dialect, options)
    let given = scan.header.mergedNames
    let made = columnNames(
      of: given, count: guess.header?.fieldCount ?? given.count,
      hasLabels: guess.header?.hasLabels ?? false)
    names = made
    columns = made.enumerated().map { $1 == "column_\($0 + 1)" ? nil : NameWords($1) }
    isMatchedByOrder = !haveSameBytes(made, scan.header.names)
    let changed = made.indices.filter { !given.hasName(made[$0]) }
    remarks =
      guess.remarks
      + (changed.isEmpty ? [] : [.names(changed.map { made[$0] }, fields: changed.map { $0 + 1 })])
  }

  /// Whether any record of the file would be read as a comment.
  private static func hasRecordLikeComment(
    _ source: FoundSource, _ guess: DialectGuess, _ options: InferenceOptions
  ) throws(IngestError) -> Bool {
    let header = try SourceScan(source, dialect: guess.dialect, options).header
    let fieldCount = guess.header?.fieldCount ?? header.names.count
    var dialect = guess.dialect
    (dialect.commentPrefix, dialect.commentRows, dialect.headerRows) = (nil, [], [])
    var scan = try SourceScan(source, dialect: dialect, options)
    var isFound = false
    try scan.forEachBatch { batch, _ throws(IngestError) in
      isFound = batch.records.contains { record in
        record.isSound(fieldCount: fieldCount) && record.line > header.line
          && batch.bytes[record.bytes.lowerBound] == UInt8(ascii: "#")
      }
      return !isFound
    }
    return isFound
  }

  func scan() throws(IngestError) -> SourceScan {
    try SourceScan(source, dialect: dialect, options)
  }

  /// A file with the extension `.txt` is a GTFS file, or prose; nil if it may be a CSV file.
  var reasonToSkip: String? {
    guard source.file.name.lowercased().contains(".txt"), isProse else { return nil }
    return
      "\(source.file.name): its lines have one field, or different numbers of fields, as in prose"
  }
}

/// One pass over the records of a source file without a description.
struct SourceScan: ~Copyable {
  let header: Header
  private(set) var repeatedHeader: RepeatedHeader?
  var parser: SourceParser
  private var batch: RecordBatch
  /// The header is in the first batch.
  private var first: Int

  init(
    _ source: FoundSource, dialect: SourceDescription.Dialect, _ options: InferenceOptions
  ) throws(IngestError) {
    var file = source.file
    var described = SourceDescription(of: source.table, formats: [])
    described.dialect = dialect
    file.layout = try SourceLayout(of: described)
    var parser = try SourceParser(file, recordLimit: options.recordLimit)
    var batch = RecordBatch()
    var header = try parser.readHeader(&batch)
    try parser.checkQuotes(batch)
    if dialect.headerRows.isEmpty, let fields = batch.records.first?.fieldCount {
      header.names = (1...max(fields, 1)).map { "field\($0)" }
      header.mergedNames = header.names
    }
    self.header = header
    repeatedHeader = RepeatedHeader(header)
    first = header.records
    self.parser = parser
    self.batch = batch
  }

  /// Calls `body` for each batch without repeated headers, with the position of its first record, until it returns
  /// false.
  mutating func forEachBatch(
    _ body: (borrowing RecordBatch, Int) throws(IngestError) -> Bool
  ) throws(IngestError) {
    repeat {
      _ = repeatedHeader?.removeRepetitions(from: &batch)
      guard try body(batch, first) else { return }
      first = 0
      batch.discardParsed()
    } while try parser.next(&batch)
  }
}
