import Schema
import Threads
import Quarantine
import Validation
import SourceFiles
import Facts
import CSV
import Files
import SQLiteSwiftly

/// The decompressed bytes in which damage is looked for after a header that cannot be used: eight times
/// today's largest dump.
private let verifiedBytesBehindFailure = 1 << 30

extension RowProducer {
  /// Reads a table: its dump, or the files that make it up, and after it the repaired records that are loaded in
  /// place of others, or beside them.
  mutating func readTable(
    _ table: Int, dumps: [SourceFolder.File], _ account: inout TableCounts
  ) throws(IngestError) {
    let replayed = try input.replayed?.table(schema.tables[table].name, sources: dumps)
    var files = dumps.map { InputFile(file: $0) }
    for (index, dump) in (replayed?.sources ?? []).enumerated() { files[index].replayed = dump }
    for index in files.indices.dropFirst() {
      files[index].start = files[index - 1].start + files[index - 1].file.storedSize
    }
    for file in replayed?.repaired ?? [] {
      try file.refuseLink()
      files.append(InputFile(file: file, isRepaired: true))
    }
    if let replayed {
      try log.begin(table: schema.tables[table].name, replacing: replayed.sources)
    }
    let standing = input.repairs?.files(of: schema.tables[table].name) ?? []
    repairs = standing.isEmpty ? nil : TableRepairs(standing, of: schema.tables[table])
    for file in standing where file.kind != .leaveOut {
      files.append(
        InputFile(file: file.file, isRepaired: true, repair: file.kind, identity: file.identity))
    }
    try survey(table: table, &files)
    var validator = TableValidator(table: table, of: schema, keys: &keys)
    for file in files { try readFile(table: table, file, &validator, &account) }
    if account.sources.allSatisfy(\.isComplete) { noteRepairs(of: &account) }
  }

  /// Notes what became of the standing repairs of a table that was read.
  private mutating func noteRepairs(of account: inout TableCounts) {
    guard let repairs else { return }
    account.repairs = repairs.counts
    repairs.warnings.forEach { recorder.record(.warning($0)) }
  }

  /// Notes the standing repairs of a table without a dump, none of which applies.
  mutating func noteUnreadRepairs(of account: inout TableCounts) {
    let files = input.repairs?.files(of: account.table) ?? []
    account.repairs = files.map(RepairCounts.init(unread:))
    for warning in TableRepairs.warnings(ofUnread: files) { recorder.record(.warning(warning)) }
  }

  /// A file of a table's records.
  struct InputFile {
    let file: SourceFolder.File
    /// The bytes of the table's files before it, as they are stored.
    var start = 0
    /// What is loaded in place of some of its records, if anything is.
    var replayed: ReplayedSource?
    var isRepaired = false
    /// What its records do as standing repairs; nil if they are none.
    var repair: RepairKind?
    /// What was opened when it was read for the first time.
    var identity: FileIdentity?
  }

  /// Makes sure that what was found in a file was not caused by damage, which is then reported instead.
  ///
  /// - Returns: `result`, or the failure of a file that is damaged further on.
  func verify(
    _ parser: inout SourceParser, after result: Result<Void, IngestError>
  ) -> Result<Void, IngestError> {
    var limit = Int.max
    if case .failure(let failure) = result {
      guard failure.kind == .data else { return result }
      // Without a header there are no records to be sure of, and a file that is not a dump may have
      // no end.
      if failure.codeName != nil { limit = verifiedBytesBehindFailure }
    }
    do throws(IngestError) {
      try parser.verify(limit: limit)
    } catch {
      return .failure(error)
    }
    return result
  }

  private mutating func readFile(
    table: Int, _ input: InputFile, _ validator: inout TableValidator,
    _ account: inout TableCounts
  ) throws(IngestError) {
    let start = recorder.now
    var source = SourceCounts(name: input.file.name)
    source.isRepaired = input.isRepaired
    source.isRepairs = input.repair != nil
    var parser = try SourceParser(input.file, recordLimit: options.recordLimit)
    if let identity = input.identity { try parser.check(identity) }
    defer {
      account.sources.append(source)
      recorder.record(.read, table: schema.tables[table].name, from: start)
    }
    parser.describe(in: &source)
    try input.replayed?.checkSize(of: source, path: input.file.path)
    let first = account.sources.first
    var warnings: [Warning] = []
    let open = log.beginFile(table: table)
    let found = Result { () throws(IngestError) in
      try readRecords(
        table: table, input, open, &parser, &validator, &source, &warnings, first: first)
    }
    let result = verify(&parser, after: found)
    parser.describe(in: &source)
    let isSound = parser.state == .verified
    if isSound {
      warnings.forEach { recorder.record(.warning($0)) }
    } else {
      source.discardRecords()
    }
    try log.end(open, source, isSound: isSound)
    try result.get()
    guard source.isComplete, !input.isRepaired else { return }
    if let replayed = input.replayed {
      try replayed.check(source, path: input.file.path)
    } else {
      try self.input.replayed?.check(
        source, table: schema.tables[table].name, path: input.file.path)
    }
  }

