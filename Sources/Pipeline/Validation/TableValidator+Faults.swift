package import Vocabulary
package import CSV
import Fields
import Schema
import SourceFiles
import SQLiteSwiftly

package struct RecordFault: Equatable {
  package let code: RecordCode
  /// The column with the fault, or -1.
  package var column = -1
  /// The offset of a fault of form in the decompressed file.
  package var offset = -1
  /// The index of a duplicate key among those of the table, or -1 for all columns together.
  package var key = -1
  /// The index of the foreign key of a missing parent, or -1 for the first one of the column alone.
  package var reference = -1
}

package protocol RejectSink: ~Copyable {
  /// Adds a record with all its faults; it is counted under the first.
  mutating func add(
    _ record: Record, _ faults: [RecordFault], table: Int, in batch: borrowing RecordBatch,
    _ reasons: ReasonWriter
  ) throws(IngestError)
}

extension TableValidator {
  /// Finds all faults of a rejected record in the order of the columns.
  ///
  /// Checking a record alone is slower than checking a chunk. Its keys are looked up, but not inserted, and the cells
  /// of its prospective `row` are overwritten.
  mutating func findFaults(
    of record: Record, at index: Int, row: Int, _ batch: inout RecordBatch,
    _ rows: inout RowBatch, _ keys: borrowing KeyRegistry
  ) {
    faults.removeAll(keepingCapacity: true)
    for column in isSound.indices { isSound[column] = true }
    findFaultsOfForm(in: record, batch)
    guard record.hasFields, record.fieldCount == fieldCount else { return }
    for column in readers.indices { check(column, of: record, at: index, &batch, &rows, keys) }
    addOrphans(references.lookups, row, of: rows, batch, keys)
    if exchange(&isRepeated, with: false) {
      faults.append(RecordFault(code: .duplicateKey))
    } else if !exchange(&hasInsertedKeys, with: false) {
      addDuplicates(at: index, row, of: rows, batch.bytes.span, keys)
    }
    addOrphans(references.lateLookups, row, of: rows, batch, keys)
  }

  private mutating func addDuplicates(
    at index: Int, _ row: Int, of rows: borrowing RowBatch, _ bytes: Span<UInt8>,
    _ keys: borrowing KeyRegistry
  ) {
    for (place, plan) in plans.enumerated() {
      let columns = keyColumns[plan.columns]
      guard columns.allSatisfy({ isSound[$0.index] }),
        !isFree(plan, index, row, of: rows, bytes, keys)
      else { continue }
      faults.append(
        RecordFault(
          code: .duplicateKey, column: columns[plan.columns.lowerBound].index, key: place))
    }
  }

  private mutating func addOrphans(
    _ lookups: [TableReferences.Lookup], _ row: Int, of rows: borrowing RowBatch,
    _ batch: borrowing RecordBatch, _ keys: borrowing KeyRegistry
  ) {
    for lookup in lookups {
      let columns = lookup.key.columns
      guard columns.allSatisfy({ isSound[$0.index] }),
        !hasParent(lookup, row, of: rows, batch.bytes.span, keys)
      else { continue }
      faults.append(
        RecordFault(
          code: .missingParent, column: columns[0].index, reference: lookup.foreignKey))
    }
  }

  private mutating func findFaultsOfForm(in record: Record, _ batch: borrowing RecordBatch) {
    func add(_ fault: Record.Faults, field: Int, offset: Int) {
      let column = fieldOfColumn.firstIndex(of: field) ?? -1
      faults.append(RecordFault(code: RecordCode(fault), column: column, offset: offset))
    }
    if !record.faults.isEmpty {
      add(record.firstFault, field: record.faultField, offset: record.faultOffset)
    }
    guard !record.faults.contains(.tooLong) else { return }
    let bytes = batch.bytes.span.extracting(record.bytes)
    let others = record.faults.subtracting(record.firstFault)
    for fault in Self.faultsOfForm where others.contains(fault) {
      guard let place = fault.firstPlace(in: bytes, dialect: dialect) else { continue }
      add(fault, field: place.field, offset: record.offset + place.byte)
    }
    faults.sort { $0.offset < $1.offset }
    if record.hasFields, record.fieldCount != fieldCount {
      faults.append(RecordFault(code: .wrongFieldCount))
    }
  }

  private static var faultsOfForm: [Record.Faults] {
    [.strayQuote, .textAfterQuote, .bareCarriageReturn, .nulByte, .invalidUTF8, .ambiguousEscape]
  }

  private mutating func check(
    _ column: Int, of record: Record, at index: Int, _ batch: inout RecordBatch,
    _ rows: inout RowBatch, _ keys: borrowing KeyRegistry
  ) {
    guard fieldOfColumn[column] >= 0 else { return }
    chunk.newText.begin(at: batch.end)
    let value = readers[column].read(
      batch.fields[record.firstField + fieldOfColumn[column]], of: batch.bytes.span,
      newText: &chunk.newText)
    batch.append(chunk.newText.bytes)
    var cells = rows.nextCells(ofColumn: column)
    cells.set(index, to: value.bits, value.storageClass)
    if let code = value.fault { addFault(code, in: column) }
    var token: UInt64? = UInt64(bitPattern: value.bits)
    // An unreadable value has no parent to look up; a value outside its domain has, unless it is a text longer than any
    // key.
    let isValue = value.storageClass != RowBatch.StorageClass.null && value.fault != .keyTooLong
    if !parents[column].isEmpty, isValue {
      let isText = value.storageClass == RowBatch.StorageClass.text
      let (start, count) = isText ? RowBatch.textPlace(value.bits) : (0, 0)
      let bytes = batch.bytes.span
      token =
        isText
        ? keys.token(
          of: TextKeySet.Key(start..<start + count, of: bytes, keys.seed), in: bytes,
          parents[column])
        : keys.token(of: UInt64(bitPattern: value.bits), parents[column])
    }
    chunk.tokens[column * RecordChunk.capacity + index] = token ?? 0
    if token == nil { addFault(.missingParent, in: column) }
  }

  private mutating func addFault(_ code: RecordCode, in column: Int) {
    faults.append(RecordFault(code: code, column: column))
    isSound[column] = false
  }
}

extension Record {
  /// Whether its fields can be separated in spite of its faults.
  var hasFields: Bool { faults.isSubset(of: [.nulByte, .invalidUTF8, .ambiguousEscape]) }
}
