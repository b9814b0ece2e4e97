import Schema
import Platform
import Quarantine
import Validation
import SourceFiles
import Vocabulary
import CSV
import SQLiteSwiftly
import Text

/// The decompressed bytes that are checked for damage after an unusable header: eight times the size of today's largest
/// source file.
private let verifiedBytesAfterFailure = 1 << 30

extension RowProducer {
  /// Reads a table: its source files, and then the repairs that replace records or are added.
  mutating func readTable(
    _ table: Int, _ sources: [SourceFolder.File], _ counts: inout TableCounts
  ) throws(IngestError) {
    var files = sources.map { InputFile(file: $0) }
    for index in files.indices.dropFirst() {
      files[index].start = files[index - 1].start + files[index - 1].file.storedSize
    }
    let repairFiles = input.repairs?.files(of: schema.tables[table].name) ?? []
    repairs =
      repairFiles.isEmpty
      ? nil
      : TableRepairs(
        repairFiles, of: schema.describedTable(table),
        hasInferredKey: schema.sources[table].keyGuess != nil)
    for file in repairFiles where file.kind != .leaveOut {
      files.append(InputFile(file: file.file, repair: file.kind, identity: file.identity))
    }
    try survey(table: table, &files)
    var validator = TableValidator(table: table, of: schema, keys: &keys)
    for file in files { try readFile(table: table, file, &validator, &counts) }
    // A record whose text would be lost is still valid.
    broken += options.isStrict ? validator.broken.filter { $0.fault == nil } : validator.broken
    if counts.sources.allSatisfy(\.isComplete) { countRepairs(of: &counts) }
  }

  /// Counts the repairs of a table that was read, and reports their warnings.
  private mutating func countRepairs(of counts: inout TableCounts) {
    guard let repairs else { return }
    counts.repairs = repairs.counts
    repairs.warnings.forEach { recorder.record(.warning($0)) }
  }

  /// Counts the repairs of a table without a source file, none of which applies.
  mutating func countUnreadRepairs(of counts: inout TableCounts) {
    let files = input.repairs?.files(of: counts.table) ?? []
    counts.repairs = files.map(RepairCounts.init(unread:))
    for warning in TableRepairs.warnings(ofUnread: files) { recorder.record(.warning(warning)) }
  }

  /// A file with records of a table.
  struct InputFile {
    let file: SourceFolder.File
    /// The stored size of the table's files before it.
    var start = 0
    /// The kind of a file of repairs; nil for another file.
    var repair: RepairKind?
    /// The identity of the file when it was first read; nil before that.
    var identity: FileIdentity?
  }

  /// Checks that the result of reading a file was not caused by damage, which would be reported instead.
  ///
  /// - Returns: `result`, or the failure of a file that is damaged further on.
  func verify(
    _ parser: inout SourceParser, after result: Result<Void, IngestError>
  ) -> Result<Void, IngestError> {
    var limit = Int.max
    if case .failure(let failure) = result {
      guard failure.kind == .data else { return result }
      // Without a header there are no records to verify, and the file may be of another kind and endless.
      if failure.code != nil { limit = verifiedBytesAfterFailure }
    }
    return Result { () throws(IngestError) in
      try parser.reader.verify(limit: limit)
      try result.get()
    }
  }

  private mutating func readFile(
    table: Int, _ input: InputFile, _ validator: inout TableValidator,
    _ counts: inout TableCounts
  ) throws(IngestError) {
    let start = recorder.now
    var source = SourceCounts(name: input.file.name)
    source.isRepairs = input.repair != nil
    var parser = try SourceParser(input.file, recordLimit: options.recordLimit)
    try parser.reader.check(input.identity)
    try input.file.checkClaims(parser.reader.identity)
    defer {
      counts.sources.append(source)
      recorder.record(.read, table: schema.tables[table].name, from: start)
    }
    parser.describe(in: &source)
    let first = counts.sources.first
    var warnings: [Warning] = []
    let countsBefore = log.counts[table]
    let read = Result { () throws(IngestError) in
      try readRecords(table: table, input, &parser, &validator, &source, &warnings, first: first)
    }
    let result = verify(&parser, after: read)
    parser.describe(in: &source)
    let isSound = parser.reader.state == .verified
    if isSound {
      warnings.forEach { recorder.record(.warning($0)) }
    } else {
      source.discardRecords()
    }
    try log.endFile(ofTable: table, isSound: isSound, countsBefore: countsBefore)
    try result.get()
  }

