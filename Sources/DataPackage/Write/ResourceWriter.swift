import Files
import JSON
import SQLiteSwiftly
import Schema

struct ResourceWriter {
  private let table: TableDescription
  private let source: SourceDescription
  /// Whether the package already specifies that values are written in their stored form.
  private let isExact: Bool
  private let tables: Set<String>

  init(
    _ table: TableDescription, _ source: SourceDescription, isExact: Bool, tables: Set<String>
  ) {
    self.table = table
    self.source = source
    self.isExact = isExact
    self.tables = tables
  }

  var json: JSON {
    JSON(
      members: [("name", JSON(table.name)), ("type", "table")] + place + [
        ("description", table.meaning.map { JSON($0) }),
        ("encoding", "utf-8"),
        ("dialect", dialect),
        ("schema", schema),
        ("ingest", own),
      ])
  }

  private var place: [(String, JSON?)] {
    switch source.place {
    case .named: [("path", usualPath.map { JSON($0) })]
    case .files(let paths):
      [
        ("path", paths.count == 1 ? JSON(paths[0]) : JSON(paths)),
        ("compression", source.compression.map { JSON($0.rawValue) }),
      ]
    case .inline(let bytes):
      [("format", "csv"), ("data", JSON(String(decoding: bytes, as: UTF8.self)))]
    }
  }

  /// The usual name of its source file; nil if a path cannot have this form, as `a:b.csv.gz`.
  private var usualPath: String? {
    let path = table.name + ".csv.gz"
    return danger(ofPath: path) == nil && isPathBeneath(path) ? path : nil
  }

  private var dialect: JSON? {
    let dialect = source.dialect
    let usual = SourceDescription.Dialect()
    guard dialect != usual else { return nil }
    let hasRows = dialect.headerRows != usual.headerRows && !dialect.headerRows.isEmpty
    return JSON(members: [
      ("header", dialect.headerRows.isEmpty ? JSON(false) : nil),
      ("headerRows", hasRows ? JSON(dialect.headerRows.map { JSON($0) }) : nil),
      ("headerJoin", dialect.headerJoin == usual.headerJoin ? nil : JSON(dialect.headerJoin)),
      (
        "commentRows",
        dialect.commentRows.isEmpty ? nil : JSON(dialect.commentRows.map { JSON($0) })
      ),
      ("commentChar", dialect.commentPrefix.map { JSON($0) }),
      ("delimiter", dialect.delimiter == usual.delimiter ? nil : JSON(dialect.delimiter)),
      ("lineTerminator", dialect.lineTerminator.map { JSON($0) }),
      ("quoteChar", dialect.quote == usual.quote ? nil : JSON(dialect.quote ?? "")),
      ("doubleQuote", dialect.doublesQuotes ? nil : JSON(false)),
      ("escapeChar", dialect.escape.map { JSON($0) }),
      ("skipInitialSpace", dialect.skipsInitialSpace ? JSON(true) : nil),
    ])
  }

  private var schema: JSON {
    let missingValues = Set(source.formats.map(\.missingValues))
    let common = missingValues.count == 1 ? source.formats.first?.missingValues : nil
    let keys = table.foreignKeys.filter { tables.contains($0.table) }
    // `known` is an extension to the standard, with its own property.
    let match = source.fieldsMatch == .known ? .partial : source.fieldsMatch
    return JSON(members: [
      (
        "fields",
        JSON(
          zip(table.columns, source.formats).map { column, format in
            FieldWriter(column, format, isExact: isExact, commonMissingValues: common ?? [""]).json
          })
      ),
      ("fieldsMatch", match == .exact ? nil : JSON(match.rawValue)),
      ("missingValues", common.flatMap { $0 == [""] ? nil : JSON($0) }),
      ("primaryKey", table.primaryKey.isEmpty ? nil : JSON(table.primaryKey)),
      (
        "uniqueKeys", table.uniqueKeys.isEmpty ? nil : JSON(table.uniqueKeys.map { JSON($0) })
      ),
      ("foreignKeys", keys.isEmpty ? nil : JSON(keys.map(json))),
    ])
  }

  private func json(of key: ForeignKeyDescription) -> JSON {
    JSON(members: [
      ("fields", JSON(key.columns)),
      (
        "reference",
        JSON(members: [
          ("resource", haveSameBytes(key.table, table.name) ? nil : JSON(key.table)),
          ("fields", JSON(key.keyColumns)),
        ])
      ),
    ])
  }

  /// The properties that the standard does not have.
  private var own: JSON? {
    let defaultIndexes = TableDescription.defaultIndexes(
      primaryKey: table.primaryKey, uniqueKeys: table.uniqueKeys,
      foreignKeys: table.foreignKeys.map(\.columns))
    let usual = TableDescription(
      table.name, columns: table.columns, primaryKey: table.primaryKey,
      isWithoutRowid: TableDescription.storage(of: table.columns, primaryKey: table.primaryKey))
    let keys = table.foreignKeys.filter { !tables.contains($0.table) }
    return JSON(members: [
      ("optional", source.isOptional ? JSON(true) : nil),
      ("matching", source.fieldsMatch == .known ? "known" : nil),
      ("since", table.since.map { JSON($0) }),
      ("indexes", table.indexes == defaultIndexes ? nil : JSON(table.indexes.map { JSON($0) })),
      ("foreignKeys", keys.isEmpty ? nil : JSON(keys.map(json))),
      (
        "rowid",
        table.isWithoutRowid == usual.isWithoutRowid ? nil : JSON(!table.isWithoutRowid)
      ),
    ]).unlessEmpty
  }
}
