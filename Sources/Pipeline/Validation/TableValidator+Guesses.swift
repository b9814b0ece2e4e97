import CSV
import Fields
import Schema
import SourceFiles
package import SQLiteSwiftly
import Text
package import Vocabulary

/// A guess of the description that records contradict; without it they would be sound.
package struct BrokenGuess: Sendable {
  package enum Rule: Hashable, Sendable {
    /// The type of a column.
    case type(column: Int)
    /// The primary key.
    case key
    /// A foreign key.
    case reference(Int)
  }

  package let table: Int
  package let rule: Rule
  /// The fault of the first such record; nil if all values fit their type, but the text of one would be lost.
  package let fault: RecordCode?
  package let file: String
  /// The line of the first such record.
  package let line: Int
  /// Its value, or its key, as in messages.
  package let value: String
  package fileprivate(set) var records = 0
  /// For a type, the narrowest one that fits all of these values, as well as those that the inferred one fits.
  package fileprivate(set) var type = ColumnDescription.DataType.text
}

/// The rules of a table that are guesses.
struct GuessedRules {
  private let table: TableDescription
  /// Whether a run may widen the type of each column.
  let types: [Bool]
  /// The columns of the primary key; empty if it is no guess.
  let key: [Int]
  /// Whether each foreign key is a guess.
  let references: [Bool]
  /// Whether only equal records are certain to be duplicates.
  let comparesRecords: Bool

  init(ofTable index: Int, in schema: SchemaDescription) {
    let (table, source) = (schema.tables[index], schema.sources[index])
    types = table.columns.indices.map { schema.mayWiden(column: $0, ofTable: index) }
    key = source.keyGuess == nil ? [] : table.primaryKey.compactMap(table.columnIndex)
    references = table.foreignKeys.map { key in
      source.guessedReferences.contains { haveSameBytes($0, key.columns) }
    }
    comparesRecords = ![nil, .holds].contains(source.keyGuess)
    self.table = table
  }

  /// The guesses without which there would not be a fault.
  func broken(by fault: RecordFault) -> [BrokenGuess.Rule] {
    let column = fault.column
    switch fault.code {
    case _ where fault.code.concernsType:
      return column >= 0 && types[column] ? [.type(column: column)] : []
    case .duplicateKey: return fault.key == 0 && !key.isEmpty ? [.key] : []
    case .missingValue:
      return key.contains(column) && table.columns[column].isNullable ? [.key] : []
    case .missingParent:
      let place =
        fault.reference >= 0
        ? fault.reference : table.columnReference([table.columns[column].name])
      return place.map { references[$0] ? [.reference($0)] : [] } ?? []
    case .keyTooLong:
      let foreignKeys = table.foreignKeys.indices.filter {
        references[$0]
          && table.foreignKeys[$0].columns.hasName(table.columns[column].name)
      }
      return (key.contains(column) ? [.key] : []) + foreignKeys.map { .reference($0) }
    default: return []
    }
  }
}

extension TableValidator {
  /// Notes the guesses that a record breaks, unless it is not valid CSV: of keys and references only if it would not be
  /// rejected without them.
  mutating func noteBrokenGuesses(
    in record: Record, _ batch: borrowing RecordBatch, _ reasons: ReasonWriter
  ) {
    guard !faults.contains(where: \.code.concernsForm) else { return }
    let rules = faults.map(guesses.broken)
    let isSound = !rules.contains(where: \.isEmpty)
    for (fault, rules) in zip(faults, rules) {
      for rule in rules where isSound || rule == .type(column: fault.column) {
        let columns = rule == .key ? guesses.key : [fault.column]
        let values = columns.map { column in
          reasons.value(of: RecordFault(code: fault.code, column: column), record, batch)?
            .quotedForMessage ?? "no value"
        }
        let value = values.joined(separator: ", ")
        let isText = rule == .type(column: fault.column) && !isPlainNumber(fault, record, batch)
        note(rule, fault.code, isText: isText, value, reasons.fileName, record.line)
      }
    }
  }

  private mutating func note(
    _ rule: BrokenGuess.Rule, _ fault: RecordCode, isText: Bool, _ value: String, _ file: String,
    _ line: Int
  ) {
    let known = broken.firstIndex { $0.rule == rule }
    let index = known ?? broken.count
    if known == nil {
      broken.append(
        BrokenGuess(
          table: tableIndex, rule: rule, fault: fault, file: file, line: line, value: value))
      broken[index].type = .real
    }
    broken[index].records += 1
    if isText { broken[index].type = .text }
  }

  /// Whether a value does not fit a column of integers, but one of numbers beside them.
  private func isPlainNumber(
    _ fault: RecordFault, _ record: Record, _ batch: borrowing RecordBatch
  ) -> Bool {
    var texts = NumberTexts(FieldFormat.NumberSpelling())
    texts.add(1)
    texts.add(batch.place(fieldOfColumn[fault.column], of: record), of: batch.bytes.span)
    return fault.code == .notAnInteger && texts.areKept
  }

  /// Whether an earlier record equals this one, in a table in which only that is certain to be a duplicate.
  mutating func repeatsEarlier(_ record: Record, in batch: borrowing RecordBatch) -> Bool {
    guard guesses.comparesRecords else { return false }
    var hash = seed.hash(of: UInt64(record.fieldCount))
    for field in 0..<record.fieldCount {
      let text = seed.hash(batch.place(field, of: record), of: batch.bytes.span)
      hash = (hash ^ text).foldedProduct(seed.third)
    }
    isRepeated = !earlierRecords.insert(hash)
    return isRepeated
  }

  /// Adds the values of a column to its texts, which are loaded as text if any does not follow from its value.
  mutating func addTexts(
    ofColumn column: Int, in batch: borrowing RecordBatch, from start: Int,
    _ rows: borrowing RowBatch, _ file: String
  ) {
    guard var texts = exchange(&texts[column], with: nil) else { return }
    for index in 0..<chunk.count where !chunk.isFaulty[index] {
      let cell = (rows.rows + index) * rows.columns + column
      guard rows.classes[cell] != RowBatch.StorageClass.null else { continue }
      let record = batch.records[start + index]
      let place = batch.place(fieldOfColumn[column], of: record)
      texts.add(place, of: batch.bytes.span)
      guard texts.areKept else {
        let rule = BrokenGuess.Rule.type(column: column)
        let value = batch.bytes.span.extracting(place).quotedForMessage
        broken.removeAll { $0.rule == rule }
        broken.append(
          BrokenGuess(
            table: tableIndex, rule: rule, fault: nil, file: file, line: record.line, value: value))
        return
      }
    }
    self.texts[column] = texts
  }
}
