import CSV
import Files
import SQLiteSwiftly

/// The reading thread: reads and checks all dumps, parents first, and hands over their rows.
struct CatalogReader: ~Copyable {
  private let schema: SchemaDescription
  private let folder: DumpFolder
  private let options: IngestOptions
  private let ring: Ring
  private let recorder: RunRecorder
  private let replayed: ReplayedQuarantine?
  private var keys: KeyRegistry
  private var log: RejectLog
  private var records = RecordBatch(
    capacity: Tuning.batchBytes, records: Tuning.batchRecords, fields: Tuning.batchFields)
  private var delivery: Delivery?
  private var waiting = Stopwatch()
  private var hasFailed = false

  /// The decompressed bytes in which damage is looked for behind a header that cannot be used: eight times
  /// today's largest dump.
  private static let verifiedBytesBehindFailure = 1 << 30

  init(
    _ schema: SchemaDescription, input: Input, options: IngestOptions, ring: Ring,
    recorder: RunRecorder
  ) {
    self.schema = schema
    folder = input.folder
    self.options = options
    self.ring = ring
    self.recorder = recorder
    keys = KeyRegistry(schema, memory: KeyMemory(limit: options.keyMemory))
    replayed = input.replayed
    log = RejectLog(
      tables: schema.tables.count,
      quarantine: input.quarantine.map { Quarantine($0, isReplay: input.replayed != nil) }
    ) { recorder.record(.rejection($0)) }
  }

  /// What is read, and where rejected records go.
  struct Input: Sendable {
    let folder: DumpFolder
    /// Where rejected records are kept; nil if they are not.
    var quarantine: QuarantineFolder?
    /// What is loaded in place of rejected records of an earlier run.
    var replayed: ReplayedQuarantine?
  }

  /// What became of the reading: the accounts of the tables, and why it ended before the last of them.
  struct Reading {
    var accounts: [TableAccount] = []
    /// Why nothing can be published: one for each file that cannot be used.
    var failures: [IngestError] = []
    /// Whether all dumps were read to their ends.
    var isComplete = false
    /// The folder with the rejected records; nil if there are none, or if they are not kept.
    var rejectsFolder: String?
    /// The seconds in which the reader waited for the writer.
    var waited = 0.0
  }

  /// Reads everything and returns the accounts of each table.
  ///
  /// Once more records are rejected than the limit allows, the rest is read and checked all the same,
  /// so that one run shows all the trouble, but nothing is handed over any more.
  ///
  /// It is the same with a file that cannot be used; references to its table are not checked then.
  mutating func run() -> Reading {
    defer { ring.filled.close() }
    var reading = Reading()
    readTables(into: &reading)
    replayed?.release()
    do throws(IngestError) {
      let isCutShort =
        reading.failures.contains { $0.kind == .inputOutput }
        // The writer takes nothing any more.
        || !reading.isComplete && !mustFail(reading.accounts)
      reading.rejectsFolder = try log.quarantine?.finish(
        reading.accounts, isComplete: reading.isComplete, isCutShort: isCutShort)
    } catch {
      reading.failures.append(error)
    }
    reading.waited = waiting.seconds
    return reading
  }

  private mutating func readTables(into reading: inout Reading) {
    for (index, file) in folder.files.enumerated() {
      guard takeBatch(for: index) else { return }
      var account = TableAccount(table: schema.tables[index].name)
      if let file {
        do throws(IngestError) {
          try read(table: index, dump: file, &account)
        } catch {
          reading.failures.append(error)
          account.failure = error.code
          hasFailed = true
          keys.forget(table: index)
          records.discardAll()
        }
        do throws(IngestError) {
          try log.quarantine?.endTable(
            rejected: account.sources.reduce(0) { $0 + $1.rejected.bytes })
        } catch {
          reading.failures.append(error)
          hasFailed = true
        }
      }
      account.rejectedByCode = log.recordsByCode(table: index)
      account.reasonsByCode = log.reasonsByCode(table: index)
      reading.accounts.append(account)
      let canGoOn = reading.failures.last.map { $0.code != nil } ?? true
      guard canGoOn, !(options.failsFast && mustFail(reading.accounts)) else { return }
      keys.release(table: index)
      guard handOver(table: index, isLast: true) else { return }
    }
    reading.isComplete = !hasFailed
  }

  /// Whether nothing will be handed over any more, since too many records are rejected already.
  private var isOverLimit: Bool {
    options.rejectLimits.isCertainlyExceeded(by: log.records, of: schema.tables)
  }

