package import Vocabulary
package import CSV
import Fields
import SourceFiles
package import SQLiteSwiftly
package import Schema

/// Validates the records of one table and converts them to rows.
///
/// A record's fields are checked first, each with its foreign key, then composite foreign keys, then its own keys against
/// those of earlier records. Any fault rejects the record; its keys then remain free for another.
///
/// A table that refers to itself, and to more than its only key, is an exception: the first record with a key that is
/// valid except for these references holds the key, even if it lacks a parent.
package struct TableValidator: ~Copyable {
  package let tableIndex: Int
  let table: TableDescription
  /// The number of fields in the header, and thus in every record.
  private(set) var fieldCount = 0
  private(set) var dialect = Dialect.standard

  let readers: [FieldReader]
  /// The index of each column's field in a record, or -1 if the source file lacks the column.
  private(set) var fieldOfColumn: [Int]
  /// For each column the key sets, one of which must contain the value; empty without a foreign key.
  let parents: [Range<Int>]
  let plans: [KeyPlan]
  let keyColumns: [KeyPlan.Column]
  /// The columns of each key, for those that are composed.
  let composedKeys: [StoredKey]
  var chunk: RecordChunk
  var groupedKeys: GroupedKeySet?
  /// The texts of columns without foreign keys in packed keys.
  var keyTexts: [TextKeySet]
  let references: TableReferences
  var hasInsertedKeys = false
  var composedKey: [UInt8] = []
  var drift: DriftDetector
  let guesses: GuessedRules
  /// The guesses that some records break.
  package internal(set) var broken: [BrokenGuess] = []
  /// The texts in columns of a guessed type; nil where all are kept, and once one would be lost.
  var texts: [ValueTexts?]
  /// The hashes of all earlier records, if they are compared.
  var earlierRecords: IntegerKeySet
  /// Whether the current record equals an earlier one.
  var isRepeated = false
  let seed: HashSeed
  var faults: [RecordFault] = []
  /// Whether the rejected record's value in each column is valid.
  var isSound: [Bool]

  /// `begin` must be called for each file; a survey does not check references to the table itself.
  package init(
    table index: Int, of schema: SchemaDescription, keys: inout KeyRegistry, isSurvey: Bool = false
  ) {
    let table = schema.tables[index]
    let formats = schema.sources[index].formats
    tableIndex = index
    self.table = table
    let insertsKeysFirst = keys.tables[index].insertsKeysFirst
    references = TableReferences(table: index, of: schema, keys: keys, isSurvey: isSurvey)
    let parents = table.columns.map { column in
      guard let key = table.columnReference([column.name]) else { return 0..<0 }
      let isOwn = haveSameBytes(table.foreignKeys[key].table, table.name)
      return isOwn && (isSurvey || insertsKeysFirst)
        ? 0..<0 : keys.parents(ofForeignKey: key, inTable: index)
    }
    self.parents = parents
    let isInKeys = keys.tables[index].isInKeys
    readers = table.columns.indices.map { place in
      FieldReader(
        table.columns[place], formats[place], isNullable: !table.requires(table.columns[place]),
        mostBytes: isInKeys[place] ? formats[place].longestKey : .max)
    }
    fieldOfColumn = table.columns.map { _ in -1 }
    var plans: [KeyPlan] = []
    var keyColumns: [KeyPlan.Column] = []
    var keyTexts: [TextKeySet] = []
    for (key, set) in zip(table.keys, keys.tables[index].keys) {
      var columns = key.compactMap(table.columnIndex).map { column in
        KeyPlan.Column(
          index: column,
          bits: parents[column].isEmpty
            ? table.columns[column].tokenBits : keys.tokenBits(parents[column]))
      }
      let place = keyColumns.count..<keyColumns.count + columns.count
      let plan = KeyPlan(set: set, place: plans.count, columns: place, &columns, of: table)
      keys.sets[set] = keys.newSet(isText: plan.isText)
      for column in columns.indices where plan.form == .packed && columns[column].bits == 0 {
        columns[column].texts = keyTexts.count
        keyTexts.append(TextKeySet(seed: keys.seed, memory: keys.memory))
      }
      plans.append(plan)
      keyColumns += columns
    }
    self.plans = plans
    self.keyColumns = keyColumns
    self.keyTexts = keyTexts
    composedKeys = table.keys.map { StoredKey($0, of: table) }
    if plans.count == 1, plans[0].form == .packed, !insertsKeysFirst {
      // Composite keys are not looked up by references, so only duplicates matter.
      let bits = keyColumns.map(\.packedBits)
      groupedKeys = GroupedKeySet(
        groupBits: bits[0], memberBits: bits[1...].reduce(0, +), seed: keys.seed,
        memory: keys.memory)
    }
    chunk = RecordChunk(columns: table.columns.count)
    drift = DriftDetector(table, formats)
    let guesses = GuessedRules(ofTable: index, in: schema)
    self.guesses = guesses
    texts = table.columns.indices.map { column in
      guesses.types[column]
        ? ValueTexts(formats[column].spelling, of: table.columns[column]) : nil
    }
    seed = keys.seed
    earlierRecords = IntegerKeySet(seed: keys.seed, memory: keys.memory)
    isSound = [Bool](repeating: true, count: table.columns.count)
  }

  /// Begins the records of a file with this header; earlier keys remain.
  package mutating func begin(_ header: HeaderMatch) {
    fieldCount = header.names.count
    dialect = header.dialect
    fieldOfColumn = header.fieldOfColumn.map { $0 ?? -1 }
  }

  /// Validates the records of a batch from index `first`: valid ones become rows, whose texts stay in the batch.
  package mutating func check(
    _ batch: inout RecordBatch, from first: Int, into rows: inout RowBatch,
    keys: inout KeyRegistry, log: inout some RejectSink & ~Copyable, _ reasons: ReasonWriter,
    counts: inout SourceCounts
  ) throws(IngestError) {
    for start in stride(from: first, to: batch.records.count, by: RecordChunk.capacity) {
      checkFields(&batch, from: start, into: &rows, keys)
      for column in texts.indices where texts[column] != nil && fieldOfColumn[column] >= 0 {
        addTexts(ofColumn: column, in: batch, from: start, rows, reasons.fileName)
      }
      var kept = 0
      for index in 0..<chunk.count {
        let row = rows.rows + index
        let length = batch.records[start + index].length
        if chunk.isFaulty[index] || repeatsEarlier(batch.records[start + index], in: batch)
          || !insertKeys(index, row, of: rows, batch.bytes.span, &keys)
        {
          let record = batch.records[start + index]
          findFaults(of: record, at: index, row: row, &batch, &rows, keys)
          // A key that did not fit is not a duplicate.
          try keys.memory.check(at: record.line, in: reasons.fileName)
          noteBrokenGuesses(in: record, batch, reasons)
          try log.add(record, faults, table: tableIndex, in: batch, reasons)
          counts.rejected.records += 1
          counts.rejected.bytes += length
        } else {
          rows.moveRow(row, to: rows.rows + kept)
          counts.loaded.records += 1
          counts.loaded.bytes += length
          kept += 1
        }
      }
      if !keys.tables[tableIndex].collected.isEmpty {
        collect(kept, of: rows, batch.bytes.span, &keys)
      }
      rows.finishRows(kept)
      try keys.memory.check(at: batch.records[start].line, in: reasons.fileName)
    }
  }

  /// Adds the records of a batch that are valid except for references within the table to a survey.
  package mutating func survey(
    _ batch: inout RecordBatch, from first: Int, in survey: inout SelfReferenceSurvey,
    scratch rows: inout RowBatch, keys: inout KeyRegistry, fileName: String
  ) throws(IngestError) {
    let insertsKeysFirst = keys.tables[tableIndex].insertsKeysFirst
    for start in stride(from: first, to: batch.records.count, by: RecordChunk.capacity) {
      checkFields(&batch, from: start, into: &rows, keys)
      for index in 0..<chunk.count where !chunk.isFaulty[index] {
        let row = rows.rows + index
        guard !insertsKeysFirst || insertKeys(index, row, of: rows, batch.bytes.span, &keys) else {
          continue
        }
        add(row: row, of: rows, to: &survey, batch.bytes.span)
      }
      try keys.memory.check(at: batch.records[start].line, in: fileName)
    }
  }

  /// Checks the fields of a chunk of records, and fills the next rows of `rows` without finishing them.
  private mutating func checkFields(
    _ batch: inout RecordBatch, from start: Int, into rows: inout RowBatch,
    _ keys: borrowing KeyRegistry
  ) {
    let end = min(start + RecordChunk.capacity, batch.records.count)
    rows.makeRoom(forRows: batch.records.count - start)
    chunk.begin(batch.records.span.extracting(start..<end), fieldCount: fieldCount)
    for column in readers.indices {
      readFields(of: column, &batch, from: start, into: &rows)
      let bytes = batch.bytes.span
      if drift.watches(column), fieldOfColumn[column] >= 0 {
        drift.countValues(
          of: column, field: fieldOfColumn[column], chunk,
          batch.records.span.extracting(start..<end), batch.fields.span, bytes)
      }
      if !parents[column].isEmpty {
        if table.columns[column].type == .text {
          findTextParents(of: column, bytes, in: rows, keys)
        } else {
          findIntegerParents(of: column, in: rows, keys)
        }
      }
    }
    if !references.lookups.isEmpty { findParents(in: rows, batch.bytes.span, keys) }
  }

  /// Returns the warnings about values of the completed source file, and restarts the detector.
  package mutating func drainDriftWarnings(of file: String) -> [Warning] {
    defer { drift = DriftDetector(table, drift.formats) }
    return drift.warnings(of: file)
  }
}
