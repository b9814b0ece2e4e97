import CSV
import SQLiteSwiftly

/// What travels to the writing thread: rows of one table.
struct Delivery: ~Copyable, Sendable {
  var rows: RowBatch
  var table = 0
  /// Whether the table is complete with them.
  var isLast = false
}

/// The two queues between the reading and the writing thread.
struct Ring: Sendable {
  /// Batches on their way to the writer.
  let filled = HandOff<Delivery>()
  /// Batches on their way back.
  let free = HandOff<Delivery>()

  /// Makes a ring with all batches free, each for tables of up to `columns` columns.
  init(columns: Int) {
    for _ in 0..<HandOff<Delivery>.capacity {
      _ = free.send(
        Delivery(
          rows: RowBatch(cells: Tuning.batchRecords * columns, textCapacity: Tuning.batchBytes)))
    }
  }
}

/// The reading thread: reads and checks all dumps, parents first, and hands over their rows.
struct CatalogReader: ~Copyable {
  private let schema: SchemaDescription
  private let folder: DumpFolder
  private let options: IngestOptions
  private let ring: Ring
  private let recorder: RunRecorder
  private var keys: KeyRegistry
  private var log: RejectLog
  private var records = RecordBatch(
    capacity: Tuning.batchBytes, records: Tuning.batchRecords, fields: Tuning.batchFields)
  private var delivery: Delivery?
  private var waiting = Stopwatch()
  private var hasFailed = false

  init(
    _ schema: SchemaDescription, folder: DumpFolder, options: IngestOptions, ring: Ring,
    recorder: RunRecorder
  ) {
    self.schema = schema
    self.folder = folder
    self.options = options
    self.ring = ring
    self.recorder = recorder
    keys = KeyRegistry(schema)
    log = RejectLog(tables: schema.tables.count) { recorder.record(.rejection($0)) }
  }

  /// What became of the reading: the accounts of the tables, and why it ended before the last of them.
  struct Reading {
    var accounts: [TableAccount] = []
    /// Why nothing can be published: one for each file that cannot be used.
    var failures: [IngestError] = []
    /// Whether all dumps were read to their ends.
    var isComplete = false
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
    reading.waited = waiting.seconds
    return reading
  }

  private mutating func readTables(into reading: inout Reading) {
    for (index, file) in folder.files.enumerated() {
      guard takeBatch(for: index) else { return }
      var account = TableAccount(table: schema.tables[index].name)
      if let file {
        do throws(IngestError) {
          try survey(table: index, file)
          try read(table: index, file, &account)
        } catch {
          reading.failures.append(error)
          hasFailed = true
          keys.forget(table: index)
          records.discardAll()
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

  /// Reads a table that refers to itself once, to find the records that will have their parents.
  private mutating func survey(table: Int, _ file: DumpFolder.File) throws(IngestError) {
    guard let survivorSet = keys.survivorSet(ofTable: table) else { return }
    let start = recorder.now
    defer { recorder.record(.survey, table: schema.tables[table].name, from: start) }
    var survey = SelfReferenceSurvey()
    var parser = try DumpParser(file, recordLimit: options.recordLimit)
    let header = try HeaderMatch(
      parser.readHeader(&records), table: schema.tables[table], file: file)
    var validator = TableValidator(table: table, of: schema, header: header, keys: &keys)
    guard var scratch = delivery.take() else { return }
    var first = 1
    repeat {
      validator.survey(records, from: first, in: &survey, scratch: &scratch.rows, keys: &keys)
      first = 0
      records.discardParsed()
    } while try parser.next(&records)
    delivery = consume scratch
    for key in survey.survivors() {
      switch key {
      case .integer(let number): _ = keys.sets[survivorSet].insert(number)
      case .text(let bytes): _ = keys.sets[survivorSet].insert(bytes.span)
      }
    }
  }

  private mutating func read(
    table: Int, _ file: DumpFolder.File, _ account: inout TableAccount
  ) throws(IngestError) {
    let start = recorder.now
    var source = SourceAccount(name: file.name)
    var parser = try DumpParser(file, recordLimit: options.recordLimit)
    defer {
      parser.describe(in: &source)
      account.sources.append(source)
      recorder.record(.read, table: schema.tables[table].name, from: start)
    }
    let header = try HeaderMatch(
      parser.readHeader(&records), table: schema.tables[table], file: file)
    source.header = header.names
    header.notices.forEach { recorder.record(.notice($0)) }
    var validator = TableValidator(table: table, of: schema, header: header, keys: &keys)
    let reason = RejectionReason(
      schema: schema, table: schema.tables[table], fileName: file.name, header: header,
      recordLimit: options.recordLimit)
    var first = 1
    repeat {
      guard check(from: first, &validator, reason, &source) else { return }
      first = 0
      guard !(options.failsFast && isOverLimit) else { return }
    } while try parser.next(&records)
    parser.notices.forEach { recorder.record(.notice($0)) }
  }

  /// Checks the records of the batch from `first` on and hands over the rows; false if nobody takes
  /// them any more.
  private mutating func check(
    from first: Int, _ validator: inout TableValidator, _ reason: RejectionReason,
    _ account: inout SourceAccount
  ) -> Bool {
    guard var delivery = delivery.take() else { return false }
    validator.check(
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