  /// Whether it is certain that nothing will be published.
  private func mustFail(_ accounts: [TableAccount]) -> Bool {
    hasFailed || isOverLimit || options.isStrict && recorder.notices.contains(where: \.code.isDrift)
  }

  /// Reads a table: its dump, and behind it the repaired records that are loaded in place of others.
  private mutating func read(
    table: Int, dump: DumpFolder.File, _ account: inout TableAccount
  ) throws(IngestError) {
    let replayed = try self.replayed?.table(schema.tables[table].name, dump: dump)
    var files = [InputFile(file: dump, replayed: replayed)]
    for file in replayed?.repaired ?? [] {
      try file.refuseLink()
      files.append(InputFile(file: file, isRepaired: true))
    }
    if let replayed {
      try log.quarantine?.begin(table: schema.tables[table].name, replacing: replayed.numbers)
    }
    try survey(table: table, &files)
    var validator = TableValidator(table: table, of: schema, keys: &keys)
    for file in files { try read(table: table, file, &validator, &account) }
  }

  /// A file of a table's records.
  private struct InputFile {
    let file: DumpFolder.File
    /// What is loaded in place of some of its records, if anything is.
    var replayed: ReplayedTable?
    var isRepaired = false
    /// What was opened when the table was read for the first time.
    var identity: FileIdentity?
  }

  /// Reads a table that refers to itself once, to find the records that will have their parents.
  private mutating func survey(table: Int, _ files: inout [InputFile]) throws(IngestError) {
    guard let survivorSet = keys.survivorSet(ofTable: table) else { return }
    let start = recorder.now
    defer { recorder.record(.survey, table: schema.tables[table].name, from: start) }
    var survey = SelfReferenceSurvey(seed: keys.seed, memory: keys.memory)
    defer { keys.recountMemory() }
    guard var scratch = delivery.take() else { return }
    let result = Result { () throws(IngestError) in
      try note(table: table, &files, in: &survey, scratch: &scratch.rows)
    }
    // The batch goes back also if a file cannot be used, or the ring would run dry.
    delivery = consume scratch
    try result.get()
    let isText = keys.sets[survivorSet].isText
    survey.findSurvivors { key in
      if isText {
        _ = keys.sets[survivorSet].insert(key)
      } else {
        _ = keys.sets[survivorSet].insert(key.word(at: 0, count: 8))
      }
    }
    guard !keys.memory.isExceeded else {
      throw keys.memory.failure(at: 1, in: files[0].file.name)
    }
  }

  /// Notes the references among the records of all files.
  private mutating func note(
    table: Int, _ files: inout [InputFile], in survey: inout SelfReferenceSurvey,
    scratch: inout RowBatch
  ) throws(IngestError) {
    var validator = TableValidator(table: table, of: schema, keys: &keys)
    for index in files.indices {
      var parser = try DumpParser(files[index].file, recordLimit: options.recordLimit)
      files[index].identity = parser.identity
      let result = Result { () throws(IngestError) in
        try note(
          table: table, files[index], &parser, &validator, in: &survey, scratch: &scratch)
      }
      try verify(&parser, behind: result).get()
    }
  }

  private mutating func note(
    table: Int, _ input: InputFile, _ parser: inout DumpParser, _ validator: inout TableValidator,
    in survey: inout SelfReferenceSurvey, scratch: inout RowBatch
  ) throws(IngestError) {
    let header = try HeaderMatch(
      parser.readHeader(&records), table: schema.tables[table], file: input.file)
    try parser.checkQuotes(records)
    validator.begin(header)
    var replayed = input.replayed
    var first = 1
    repeat {
      _ = replayed?.takeReplaced(from: &records)
      try validator.survey(
        records, from: first, in: &survey, scratch: &scratch, keys: &keys,
        fileName: input.file.name)
      first = 0
      records.discardParsed()
    } while try parser.next(&records)
  }

  /// Makes sure that what was found in a file is not the doing of damage, which would be to blame.
  ///
  /// - Returns: `result`, or the failure of a file that is damaged further on.
  private func verify(
    _ parser: inout DumpParser, behind result: Result<Void, IngestError>
  ) -> Result<Void, IngestError> {
    var limit = Int.max
    if case .failure(let failure) = result {
      guard failure.kind == .data else { return result }
      // Without a header there are no records to be sure of, and what is no dump may have no end.
      if failure.codeName != nil { limit = Self.verifiedBytesBehindFailure }
    }
    do throws(IngestError) {
      try parser.verify(limit: limit)
    } catch {
      return .failure(error)
    }
    return result
  }

