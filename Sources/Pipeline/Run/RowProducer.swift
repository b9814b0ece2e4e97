import Quarantine
import Validation
package import SourceFiles
package import Facts
package import Threads
import CSV
import Files
import Glibc
import Compression
import SQLiteSwiftly
package import Schema

/// The reading thread's work: reads and checks all dumps, parents first, and hands over their rows.
package struct RowProducer: ~Copyable {
  let schema: SchemaDescription
  let input: Input
  let options: IngestOptions
  let recorder: RunRecorder
  var keys: KeyRegistry
  var log: RejectLog
  var records: RecordBatch
  var sender: BatchSender
  /// For each table, the bytes of all dumps before its own, and in the end those of all.
  private let offsets: [Int]
  /// Whether there is a file that cannot be used.
  private var hasFailed = false
  /// The standing repairs of the table that is read; nil if it has none.
  var repairs: TableRepairs?
  /// What a replay has repaired, table by table, if it is to be written.
  var written: [WrittenRepairs] = []

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
      writer: input.rejectsFolder.map { RejectsWriter($0, isReplay: input.replayed != nil) }
    ) { recorder.record(.reject($0)) }
  }

  /// What is read, and where rejected records go.
  package struct Input: Sendable {
    let folder: SourceFolder
    /// Where rejected records are kept; nil if they are not.
    var rejectsFolder: RejectsFolder?
    /// What is loaded in place of rejected records of an earlier run.
    var replayed: ReplayedRejects?
    /// What is repaired in the dumps every night.
    var repairs: RepairsFolder?

    /// Dumps alone; rejected records are not kept.
    package init(folder: SourceFolder) { self.folder = folder }
  }

  /// What became of the reading: the accounts of the tables, and why it ended before the last of them.
  package struct Reading: Sendable {
    package var accounts: [TableCounts] = []
    /// Why nothing can be published: one for each file that cannot be used.
    package var failures: [IngestError] = []
    /// Whether all dumps were read to their ends.
    var isComplete = false
    /// The folder with the rejected records; nil if there are none, or if they are not kept.
    var rejectsFolder: String?
    /// What a replay has repaired, if it is to be written.
    var written: [WrittenRepairs] = []
    /// The seconds in which the reader waited for the writer.
    var waited = 0.0
  }

  /// Reads everything and returns the accounts of each table.
  ///
  /// Once more records are rejected than the limit allows, the rest is still read and checked, so
  /// that one run shows all problems, but nothing more is handed over.
  ///
  /// It is the same with a file that cannot be used; references to its table are not checked then.
  package mutating func run() -> Reading {
    defer { sender.close() }
    var reading = Reading()
    recorder.progress.beginReading(bytes: offsets[offsets.count - 1])
    readTables(into: &reading)
    do throws(IngestError) {
      try input.replayed?.release()
    } catch {
      reading.failures.append(error)
    }
    do throws(IngestError) {
      let isCutShort =
        reading.failures.contains { $0.kind == .inputOutput }
        // The writer takes nothing any more.
        || !reading.isComplete && !mustFail
      let kept = try log.finish(
        reading.accounts, isComplete: reading.isComplete, isCutShort: isCutShort)
      reading.rejectsFolder = kept?.folder
      if let edited = kept?.edited { recorder.record(.warning(.editedRejects(keptAs: edited))) }
    } catch {
      reading.failures.append(error)
    }
    reading.written = written
    reading.waited = sender.secondsWaited
    return reading
  }

  private mutating func readTables(into reading: inout Reading) {
    for (index, files) in input.folder.files.enumerated() {
      guard takeBatch(for: index) else { return }
      var account = TableCounts(table: schema.tables[index].name)
      account.expectedFile = input.folder.expectedNames[index]
      account.isOptional = schema.sources[index].isOptional
      if !files.isEmpty {
        do throws(IngestError) {
          try readTable(index, dumps: files, &account)
        } catch {
          reading.failures.append(error)
          account.failure = error.code
          hasFailed = true
          keys.forget(table: index)
          records.discardAll()
        }
        do throws(IngestError) {
          try log.end(account)
        } catch {
          reading.failures.append(error)
          hasFailed = true
        }
        do throws(IngestError) {
          try readRepaired(of: account)
        } catch {
          reading.failures.append(error)
          hasFailed = true
        }
      } else {
        noteUnreadRepairs(of: &account)
      }
      account.rejectedByCode = log.recordsByCode(table: index)
      account.reasonsByCode = log.reasonsByCode(table: index)
      reading.accounts.append(account)
      guard reading.failures.last.map({ $0.code != nil }) ?? true else { return }
      keys.release(table: index)
      guard handOver(table: index, isLast: true) else { return }
    }
    reading.isComplete = !hasFailed
  }

  /// Tells that a batch of records was checked.
  ///
  /// - Parameters:
  ///   - table: their table.
  ///   - position: how far its dump is read; nil for what is read after it.
  ///   - records: how many there were.
  func tellProgress(table: Int, position: Int?, records: Int) {
    recorder.progress.read(
      table: table, upTo: position.map { offsets[table] + $0 } ?? offsets[table + 1],
      records: records, rejected: log.records.reduce(0, +))
  }

  /// Whether nothing will be handed over any more, since too many records are rejected already.
  var isOverLimit: Bool {
    options.rejectLimits.isCertainlyExceeded(by: log.records, of: schema.tables)
  }

  /// Whether it is certain that nothing will be published.
  private var mustFail: Bool {
    hasFailed || isOverLimit || options.isStrict && !recorder.drift.isEmpty
  }

  /// Sends the batch to the writer and takes a free one; false if the writer has given up.
  mutating func handOver(table: Int, isLast: Bool) -> Bool {
    if hasFailed || isOverLimit {
      // The writer ends when it finds the queue closed; the batch is not used again.
      sender.close()
    } else {
      guard sender.send(table: table, isLast: isLast) else { return false }
    }
    return takeBatch(for: table)
  }

  /// Makes sure that there is an empty batch for rows of the table; false if none comes any more.
  private mutating func takeBatch(for table: Int) -> Bool {
    sender.begin(columns: schema.tables[table].columns.count)
  }
}
