public import SQLiteSwiftly

extension DataHelper where Model: Encodable {
  /// The values that a model encodes by the names of the columns; nil for those that it does not encode.
  ///
  /// If the model cannot be encoded, for example because a property has no column, every use of the
  /// values throws that error.
  ///
  /// - Complexity: O(*n*) in the number of columns.
  public static func values(of model: Model) -> [(any SQLiteValueConvertible)?] {
    do throws(SQLiteError) {
      return try RecordEncoder(table).encode(model)
    } catch {
      return table.columns.map { _ in InvalidValue(error: error) }
    }
  }
}

/// The value of a model that cannot be encoded.
struct InvalidValue: SQLiteValueConvertible {
  let error: SQLiteError

  var sqliteValue: SQLiteValue { get throws(SQLiteError) { throw error } }
}