  private mutating func read(
    table: Int, _ input: InputFile, _ validator: inout TableValidator,
    _ account: inout TableAccount
  ) throws(IngestError) {
    let start = recorder.now
    var source = SourceAccount(name: input.file.name)
    source.isRepaired = input.isRepaired
    var parser = try DumpParser(input.file, recordLimit: options.recordLimit)
    if let identity = input.identity { try parser.check(identity) }
    defer {
      account.sources.append(source)
      recorder.record(.read, table: schema.tables[table].name, from: start)
    }
    parser.describe(in: &source)
    try input.replayed?.checkSize(of: source, path: input.file.path)
    let firstHeader = account.sources.first?.header
    var notices: [Notice] = []
    log.beginFile(table: table)
    let found = Result { () throws(IngestError) in
      try read(
        table: table, input, &parser, &validator, &source, &notices, firstHeader: firstHeader)
    }
    let result = verify(&parser, behind: found)
    parser.describe(in: &source)
    if parser.state == .verified {
      notices.forEach { recorder.record(.notice($0)) }
      log.tellFile()
    } else {
      source.discardRecords()
      try log.discardFile(table: table)
    }
    try log.quarantine?.endSource(source)
    try result.get()
    guard source.isComplete, !input.isRepaired else { return }
    if let replayed = input.replayed {
      try replayed.check(source, path: input.file.path)
    } else {
      try replayed?.check(source, table: schema.tables[table].name, path: input.file.path)
    }
  }

  private mutating func read(
    table: Int, _ input: InputFile, _ parser: inout DumpParser,
    _ validator: inout TableValidator, _ source: inout SourceAccount,
    _ notices: inout [Notice], firstHeader: [String]?
  ) throws(IngestError) {
    let head = try parser.readHeader(&records)
    let header = try HeaderMatch(head, table: schema.tables[table], file: input.file)
    try parser.checkQuotes(records)
    source.header = header.names
    // A header that is the dump's has been told about.
    if source.header != firstHeader { notices += header.notices }
    validator.begin(header)
    let reason = RejectionReason(
      schema: schema, table: schema.tables[table], fileName: input.file.name, header: header,
      recordLimit: options.recordLimit)
    log.quarantine?.begin(
      table: schema.tables[table].name, source: input.file, header: head,
      identity: parser.identity)
    var replayed = input.replayed
    var first = 1
    repeat {
      if let sum = replayed?.takeReplaced(from: &records) {
        source.replaced.records += sum.records
        source.replaced.bytes += sum.bytes
      }
      guard try check(from: first, &validator, reason, &source) else { return }
      first = 0
      guard !(options.failsFast && isOverLimit) else { return }
    } while try parser.next(&records)
    source.isComplete = true
    notices += validator.takeDrift(in: input.file.name)
    // How the lines of a file end that ingest itself has written is nobody's concern.
    if !input.isRepaired { notices += parser.notices }
  }

  /// Checks the records of the batch from `first` on and hands over the rows; false if nobody takes
  /// them any more.
  private mutating func check(
    from first: Int, _ validator: inout TableValidator, _ reason: RejectionReason,
    _ account: inout SourceAccount
  ) throws(IngestError) -> Bool {
    guard var delivery = delivery.take() else { return false }
    try validator.check(
      records, from: first, into: &delivery.rows, keys: &keys, log: &log, reason,
      account: &account)
    records.exchangeBytes(with: &delivery.rows.text)
    self.delivery = consume delivery
    return handOver(table: validator.tableIndex, isLast: false)
  }

  /// Sends the batch to the writer and takes a free one; false if the writer has given up.
  private mutating func handOver(table: Int, isLast: Bool) -> Bool {
    guard !hasFailed, !isOverLimit else {
      // The writer ends when it finds the queue closed; the batch is filled again for nobody.
      ring.filled.close()
      return takeBatch(for: table)
    }
    guard var delivery = delivery.take() else { return false }
    delivery.table = table
    delivery.isLast = isLast
    guard ring.filled.send(delivery) else { return false }
    return takeBatch(for: table)
  }

  /// Makes sure that there is an empty batch for rows of the table; false if none comes any more.
  private mutating func takeBatch(for table: Int) -> Bool {
    if delivery == nil { delivery = waiting.time { ring.free.receive() } }
    delivery?.rows.restart(columns: schema.tables[table].columns.count)
    return delivery != nil
  }
}