  /// Reads the header of a file, and matches its fields with the columns.
  mutating func readHeader(
    of input: InputFile, table: Int, _ parser: inout SourceParser
  ) throws(IngestError) -> (head: Header, match: HeaderMatch) {
    let head = try parser.readHeader(&records)
    let match = try HeaderMatch(
      head, table: schema.tables[table], permitting: schema.sources[table].fieldsMatch,
      file: input.file, in: records)
    try parser.checkQuotes(records)
    return (head, match)
  }

  private mutating func readRecords(
    table: Int, _ input: InputFile, _ parser: inout SourceParser, _ validator: inout TableValidator,
    _ source: inout SourceCounts, _ warnings: inout [Warning], first: SourceCounts?
  ) throws(IngestError) {
    let (head, header) = try readHeader(of: input, table: table, &parser)
    source.header = head.names
    if let first, input.repair == nil { try check(head, first, input.file) }
    // The header of the source file was reported already, and that of repairs is the user's own.
    if input.repair == nil, source.header != first?.header { warnings += header.warnings }
    var repetition = repetition(of: head, table)
    validator.begin(header)
    let reasons = ReasonWriter(
      schema: schema, table: schema.tables[table], fileName: input.file.name, header: header,
      recordLimit: options.recordLimit)
    // Rejected records of repairs are not copied to the rejects folder: they are corrected in the repairs folder.
    log.writer?.begin(
      table: schema.tables[table].name, source: input.file, header: head,
      identity: parser.reader.identity, isKept: input.repair == nil)
    if input.repair == nil { try repairs?.begin(header: header.names) }
    var firstRecord = head.records
    repeat {
      source.leftOut += removeUnloaded(input, &repetition)
      let count = records.records.count - firstRecord
      guard try check(from: firstRecord, &validator, reasons, &source) else { return }
      firstRecord = 0
      reportProgress(
        table: table, position: input.repair != nil ? nil : input.start + parser.reader.position,
        records: count)
    } while try parser.next(&records)
    source.isComplete = true
    warnings += validator.drainDriftWarnings(of: input.file.name)
    if let warning = repetition?.warning(of: input.file.name, table: schema.tables[table].name) {
      warnings.append(warning)
    }
    // Line ends of repairs are not reported.
    if input.repair == nil { warnings += parser.warnings }
  }

  /// Checks that another file of a table has the header of the first one.
  private func check(
    _ head: Header, _ first: SourceCounts, _ file: SourceFolder.File
  ) throws(IngestError) {
    guard !haveSameBytes(head.names, first.header) else { return }
    throw .headerMismatch(file.path, line: head.line, head.names, first: first.name, first.header)
  }

  /// The header, to find its repetitions; nil if a record may equal it, since texts of an owner may be anything.
  func repetition(of header: Header, _ table: Int) -> RepeatedHeader? {
    let isDistinct =
      schema.hasInferredTypes || schema.tables[table].columns.contains { $0.type != .text }
    return isDistinct ? RepeatedHeader(header) : nil
  }

  /// Removes the records from the batch that are not loaded: repetitions of the header, and those with a repair.
  mutating func removeUnloaded(
    _ input: InputFile, _ repetition: inout RepeatedHeader?
  ) -> SourceCounts.Sum {
    var sum = repetition?.removeRepetitions(from: &records) ?? SourceCounts.Sum()
    if let kind = input.repair {
      sum += repairs?.removeUnused(kind, from: &records) ?? SourceCounts.Sum()
    } else {
      sum += repairs?.removeMatched(from: &records) ?? SourceCounts.Sum()
    }
    return sum
  }

  /// Checks the records of the batch from `first` on and hands over the rows; false if the writer has failed.
  private mutating func check(
    from first: Int, _ validator: inout TableValidator, _ reasons: ReasonWriter,
    _ counts: inout SourceCounts
  ) throws(IngestError) -> Bool {
    guard var batch = sender.take() else { return false }
    try validator.check(
      &records, from: first, into: &batch, keys: &keys, log: &log, reasons, counts: &counts)
    records.exchangeBytes(with: &batch.text)
    sampler?.add(batch)
    sender.putBack(batch)
    return handOver(table: validator.tableIndex, isLast: false)
  }
}
