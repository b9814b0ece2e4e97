import Vocabulary
import SQLiteSwiftly
import Schema
import Validation
import Text

extension SchemaDescription {
  /// Widens the types of columns to fit all values, and returns the warnings about them.
  mutating func widen(_ mistyped: [MistypedColumn]) -> [Warning] {
    let widened = mistyped.map { widen(column: $0.column, ofTable: $0.table, to: $0.type) }
    return zip(mistyped, widened).map { warning(about: $0, $1) }
  }

  private func warning(
    about mistyped: MistypedColumn, _ widened: [(table: Int, column: Int)]
  ) -> Warning {
    let table = tables[mistyped.table]
    let column = table.columns[mistyped.column]
    let others = widened.dropFirst().map {
      ", \(tables[$0.table].name).\(tables[$0.table].columns[$0.column].name)"
    }
    let type = column.type == .real ? "number" : "string"
    return Warning(
      file: mistyped.file, code: .typeWidened, table: table.name, column: column.name,
      "\(column.name) is loaded as a \(type), since its inferred type does not fit "
        + "\(mistyped.records.of("record")), first in line \(mistyped.line.grouped), "
        + "\(mistyped.value); to keep this, set the type of \(table.name).\(column.name)"
        + others.joined() + " to \(type) in the description",
      facts: type)
  }
}
