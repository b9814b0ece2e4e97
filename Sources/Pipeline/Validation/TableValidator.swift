package import Facts
package import CSV
package import SQLiteSwiftly
package import Schema

/// Checks the records of one table and turns them into rows.
///
/// A record's fields are checked first, each with its foreign key, then foreign keys of several columns, then
/// its own keys against those of the records before it. The first fault rejects the record; its keys are then
/// free for another.
///
/// It is otherwise in a table that refers to itself and whose key is not all that it refers to: there the
/// first record with a key, sound but for these references, takes it, and keeps it if it lacks a parent.
package struct TableValidator: ~Copyable {
  struct Fault {
    let code: RecordCode
    /// The column that is to blame, or -1.
    var column = -1
  }

  package let tableIndex: Int
  let table: TableDescription
  /// The fields of the header, and so of every record.
  private(set) var fieldCount = 0
  private(set) var dialect = Dialect.standard

  private(set) var rules: [ColumnRule]
  let readers: [FieldReader?]
  let plans: [KeyPlan]
  let keyColumns: [KeyPlan.Column]
  var chunk: RecordChunk
  var groupedKeys: GroupedKeySet?
  /// The texts of columns in packed keys that refer to nothing.
  var keyTexts: [TextKeySet]
  /// What is done for references besides looking up columns one by one.
  let references: TableReferences
  /// Whether the record that is being rejected has taken its keys.
  var hasTakenKeys = false
  var composedKey: [UInt8] = []
  var drift: DriftDetector
  /// All that is wrong with the record that is being rejected.
  var found: [RecordFault] = []
  /// For each column, whether nothing is wrong with that record's value.
  var isSound: [Bool]

  /// Makes the validator of a table whose parents have all been read.
  ///
  /// It knows no fields until `begin` is called for the first file. One that `isSurvey` does not look up
  /// references to the table itself.
  package init(
    table index: Int, of schema: SchemaDescription, keys: inout KeyRegistry, isSurvey: Bool = false
  ) {
    let table = schema.tables[index]
    let formats = schema.sources[index].formats
    tableIndex = index
    self.table = table
    let takesKeysFirst = keys.tables[index].takesKeysFirst
    references = TableReferences(table: index, of: schema, keys: keys, isSurvey: isSurvey)
    var rules: [ColumnRule] = []
    for (place, column) in table.columns.enumerated() {
      let foreignKey = table.columnReference([column.name])
      let isOwn = foreignKey.map { haveSameBytes(table.foreignKeys[$0].table, table.name) } ?? false
      let isPassedOver = isOwn && (isSurvey || takesKeysFirst)
      let parents = foreignKey.map { keys.parents(ofForeignKey: $0, inTable: index) }
      rules.append(
        ColumnRule(
          column, of: table,
          mostBytes: keys.tables[index].isInKeys[place] ? formats[place].longestKey : .max,
          parents: isPassedOver ? 0..<0 : parents ?? 0..<0))
    }
    var plans: [KeyPlan] = []
    var keyColumns: [KeyPlan.Column] = []
    var keyTexts: [TextKeySet] = []
    for (key, set) in zip(table.keys, keys.tables[index].keys) {
      var columns = key.compactMap(table.columnIndex).map { column in
        KeyPlan.Column(
          index: column, isText: rules[column].kind == .text, isReal: rules[column].kind == .real,
          isNullable: rules[column].isNullable, bits: rules[column].tokenBits(keys))
      }
      let place = keyColumns.count..<keyColumns.count + columns.count
      let plan = KeyPlan(set: set, columns: place, &columns)
      keys.sets[set] = keys.newSet(isText: plan.isText)
      for column in columns.indices where plan.form == .mostlyPacked && columns[column].bits == 0 {
        columns[column].texts = keyTexts.count
        keyTexts.append(TextKeySet(seed: keys.seed, memory: keys.memory))
      }
      plans.append(plan)
      keyColumns += columns
    }
    readers = table.columns.indices.map { place in
      FieldReader(
        table.columns[place], formats[place], isNullable: rules[place].isNullable,
        mostBytes: rules[place].mostBytes)
    }
    self.rules = rules
    self.plans = plans
    self.keyColumns = keyColumns
    self.keyTexts = keyTexts
    if plans.count == 1, [.packed, .mostlyPacked].contains(plans[0].form), !takesKeysFirst {
      // No reference is looked up in a key of several columns, so no more than its being new matters.
      let bits = keyColumns.map(\.packedBits)
      groupedKeys = GroupedKeySet(
        groupBits: bits[0], memberBits: bits[1...].reduce(0, +), seed: keys.seed,
        memory: keys.memory)
    }
    chunk = RecordChunk(columns: table.columns.count)
    drift = DriftDetector(table, formats)
    isSound = [Bool](repeating: true, count: table.columns.count)
  }

  /// Begins with the records of a file, whose header this is; the keys so far stay.
  package mutating func begin(_ header: HeaderMatch) {
    fieldCount = header.names.count
    dialect = header.dialect
    for column in rules.indices { rules[column].field = header.fieldOfColumn[column] ?? -1 }
  }

  /// Checks the records of a batch from the one at `first` on: the sound ones become rows, whose
  /// texts stay where they are in the batch, and the others go to the log.
  ///
  /// `account` gets the sums of both.
  package mutating func check(
    _ batch: inout RecordBatch, from first: Int, into rows: inout RowBatch,
    keys: inout KeyRegistry, log: inout some RejectSink & ~Copyable, _ reasons: ReasonWriter,
    account: inout SourceCounts
  ) throws(IngestError) {
    for start in stride(from: first, to: batch.records.count, by: RecordChunk.capacity) {
      checkFields(&batch, from: start, into: &rows, keys)
      var kept = 0
      for index in 0..<chunk.count {
        let row = rows.rows + index
        let length = batch.records[start + index].length
        if let fault = chunk.faults[index]
          ?? keyFault(index, row, of: rows, batch.bytes.span, &keys)
        {
          let record = batch.records[start + index]
          findFaults(of: record, at: index, row: row, rejectedFor: fault, &batch, &rows, keys)
          // A key that did not fit is not a duplicate.
          try keys.memory.check(at: record.line, in: reasons.fileName)
          try log.add(record, found, table: tableIndex, in: batch, reasons)
          account.rejected.records += 1
          account.rejected.bytes += length
        } else {
          rows.moveRow(row, to: rows.rows + kept)
          account.loaded.records += 1
          account.loaded.bytes += length
          kept += 1
        }
      }
      if !references.collected.isEmpty { collect(kept, of: rows, batch.bytes.span, &keys) }
      rows.finishRows(kept)
      try keys.memory.check(at: batch.records[start].line, in: reasons.fileName)
    }
  }

  /// Notes the references among the records of a batch that are sound but for those references.
  package mutating func survey(
    _ batch: inout RecordBatch, from first: Int, in survey: inout SelfReferenceSurvey,
    scratch rows: inout RowBatch, keys: inout KeyRegistry, fileName: String
  ) throws(IngestError) {
    let takesKeysFirst = keys.tables[tableIndex].takesKeysFirst
    for start in stride(from: first, to: batch.records.count, by: RecordChunk.capacity) {
      checkFields(&batch, from: start, into: &rows, keys)
      for index in 0..<chunk.count where chunk.faults[index] == nil {
        let row = rows.rows + index
        if takesKeysFirst, keyFault(index, row, of: rows, batch.bytes.span, &keys) != nil {
          continue
        }
        note(row: row, of: rows, in: &survey, batch.bytes.span)
      }
      try keys.memory.check(at: batch.records[start].line, in: fileName)
    }
  }

  /// Checks the fields of a chunk of records and fills the next rows of `rows`, which are not
  /// finished.
  private mutating func checkFields(
    _ batch: inout RecordBatch, from start: Int, into rows: inout RowBatch,
    _ keys: borrowing KeyRegistry
  ) {
    let end = min(start + RecordChunk.capacity, batch.records.count)
    chunk.begin(batch.records.span.extracting(start..<end), fieldCount: fieldCount, rules)
    for column in rules.indices {
      if let reader = readers[column] {
        convert(column, by: reader, &batch, from: start, into: &rows)
      } else {
        convert(column, batch.bytes.span, batch.fields.span, into: &rows)
      }
      let bytes = batch.bytes.span
      if drift.watches(column), rules[column].field >= 0 {
        drift.look(
          at: column, field: rules[column].field, chunk, batch.records.span.extracting(start..<end),
          batch.fields.span, bytes)
      }
      if !rules[column].parents.isEmpty {
        if rules[column].kind == .text {
          findTextParents(of: column, bytes, in: rows, keys)
        } else {
          findIntegerParents(of: column, in: rows, keys)
        }
      }
    }
    if !references.lookups.isEmpty { findParents(in: rows, batch.bytes.span, keys) }
  }

  /// The values of the dump `file`, which has ended, that are sound but new or spelt differently.
  package mutating func takeDrift(in file: String) -> [Warning] {
    defer { drift.restart() }
    return drift.warnings(of: file)
  }
}
