import Vocabulary
package import SQLiteSwiftly
import Schema
import Text

/// A column with values that its inferred type does not fit.
package struct MistypedColumn: Sendable {
  package let table: Int
  package let column: Int
  package let file: String
  /// The line of the first such record.
  package let line: Int
  /// Its value, as in messages.
  package let value: String
  package private(set) var records = 0
  /// The narrowest type that fits all of these values, as well as those that the inferred one fits.
  package private(set) var type = ColumnDescription.DataType.real

  init(_ fault: RecordFault, _ value: Span<UInt8>, table: Int, file: String, _ line: Int) {
    self.table = table
    self.column = fault.column
    self.file = file
    self.line = line
    self.value = value.quotedForMessage
    add(value, fault.code)
  }

  mutating func add(_ value: Span<UInt8>, _ code: RecordCode) {
    records += 1
    let number = NumberFormat(FieldFormat.NumberSpelling()).real(0..<value.count, of: value)
    // Only integers are numbers as well.
    if code != .notAnInteger || number.fault != nil || number.isRounded { type = .text }
  }
}
