import Quarantine
import Validation
package import SourceFiles
package import Vocabulary
import CSV
import SQLiteSwiftly
package import Schema

/// The work of the reading thread: reads and checks all source files, parents first, and hands over their rows.
package struct RowProducer: ~Copyable {
  let schema: SchemaDescription
  let input: Input
  let options: IngestOptions
  let recorder: RunRecorder
  var keys: KeyRegistry
  var log: RejectLog
  var records: RecordBatch
  var sender: BatchSender
  /// For each table, the size of all source files before its own, followed by the total size.
  private let offsets: [Int]
  /// Whether a file is unusable.
  private var hasFailed = false
  /// The repairs of the current table; nil if it has none.
  var repairs: TableRepairs?
  /// The guesses of the description that the run will correct.
  var broken: [BrokenGuess] = []
  /// The sample of the current table's rows.
  var sampler: RowSampler?

  package init(
    _ schema: SchemaDescription, input: Input, options: IngestOptions, ring: Ring,
    recorder: RunRecorder
  ) {
    self.schema = schema
    self.input = input
    self.options = options
    self.recorder = recorder
    let columns = schema.tables.map(\.columns.count).max() ?? 1
    records = RecordBatch(
      capacity: Tuning.batchBytes, records: Tuning.batchRecords(columns: columns),
      fields: Tuning.batchFields)
    sender = BatchSender(ring)
    offsets = input.folder.files.reduce(into: [0]) { offsets, files in
      offsets.append(files.reduce(offsets[offsets.count - 1]) { $0 + $1.storedSize })
    }
    keys = KeyRegistry(schema, memory: KeyMemory(limit: options.keyMemory))
    log = RejectLog(
      tables: schema.tables.count,
      writer: input.rejectsFolder.map { RejectsWriter($0) },
      holdsBack: schema.hasGuesses
    ) { recorder.record(.reject($0)) }
  }

  /// The source files, the folder for rejected records, and the repairs.
  package struct Input: Sendable {
    let folder: SourceFolder
    /// The folder for rejected records; nil if they are not kept.
    var rejectsFolder: RejectsFolder?
    /// The repairs of the source files.
    var repairs: RepairsFolder?

    /// An input of source files alone, whose rejected records are not kept.
    package init(folder: SourceFolder) { self.folder = folder }
  }

  /// The result of reading: the row counts of the tables, and the failures.
  package struct Reading: Sendable {
    package var counts: [TableCounts] = []
    /// A sample of the rows of each table.
    package var samples: [RowSample] = []
    /// The failures that prevent publishing: one for each unusable file.
    package var failures: [IngestError] = []
    /// Whether all source files were read to the end.
    var isComplete = false
    /// The folder with the rejected records; nil if there are none, or if they are not kept.
    var rejectsFolder: String?
    /// The guesses of the description that the records contradict; empty after a failure.
    var broken: [BrokenGuess] = []
  }

  /// Reads everything and returns the row counts of each table.
  ///
  /// Once more records are rejected than the limit allows, the rest is still read and checked, so that one run reports all
  /// problems, but no more rows are handed over.
  ///
  /// The same applies after an unusable file; references to its table are then not checked.
  package mutating func run() -> Reading {
    defer { sender.close() }
    var reading = Reading()
    recorder.progress.beginReading(bytes: offsets[offsets.count - 1])
    readTables(into: &reading)
    if reading.isComplete, reading.failures.isEmpty { reading.broken = broken }
    if reading.broken.isEmpty { log.reportHeld() }
    do throws(IngestError) {
      let isCutShort =
        reading.failures.contains { $0.kind == .inputOutput }
        // The writer has failed.
        || !reading.isComplete && !mustFail
        // Another reading follows.
        || !reading.broken.isEmpty
      reading.rejectsFolder = try log.writer?.publish(reading.counts, isCutShort: isCutShort)
    } catch {
      reading.failures.append(error)
    }
    return reading
  }

  private mutating func readTables(into reading: inout Reading) {
    for (index, files) in input.folder.files.enumerated() {
      guard takeBatch(for: index) else { return }
      var counts = TableCounts(table: schema.tables[index].name)
      counts.expectedFile = input.folder.expectedNames[index]
      counts.isOptional = schema.sources[index].isOptional
      sampler = RowSampler(schema.describedTable(index))
      if !files.isEmpty {
        do throws(IngestError) {
          try readTable(index, files, &counts)
        } catch {
          reading.failures.append(error)
          counts.failure = error.code?.file
          hasFailed = true
          keys.forget(table: index)
          records.discardAll()
        }
        do throws(IngestError) {
          try log.end(counts)
        } catch {
          reading.failures.append(error)
          hasFailed = true
        }
      } else {
        countUnreadRepairs(of: &counts)
      }
      counts.rejectedByCode = log.recordsByCode(table: index)
      counts.reasonsByCode = log.reasonsByCode(table: index)
      reading.counts.append(counts)
      if let sampler = sampler.take() { reading.samples.append(sampler.sample()) }
      guard reading.failures.last.map({ $0.code?.file != nil }) ?? true else { return }
      keys.release(table: index)
      guard handOver(table: index, isLast: true) else { return }
    }
    reading.samples.fit()
    reading.isComplete = !hasFailed
  }

  /// Reports that a batch of records was checked.
  ///
  /// - Parameters:
  ///   - table: the table.
  ///   - position: the bytes read of its source files; nil for the files read after them.
  ///   - records: the number of records.
  func reportProgress(table: Int, position: Int?, records: Int) {
    recorder.progress.read(
      table: table, upTo: position.map { offsets[table] + $0 } ?? offsets[table + 1],
      records: records, rejected: log.records.reduce(0, +))
  }

  /// Whether no more rows will be handed over, since too many records were rejected.
  var isOverLimit: Bool {
    options.rejectLimits.isCertainlyExceeded(by: log.records, of: schema.tables)
  }

  /// Whether it is certain that nothing will be published.
  private var mustFail: Bool {
    hasFailed || isOverLimit || options.isStrict && !recorder.drift.isEmpty
  }

  /// Sends the batch to the writer and takes a free one; false if the writer has failed.
  mutating func handOver(table: Int, isLast: Bool) -> Bool {
    if hasFailed || isOverLimit {
      // The writer ends once the ring is closed; the batch is not used again.
      sender.close()
    } else {
      guard sender.send(table: table, isLast: isLast) else { return false }
    }
    return takeBatch(for: table)
  }

  /// Takes an empty batch for rows of the table; false if the writer has failed.
  private mutating func takeBatch(for table: Int) -> Bool {
    sender.begin(columns: schema.tables[table].columns.count)
  }
}

