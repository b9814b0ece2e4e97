import Validation
import Vocabulary
import CSV
import Platform
import SourceFiles
import Schema
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
    let allowsDecimalComma = undescribed.delimiter != ","
    var surveys = undescribed.columns.map {
      ColumnSurvey($0?.name ?? "", allowsDecimalComma: allowsDecimalComma)
    }
    let fieldCount = surveys.count
    var (sound, faulty, line) = (0, 0, 0)
    try scan.forEachBatch { batch, first throws(IngestError) in
      for record in batch.records[first...] {
        guard record.isSound(fieldCount: fieldCount) else {
          if faulty == 0 { line = record.line }
          faulty += 1
          continue
        }
        sound += 1
        for column in 0..<fieldCount {
          surveys[column].add(batch.place(column, of: record), of: batch.bytes.span)
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
    for (index, column) in undescribed.columns.enumerated() where column == nil {
      doubts.append(.unnamedField(index + 1))
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

struct UndescribedTable {
  let source: FoundSource
  /// Why the encoding of the file may be another one; nil if it is certain.
  let encodingDoubt: Doubt?
  let delimiter: String
  let options: InferenceOptions
  let words: NameWords
  /// The columns; nil for a field without a name.
  let columns: [NameWords?]

  init(_ source: FoundSource, _ options: InferenceOptions) throws(IngestError) {
    let encoding = try EncodingGuess(source.file, stated: options.encoding)
    encodingDoubt = encoding.doubt
    var source = source
    source.file.encoding = encoding.name
    self.source = source
    self.options = options
    delimiter = try DelimiterGuess(source.file).delimiter
    words = NameWords(source.table)
    let scan = try SourceScan(source, delimiter: delimiter, options)
    columns = scan.header.names.map { $0.isEmpty ? nil : NameWords($0) }
    var known: Set<String> = []
    for name in scan.header.names where !known.insert(name.lowercased()).inserted {
      throw IngestError(
        .data, code: .file(.columnDuplicate),
        "\(source.file.path): line \(scan.header.line): two columns are named \(name.quotedForMessage). Rename "
          + "one of them in the header.")
    }
  }

  func scan() throws(IngestError) -> SourceScan {
    try SourceScan(source, delimiter: delimiter, options)
  }

  /// A file with the extension `.txt` is a GTFS file, or prose; nil if it may be a CSV file.
  var reasonToSkip: String? {
    guard source.file.name.lowercased().contains(".txt"), columns.count == 1 else { return nil }
    return "\(source.file.name): its first line is a single field, as in prose"
  }
}

/// One pass over the records of a source file without a description.
struct SourceScan: ~Copyable {
  let header: Header
  var parser: SourceParser
  private var batch: RecordBatch
  /// The header is in the first batch.
  private var first: Int

  init(
    _ source: FoundSource, delimiter: String, _ options: InferenceOptions
  ) throws(IngestError) {
    var file = source.file
    file.layout = try SourceLayout(of: options.source(source.table, delimiter: delimiter))
    var parser = try SourceParser(file, recordLimit: options.recordLimit)
    var batch = RecordBatch()
    var header = try parser.readHeader(&batch)
    try parser.checkQuotes(batch)
    if !options.hasHeader, let fields = batch.records.first?.fieldCount {
      header.names = (1...max(fields, 1)).map { "field\($0)" }
    }
    self.header = header
    first = header.records
    self.parser = parser
    self.batch = batch
  }

  /// Calls `body` for each batch, with the position of its first record, until it returns false.
  mutating func forEachBatch(
    _ body: (borrowing RecordBatch, Int) throws(IngestError) -> Bool
  ) throws(IngestError) {
    repeat {
      guard try body(batch, first) else { return }
      first = 0
      batch.discardParsed()
    } while try parser.next(&batch)
  }
}
