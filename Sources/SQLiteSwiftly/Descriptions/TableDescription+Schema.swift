extension TableDescription {
  /// The table as a database has it once it is created.
  ///
  /// The table of a description with faults cannot be created; of such a one this is what can be said.
  public var schema: TableSchema {
    TableSchema(
      name: name, columns: columns.indices.map(columnSchema),
      primaryKey: primaryKey.map(written(identifier:)),
      uniqueKeys: uniqueKeys.map { $0.map(written(identifier:)) },
      foreignKeys: foreignKeys.map { key in
        ForeignKeySchema(
          columns: key.columns, table: key.table, keyColumns: key.keyColumns,
          onDelete: "NO ACTION", onUpdate: "NO ACTION")
      },
      indexes: indexes.map { columns in
        IndexSchema(
          name: indexName(columns), terms: columns.map(written(identifier:)), isUnique: false,
          condition: nil)
      },
      checks: [], clauses: [], isStrict: isStrict, isWithoutRowid: isWithoutRowid)
  }

  private func columnSchema(_ index: Int) -> ColumnSchema {
    let column = columns[index]
    let isInKey = primaryKey.contains { haveSameBytes($0, column.name) }
    // Such keys hold no NULL, whether or not that is said.
    let isNeverNull = isInKey && (isStrict || isWithoutRowid || index == rowidColumn)
    return ColumnSchema(
      name: column.name, type: column.type.sql, isNullable: column.isNullable && !isNeverNull,
      defaultValue: column.defaultValue.flatMap { normalizedDefault($0.literal) },
      check: column.checkExpression.map {
        SQLToken.tokens(of: $0).normalized(columns: columns.map(\.name)).joined
      },
      clauses: [])
  }
}

/// The SQL of a default in the form in which it is compared; nil for NULL, which every column has.
func normalizedDefault(_ text: String) -> String? {
  let normalized = SQLToken.tokens(of: text).normalized(columns: []).joined
  return normalized == "NULL" ? nil : normalized
}