extension RowProducer {
  /// Reads a table that refers to itself in advance, to find the records whose parents will be loaded.
  mutating func survey(table: Int, _ files: inout [InputFile]) throws(IngestError) {
    let survivors = keys.tables[table].survivors
    guard !survivors.isEmpty else { return }
    let start = recorder.now
    // The repairs are counted when the table is loaded.
    let unchanged = repairs
    defer {
      repairs = unchanged
      recorder.record(.survey, table: schema.tables[table].name, from: start)
    }
    var survey = SelfReferenceSurvey(
      owned: survivors.count, parents: schema.tables[table].ownForeignKeys.count, seed: keys.seed,
      memory: keys.memory)
    defer {
      keys.restartKeys(ofTable: table)
      keys.recountMemory()
    }
    guard var scratch = sender.take() else { return }
    let result = Result { () throws(IngestError) in
      try surveyReferences(ofTable: table, &files, in: &survey, scratch: &scratch)
    }
    // Even after a failure, or the ring would run out of batches.
    sender.putBack(scratch)
    try result.get()
    survey.findSurvivors { index, key in _ = keys.sets[survivors[index].set].insert(stored: key) }
    try keys.memory.check(at: 1, in: files[0].file.name)
  }

  /// Collects the references among the records of all files.
  private mutating func surveyReferences(
    ofTable table: Int, _ files: inout [InputFile], in survey: inout SelfReferenceSurvey,
    scratch: inout RowBatch
  ) throws(IngestError) {
    var validator = TableValidator(table: table, of: schema, keys: &keys, isSurvey: true)
    for index in files.indices {
      var parser = try SourceParser(files[index].file, recordLimit: options.recordLimit)
      try parser.reader.check(files[index].identity)
      files[index].identity = parser.reader.identity
      let result = Result { () throws(IngestError) in
        try surveyReferences(
          ofTable: table, files[index], &parser, &validator, in: &survey, scratch: &scratch)
      }
      try verify(&parser, after: result).get()
    }
  }

  private mutating func surveyReferences(
    ofTable table: Int, _ input: InputFile, _ parser: inout SourceParser,
    _ validator: inout TableValidator,
    in survey: inout SelfReferenceSurvey, scratch: inout RowBatch
  ) throws(IngestError) {
    let (head, header) = try readHeader(of: input, table: table, &parser)
    var repetition = repetition(of: head, table)
    validator.begin(header)
    if input.repair == nil { try repairs?.begin(header: header.names) }
    var first = head.records
    repeat {
      _ = removeUnloaded(input, &repetition)
      try validator.survey(
        &records, from: first, in: &survey, scratch: &scratch, keys: &keys,
        fileName: input.file.name)
      first = 0
      records.discardParsed()
    } while try parser.next(&records)
  }
}
