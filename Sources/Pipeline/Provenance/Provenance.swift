package import Vocabulary
package import SQLiteSwiftly
package import Schema
import Text

/// The tables of a database that record its origin.
///
/// Their contents depend on the source files, the options, the previous database and the tool, and not on the machine or
/// its clock: equal inputs produce equal bytes.
package enum Provenance {
  package static let catalog = TableDescription(
    "ingest_catalog",
    columns: [
      .own("tool_version", .text, "The version of ingest that wrote the file."),
      .own("schema_version", .integer, "The version of the schema, as in PRAGMA user_version."),
      .own(
        "change_counter", .integer,
        """
        The change counter in the header of the file (bytes 24 to 27) when it was published; if it differs \
        now, another program has written to the file.
        """),
    ],
    primaryKey: ["tool_version"], isWithoutRowid: true,
    meaning: "The program that made the database: one row.")

  package static let sources = TableDescription(
    "ingest_sources",
    columns: [
      .own("table_name", .text, "The table with the records of the file."),
      .own("file_name", .text, "The name of the file, without its folder."),
      .own("is_repaired", .boolean, "1 for a file of repairs."),
      .own(
        "size", .integer,
        "The size of the stored file in bytes; in a ZIP archive, of its compressed data."),
      .own(
        "crc32", .text, domain: .hexadecimalDigits(8),
        "The CRC-32 checksum of the decompressed bytes."),
      .optional(
        "gzip_members", .integer, "The number of members of the gzip file; NULL if it is not one."),
      .optional(
        "gzip_time_stamp", .integer,
        """
        The time of compression, in seconds since 1970, for datetime(gzip_time_stamp, 'unixepoch'); NULL if \
        the file does not record it.
        """),
      .optional(
        "gzip_original_name", .text,
        "The name before compression; NULL if the file does not record it."),
      .optional(
        "zip_name", .text,
        "The name in the ZIP archive, with its folders; NULL if it was not in one."),
      .optional(
        "zip_local_time", .integer,
        """
        The time of the last change recorded in the ZIP archive, in an unknown time zone, in seconds for \
        datetime(zip_local_time, 'unixepoch'); NULL if the archive does not record it.
        """),
      .own("header", .text, "The column names of the file, as a line of CSV."),
      .own("bytes", .integer, "The number of decompressed bytes, in UTF-8."),
      .own("records", .integer, "The number of records in the file."),
      .own("inserted", .integer, "The number of its records in the table."),
      .own("rejected", .integer, "The number of its records that were rejected."),
      .own("replaced", .integer, "Always 0; earlier versions could replace records by fixed ones."),
      .own(
        "left_out", .integer,
        "The number of its records skipped or replaced by a repair, or because they repeat the header; "
          + "of repairs, those not loaded."),
    ],
    primaryKey: ["table_name", "is_repaired", "file_name"],
    meaning: "The files that the database was made from: a row for each file read.")

  package static let options = TableDescription(
    "ingest_options",
    columns: [
      .own("position", .integer, domain: .atLeast(1), "The position of the option, from 1."),
      .own("option", .text, "The option, such as --sql."),
      .optional(
        "value", .text,
        """
        The value of the option, if it is not a file; for --schema, the description as a Data Package; NULL \
        for all others.
        """),
      .optional(
        "file_name", .text,
        "The name of the file named by the option, without its folder; NULL if there is none."),
      .optional("size", .integer, "The size of the file in bytes; NULL if there is none."),
      .optional(
        "crc32", .text, domain: .hexadecimalDigits(8),
        "The CRC-32 checksum of the file; NULL if there is none."),
    ],
    primaryKey: ["position"],
    meaning: "The options that the database depends on: a row for each option.")

  package static let repairs = TableDescription(
    "ingest_repairs",
    columns: [
      .own("table_name", .text, "The table whose records are fixed."),
      .own(
        "kind", .text, domain: .oneOf(RepairKind.allCases.map(\.rawValue)),
        "Whether the file omits records, replaces them by key, or adds them."),
      .own("file_name", .text, "The name of the file, without its folder."),
      .own("size", .integer, "The size of the file in bytes."),
      .own("crc32", .text, domain: .hexadecimalDigits(8), "The CRC-32 checksum of the file."),
      .own("records", .integer, "The number of records in the file."),
      .own("applied", .integer, "The number of its records that were applied."),
      .own(
        "needless", .integer,
        "The number of its records not needed, since the source file already has their effect."),
      .own(
        "inapplicable", .integer,
        "The number of its records that do not apply: the source file lacks the record or its key."),
    ],
    primaryKey: ["table_name", "kind"],
    meaning: "The repairs applied to the source files: a row for each file of repairs.")

  package static let objects = TableDescription(
    "ingest_objects",
    columns: [
      .own(
        "type", .text, domain: .oneOf(["table", "index", "view", "trigger"]), "The kind of object."),
      .own("name", .text, "The name of the object."),
      .own("source_file", .text, "The name of the SQL file that made it, without its folder."),
    ],
    primaryKey: ["type", "name"],
    meaning: "The objects made by custom SQL: a row for each table, index, view and trigger.")

  package static let describedTables = TableDescription(
    "ingest_tables",
    columns: [
      .own("table_name", .text, "The name of the table or view."),
      .own("kind", .text, domain: .oneOf(["table", "view"]), "Whether it is a table or a view."),
      .optional("meaning", .text, "The meaning of a row; NULL if none is described."),
      .optional(
        "since", .text, "The year or month of the first source files that had it; NULL if unknown."),
    ],
    primaryKey: ["table_name"], meaning: "The meanings of the tables and views in the file.")

  package static let describedColumns = TableDescription(
    "ingest_columns",
    columns: [
      .own("table_name", .text, "The name of the table or view."),
      .own("column_name", .text, "The name of the column."),
      .own("position", .integer, domain: .atLeast(1), "The position among the columns, from 1."),
      .own("type", .text, "The type; a boolean is an integer, 0 or 1."),
      .own("is_nullable", .boolean, "1 if it can be NULL."),
      .optional("domain", .text, "The values allowed; NULL if every value of the type is allowed."),
      .optional("meaning", .text, "The meaning of the column; NULL if none is described."),
      .optional(
        "since", .text,
        """
        The year or month of the first source files that had it; NULL if unknown, or if it is as old as \
        the table.
        """),
      .optional("example", .text, "An example value, as text; NULL if there is none."),
    ],
    primaryKey: ["table_name", "column_name"],
    meaning: "The meanings of the columns of all tables and views in the file.")

  /// The tables that do not depend on the previous database.
  private static let tablesOfSources = [
    catalog, sources, options, repairs, objects, describedTables, describedColumns,
  ]

  /// All tables, as in a file.
  package static let tables = tablesOfSources + verdictTables + historyTables

  /// The tables with the rows that are known once the source files are loaded.
  ///
  /// `usedOptions` is empty if the options are written later.
  package static func contents(
    _ counts: [TableCounts], of schema: SchemaDescription, _ usedOptions: [StoredOption] = []
  ) -> [(table: TableDescription, rows: [[SQLiteValue]])] {
    let read = counts.flatMap { table in table.sources.map { row(of: $0, for: table.table) } }
    let repaired = counts.flatMap { table in table.repairs.map { row(of: $0, for: table.table) } }
    let words = words(for: schema.describedTables + tables.map(DescribedTable.init))
    let later = (verdictTables + historyTables).map { (table: $0, rows: [[SQLiteValue]]()) }
    return [
      // The counter is known once everything else is written.
      (catalog, [[.text(toolVersion), integer(Int(schema.version)), integer(0)]]),
      (sources, read), (options, rows(of: usedOptions)), (repairs, repaired), (objects, []),
      (describedTables, words.tables), (describedColumns, words.columns),
    ] + later
  }

  package static func write(
    _ counts: [TableCounts], of schema: SchemaDescription, on connection: Connection
  ) throws(SQLiteError) {
    for (table, rows) in contents(counts, of: schema) {
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

  package static func rows(of results: [SQLFileResult]) -> [[SQLiteValue]] {
    results.flatMap { file in
      file.objects.map { [SQLiteValue.text($0.type), .text($0.name), .text(file.name)] }
    }
  }

  /// The objects made by custom SQL, each with the name of its file; empty if the database records none.
  package static func objects(
    in connection: Connection
  ) throws(SQLiteError) -> [(object: SchemaObject, file: String)] {
    guard try has(objects, in: connection) else { return [] }
    return try rows("SELECT type, name, source_file FROM main.ingest_objects", in: connection).map {
      (
        SchemaObject(type: $0[0].textValue ?? "", name: $0[1].textValue ?? ""),
        $0[2].textValue ?? ""
      )
    }
  }

  /// The columns of all tables as recorded when the database was made; nil if they are not recorded.
  package static func recordedColumns(
    in connection: Connection
  ) throws(SQLiteError) -> [(table: String, column: String)]? {
    guard try has(describedColumns, in: connection) else { return nil }
    return try rows(
      "SELECT table_name, column_name FROM main.ingest_columns", in: connection
    ).map { ($0[0].textValue ?? "", $0[1].textValue ?? "") }
  }

  // A row has the values of all columns, in order.

  private static func row(of source: SourceCounts, for table: String) -> [SQLiteValue] {
    var header = TextBuffer()
    header.append(fields: source.header)
    return [
      .text(table), .text(source.name), integer(source.isRepairs ? 1 : 0), integer(source.size),
      .text(source.crc32.hexadecimal), optional(source.gzip?.members),
      optional(source.gzip?.timeStamp.map { Int($0) }), optional(source.gzip?.originalName),
      optional(source.zip?.name), optional(source.zip?.localTime), .text(header.string),
      integer(source.bytes), integer(source.records), integer(source.loaded.records),
      integer(source.rejected.records), .integer(0),
      integer(source.leftOut.records),
    ]
  }

  package static func rows(of usedOptions: [StoredOption]) -> [[SQLiteValue]] {
    usedOptions.enumerated().map { place, option in
      [
        integer(place + 1), .text(option.option), optional(option.value),
        optional(option.file?.name), optional(option.file?.size), optional(option.file?.crc32),
      ]
    }
  }

  private static func row(of repair: RepairCounts, for table: String) -> [SQLiteValue] {
    [
      .text(table), .text(repair.kind.rawValue), .text(repair.file), integer(repair.size),
      .text(repair.crc32.hexadecimal), integer(repair.records), integer(repair.applied),
      integer(repair.needless), integer(repair.inapplicable),
    ]
  }

  /// The rows of the two tables with the meanings of tables, views and columns.
  package static func words(
    for described: [DescribedTable]
  ) -> (tables: [[SQLiteValue]], columns: [[SQLiteValue]]) {
    let tables: [[SQLiteValue]] = described.map { table in
      [
        .text(table.name), .text(table.table == nil ? "view" : "table"), optional(table.meaning),
        optional(table.since),
      ]
    }
    let columns: [[SQLiteValue]] = described.flatMap { table in
      table.columns.enumerated().map { place, column in
        [
          .text(table.name), .text(column.name), integer(place + 1),
          .text(column.type.name), integer(table.mayBeNull(column) ? 1 : 0),
          optional(column.domainText), optional(column.meaning), optional(column.since),
          optional(column.example?.plainText),
        ]
      }
    }
    return (tables, columns)
  }

  package static func integer(_ number: Int) -> SQLiteValue { .integer(Int64(number)) }

  package static func optional(_ number: Int?) -> SQLiteValue { number.map(integer) ?? .null }

  package static func optional(_ text: String?) -> SQLiteValue { text.map { .text($0) } ?? .null }
}

extension ColumnDescription {
  package static func own(
    _ name: String, _ type: DataType, domain: Domain? = nil, _ meaning: String
  ) -> ColumnDescription {
    ColumnDescription(name, type, domain: domain, meaning: meaning)
  }

  /// A column that can be NULL.
  package static func optional(
    _ name: String, _ type: DataType, domain: Domain? = nil, _ meaning: String
  ) -> ColumnDescription {
    ColumnDescription(name, type, isNullable: true, domain: domain, meaning: meaning)
  }
}

/// The reserved prefix of the tables with the provenance of a database.
package let provenancePrefix = "ingest_"

extension SchemaDescription {
  package func checkReservedNames() throws(IngestError) {
    let names = (tables + allDerivedTables).map(\.name) + views.map(\.name)
    // SQLite ignores case in names.
    for name in names where name.hasNamePrefix(provenancePrefix) {
      throw IngestError(
        .fault,
        "The schema has a table or view \(name); names that begin with \(provenancePrefix) are reserved for "
          + "the provenance of the database. Nothing was published.")
    }
  }
}