  /// Reads the header of a file, and which field belongs to which column.
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
    table: Int, _ input: InputFile, _ open: borrowing RejectLog.File,
    _ parser: inout SourceParser, _ validator: inout TableValidator, _ source: inout SourceCounts,
    _ warnings: inout [Warning], first: SourceCounts?
  ) throws(IngestError) {
    let (head, header) = try readHeader(of: input, table: table, &parser)
    source.header = head.names
    if let first, !input.isRepaired { try check(head, first, input.file) }
    // The dump's own header has been reported already, and that of repairs is the operator's.
    if input.repair == nil, source.header != first?.header { warnings += header.warnings }
    validator.begin(header)
    let reasons = ReasonWriter(
      schema: schema, table: schema.tables[table], fileName: input.file.name, header: header,
      recordLimit: options.recordLimit)
    log.beginRecords(
      of: open, table: schema.tables[table].name, source: input.file, header: head,
      identity: parser.identity, isKept: input.repair == nil)
    if input.repair == nil { try repairs?.begin(header: header.names) }
    var replayed = input.replayed
    var firstRecord = head.records
    repeat {
      let before = input.replayed == nil || options.writtenRepairs == nil ? [] : records.records
      let sums = takeOut(input, &replayed)
      if !before.isEmpty { try noteReplaced(before, of: table, head, input.file.layout) }
      source.replaced += sums.replaced
      source.leftOut += sums.leftOut
      let count = records.records.count - firstRecord
      guard try check(from: firstRecord, &validator, reasons, &source) else { return }
      firstRecord = 0
      tellProgress(
        table: table, position: input.isRepaired ? nil : input.start + parser.position,
        records: count)
    } while try parser.next(&records)
    source.isComplete = true
    warnings += validator.drainDriftWarnings(of: input.file.name)
    // Line ends of a file that ingest itself has written are not reported.
    if !input.isRepaired { warnings += parser.warnings }
  }

  /// Makes sure that a further file of a table is like the first one.
  private func check(
    _ head: Header, _ first: SourceCounts, _ file: SourceFolder.File
  ) throws(IngestError) {
    guard !haveSameBytes(head.names, first.header) else { return }
    throw IngestError(
      .data, code: .headerMismatch,
      "\(file.path): line \(head.line): the header is "
        + "\(head.names.joined(separator: ",").quotedForMessage), where \(first.name) has "
        + "\(first.header.joined(separator: ",").quotedForMessage). Files of one table have the same header: "
        + "give this one the same columns in the same order.")
  }

  /// Notes the records of a replayed table's dump that were taken out of the batch, to be written as standing
  /// repairs.
  private mutating func noteReplaced(
    _ before: [Record], of table: Int, _ header: Header, _ layout: SourceLayout
  ) throws(IngestError) {
    let name = schema.tables[table].name
    if written.last?.table != name {
      written.append(WrittenRepairs(of: name, header: header, layout))
    }
    try written[written.count - 1].addRemoved(of: before, from: records)
  }

  /// Reads what was repaired of a table and loaded, to be written as standing repairs.
  mutating func readRepaired(of account: TableCounts) throws(IngestError) {
    guard written.last?.table == account.table, account.failure == nil,
      let folder = input.rejectsFolder
    else { return }
    try written[written.count - 1].readRepaired(
      loaded: "\(folder.newPath)/\(RejectsFolder.repaired(of: account.table))",
      rejected: "\(folder.newPath)/\(RejectsFolder.records(of: account.table))",
      recordLimit: options.recordLimit)
  }

  /// Removes the records from the batch that are not loaded, because others are loaded in their place or
  /// a standing repair leaves them out.
  mutating func takeOut(
    _ input: InputFile, _ replayed: inout ReplayedSource?
  ) -> (replaced: SourceCounts.Sum, leftOut: SourceCounts.Sum) {
    if let kind = input.repair {
      return (SourceCounts.Sum(), repairs?.removeUnused(kind, from: &records) ?? SourceCounts.Sum())
    }
    if input.isRepaired {
      repairs?.matchReplayed(records)
    } else {
      repairs?.match(records)
    }
    let replaced = replayed?.removeReplaced(from: &records) ?? SourceCounts.Sum()
    return (replaced, repairs?.removeMatched(from: &records) ?? SourceCounts.Sum())
  }

  /// Checks the records of the batch from `first` on and hands over the rows; false if nobody takes
  /// them any more.
  private mutating func check(
    from first: Int, _ validator: inout TableValidator, _ reasons: ReasonWriter,
    _ account: inout SourceCounts
  ) throws(IngestError) -> Bool {
    guard var batch = sender.take() else { return false }
    try validator.check(
      &records, from: first, into: &batch, keys: &keys, log: &log, reasons, counts: &account)
    records.exchangeBytes(with: &batch.text)
    sender.putBack(batch)
    return handOver(table: validator.tableIndex, isLast: false)
  }
}
