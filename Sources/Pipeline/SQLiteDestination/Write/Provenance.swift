package import Facts
package import SQLiteSwiftly
package import Schema

/// The tables of a catalog that say where it came from.
///
/// All in them comes from the dumps, the options, the catalog that is replaced and the tool itself, nothing
/// from the machine or its clock: where these are the same, so are the bytes.
package enum Provenance {
  /// What their names begin with, and no other table's.
  package static let prefix = provenancePrefix

  package static let catalog = TableDescription(
    "ingest_catalog",
    columns: [
      ColumnDescription(
        "tool_version", .text, meaning: "The version of ingest that wrote the file."),
      ColumnDescription(
        "schema_version", .integer, meaning: "The version of the tables, as in PRAGMA user_version."
      ),
      ColumnDescription(
        "change_counter", .integer,
        meaning: """
          The change counter in the header of the file (bytes 24 to 27) when it was published; if it is \
          another one, somebody has written to the file since.
          """),
    ],
    primaryKey: [], meaning: "What made the catalog: one row.")

  package static let sources = TableDescription(
    "ingest_sources",
    columns: [
      ColumnDescription("table_name", .text, meaning: "The table that the file's records are in."),
      ColumnDescription("file_name", .text, meaning: "The file's name, without its folder."),
      ColumnDescription(
        "is_repaired", .boolean, meaning: "1 for a file of records that somebody repaired."),
      ColumnDescription(
        "size", .integer,
        meaning: "The bytes of the file as it is stored; in a ZIP archive, of its compressed data."),
      ColumnDescription(
        "crc32", .text, domain: .hexadecimalDigits(8),
        meaning: "The checksum of the decompressed bytes."),
      ColumnDescription(
        "gzip_members", .integer, isNullable: true,
        meaning: "How many parts the gzip file has; NULL if it is none."),
      ColumnDescription(
        "gzip_time_stamp", .integer, isNullable: true,
        meaning: """
          When it was compressed, in seconds since 1970, as datetime(gzip_time_stamp, 'unixepoch') reads \
          them; NULL if it does not say so.
          """),
      ColumnDescription(
        "gzip_original_name", .text, isNullable: true,
        meaning: "The name before it was compressed; NULL if it does not say so."),
      ColumnDescription(
        "zip_name", .text, isNullable: true,
        meaning: "The name in the ZIP archive, with its folders; NULL if it was in none."),
      ColumnDescription(
        "zip_local_time", .integer, isNullable: true,
        meaning: """
          When it was last changed, as the ZIP archive says: by a clock whose time zone is not known, in \
          seconds that datetime(zip_local_time, 'unixepoch') reads; NULL if it does not say so.
          """),
      ColumnDescription(
        "header", .text, meaning: "The names of the file's columns, as a line of CSV."),
      ColumnDescription("bytes", .integer, meaning: "The decompressed bytes."),
      ColumnDescription("records", .integer, meaning: "How many records it has."),
      ColumnDescription("inserted", .integer, meaning: "How many of them are in the table."),
      ColumnDescription("rejected", .integer, meaning: "How many of them were rejected."),
      ColumnDescription(
        "replaced", .integer, meaning: "In place of how many of them repaired ones were loaded."),
      ColumnDescription(
        "left_out", .integer,
        meaning: "How many of them a standing repair left out or replaced, or was not needed for."),
    ],
    primaryKey: ["table_name", "is_repaired", "file_name"],
    meaning: "What the catalog was made from: a row for each file that was read.")

  package static let options = TableDescription(
    "ingest_options",
    columns: [
      ColumnDescription(
        "position", .integer, domain: .atLeast(1), meaning: "Its place among them, from 1."),
      ColumnDescription("option", .text, meaning: "The option, such as --sql."),
      ColumnDescription(
        "value", .text, isNullable: true,
        meaning: """
          What was given with it, if that is no file; for --schema what the description says, as a Data \
          Package; NULL for all others.
          """),
      ColumnDescription(
        "file_name", .text, isNullable: true,
        meaning: "The name of the file that was given by it, without its folder; NULL if none was."),
      ColumnDescription(
        "size", .integer, isNullable: true, meaning: "The bytes of the file; NULL if there is none."
      ),
      ColumnDescription(
        "crc32", .text, isNullable: true, domain: .hexadecimalDigits(8),
        meaning: "The checksum of those bytes; NULL if there is none."),
    ],
    primaryKey: ["position"],
    meaning: "What the catalog was made with: a row for each option that it depends on.")

  package static let repairs = TableDescription(
    "ingest_repairs",
    columns: [
      ColumnDescription("table_name", .text, meaning: "The table whose records it repairs."),
      ColumnDescription(
        "kind", .text, domain: .oneOf(RepairKind.allCases.map(\.rawValue)),
        meaning: "Whether it leaves records out, replaces them by key, or adds them."),
      ColumnDescription("file_name", .text, meaning: "The file's name, without its folder."),
      ColumnDescription("size", .integer, meaning: "The bytes of the file."),
      ColumnDescription(
        "crc32", .text, domain: .hexadecimalDigits(8), meaning: "The checksum of the bytes."),
      ColumnDescription("records", .integer, meaning: "How many records it has."),
      ColumnDescription("applied", .integer, meaning: "How many of them were applied."),
      ColumnDescription(
        "needless", .integer,
        meaning: "How many of them the dump has made needless: it is as they would make it."),
      ColumnDescription(
        "inapplicable", .integer,
        meaning:
          "How many of them do not apply: the dump has other records, or none with their keys."),
    ],
    primaryKey: ["table_name", "kind"],
    meaning: "What was repaired in the dumps: a row for each file of standing repairs.")

  package static let objects = TableDescription(
    "ingest_objects",
    columns: [
      ColumnDescription(
        "type", .text, domain: .oneOf(["table", "index", "view", "trigger"]), meaning: "What it is."
      ),
      ColumnDescription("name", .text, meaning: "Its name."),
      ColumnDescription(
        "source_file", .text, meaning: "The file of SQL that made it, without its folder."),
    ],
    primaryKey: ["type", "name"],
    meaning: "What an operator's own SQL made: a row for each table, index, view and trigger.")

  /// All that do not depend on the catalog that is replaced.
  private static let tablesOfSources = [
    catalog, sources, options, repairs, objects, describedTables, describedColumns,
  ]

  /// All of them, as a file has them.
  package static let tables = tablesOfSources + verdictTables

  /// The tables, each with its rows, as far as they are known when the tables of the dumps are there.
  ///
  /// `given` is empty if the options that the catalog depends on are written later. A file also keeps
  /// what the run came to.
  package static func contents(
    _ accounts: [TableCounts], of schema: SchemaDescription, _ given: [CatalogOption] = [],
    isFile: Bool = false
  ) -> [(table: TableDescription, rows: [[SQLiteValue]])] {
    let read = accounts.flatMap { account in
      account.sources.map { row(of: $0, for: account.table) }
    }
    let repaired = accounts.flatMap { account in
      account.repairs.map { row(of: $0, for: account.table) }
    }
    let own = isFile ? tables : tablesOfSources
    let words = words(for: schema.describedTables + own.map(DescribedTable.init))
    let later = isFile ? verdictTables.map { (table: $0, rows: [[SQLiteValue]]()) } : []
    return [
      // The counter is known when all else is there.
      (catalog, [[.text(toolVersion), integer(Int(schema.version)), integer(0)]]),
      (sources, read), (options, rows(of: given)), (repairs, repaired), (objects, []),
      (describedTables, words.tables), (describedColumns, words.columns),
    ] + later
  }

  package static func write(
    _ accounts: [TableCounts], of schema: SchemaDescription, on connection: Connection
  ) throws(SQLiteError) {
    for (table, rows) in contents(accounts, of: schema, isFile: true) {
      try connection.createTable(describedBy: table)
      try insert(rows, into: table, on: connection)
    }
  }

  package static func insert(
    _ rows: [[SQLiteValue]], into table: TableDescription, on connection: Connection
  ) throws(SQLiteError) {
    var insert = try connection.prepareInsertIntoTable(describedBy: table)
    for row in rows { try insert.insert(row) }
  }

  package static func explain(
    _ tables: [DescribedTable], on connection: Connection
  ) throws(SQLiteError) {
    let words = words(for: tables)
    try insert(words.tables, into: describedTables, on: connection)
    try insert(words.columns, into: describedColumns, on: connection)
  }

  /// Says what a catalog was made with, and what its change counter will be.
  package static func write(
    _ given: [CatalogOption], changeCounter: Int, on connection: Connection
  ) throws(SQLiteError) {
    try insert(rows(of: given), into: options, on: connection)
    try connection.execute("UPDATE ingest_catalog SET change_counter = \(changeCounter)")
  }

  package static func write(_ accounts: [SQLFileResult], on connection: Connection)
    throws(SQLiteError)
  {
    let rows = accounts.flatMap { account in
      account.objects.map {
        [SQLiteValue.text($0.type), .text($0.name), .text(account.name)]
      }
    }
    try insert(rows, into: objects, on: connection)
  }

  /// What an operator's own SQL made of a catalog, each with the name of its file; empty if the catalog
  /// does not say.
  package static func objects(
    in connection: Connection
  ) throws(SQLiteError) -> [(object: SchemaObject, file: String)] {
    // Whoever may write to a catalog can have put anything there.
    let columns = try connection.value(
      of: """
        SELECT count(*) FROM main.sqlite_schema AS stored
          JOIN pragma_table_info(stored.name, 'main') AS columns
        WHERE stored.type = 'table' AND stored.name = \(objects.name)
          AND columns.name IN ('type', 'name', 'source_file')
        """)
    guard columns == .integer(3) else { return [] }
    return try connection.query("SELECT type, name, source_file FROM main.ingest_objects").map {
      (
        SchemaObject(type: $0[0].textValue ?? "", name: $0[1].textValue ?? ""),
        $0[2].textValue ?? ""
      )
    }
  }

  /// The columns of all tables as the ingest that made a catalog recorded them in it; nil if it does not say.
  package static func recordedColumns(
    in connection: Connection
  ) throws(SQLiteError) -> [(table: String, column: String)]? {
    guard try has(describedColumns, in: connection) else { return nil }
    return try connection.query(
      "SELECT table_name, column_name FROM main.ingest_columns"
    ).map { ($0[0].textValue ?? "", $0[1].textValue ?? "") }
  }

  /// Whether a catalog has all tables and columns that this version of ingest would write.
  package static func isComplete(in connection: Connection) throws(SQLiteError) -> Bool {
    for table in tables where try !has(table, in: connection) { return false }
    return true
  }

  package static func has(
    _ table: TableDescription, in connection: Connection
  ) throws(SQLiteError) -> Bool {
    let columns = try connection.schema(ofTable: table.name)?.columns.map(\.name) ?? []
    return table.columns.allSatisfy { columns.hasName($0.name) }
  }

  // Rows have the values of all columns, in their order.

  private static func row(of source: SourceCounts, for table: String) -> [SQLiteValue] {
    var header = TextBuffer()
    for (index, name) in source.header.enumerated() {
      if index > 0 { header.append(UInt8(ascii: ",")) }
      header.append(field: name)
    }
    return [
      .text(table), .text(source.name), integer(source.isRepaired ? 1 : 0), integer(source.size),
      .text(source.crc32.hexadecimal), optional(source.gzip?.members),
      optional(source.gzip?.timeStamp.map { Int($0) }), optional(source.gzip?.originalName),
      optional(source.zip?.name), optional(source.zip?.localTime), .text(header.string),
      integer(source.bytes), integer(source.records), integer(source.loaded.records),
      integer(source.rejected.records), integer(source.replaced.records),
      integer(source.leftOut.records),
    ]
  }

  private static func rows(of given: [CatalogOption]) -> [[SQLiteValue]] {
    given.enumerated().map { place, option in
      [
        integer(place + 1), .text(option.option), optional(option.value),
        optional(option.file?.name), optional(option.file?.size), optional(option.file?.crc32),
      ]
    }
  }

  private static func row(of account: RepairCounts, for table: String) -> [SQLiteValue] {
    [
      .text(table), .text(account.kind.rawValue), .text(account.file), integer(account.size),
      .text(account.crc32.hexadecimal), integer(account.records), integer(account.applied),
      integer(account.needless), integer(account.inapplicable),
    ]
  }

  static func integer(_ number: Int) -> SQLiteValue { .integer(Int64(number)) }

  static func optional(_ number: Int?) -> SQLiteValue { number.map(integer) ?? .null }

  static func optional(_ text: String?) -> SQLiteValue { text.map { .text($0) } ?? .null }
}
