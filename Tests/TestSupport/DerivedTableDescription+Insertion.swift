package import SQLiteSwiftly
package import Schema

extension DerivedTableDescription {
  /// The statement that fills the whole table.
  package var insertion: SQL {
    SQL(generated: "INSERT INTO \(quoted(identifier: table.name))\n\(query.text)")
  }
}
