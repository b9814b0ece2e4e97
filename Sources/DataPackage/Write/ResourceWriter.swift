import Platform
import Text
import SQLiteSwiftly
import Schema

struct ResourceWriter {
  let table: TableDescription
  let source: SourceDescription
  /// Whether the package already specifies that values are written in their stored form.
  let isExact: Bool
  /// The names of all tables of the package.
  let tables: Set<String>

  var json: JSON {
    JSON(
      members: [("name", JSON(table.name)), ("type", "table")] + place + [
        ("description", table.meaning.map { JSON($0) }),
        ("encoding", JSON(source.encoding ?? "utf-8")),
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
    return JSON(members: [
      ("header", dialect.headerRows.isEmpty ? JSON(false) : nil),
      (
        "headerRows",
        dialect.headerRows == usual.headerRows ? nil : JSON(dialect.headerRows).unlessEmpty
      ),
      ("headerJoin", dialect.headerJoin == usual.headerJoin ? nil : JSON(dialect.headerJoin)),
      ("commentRows", JSON(dialect.commentRows).unlessEmpty),
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
    let fields = zip(table.columns, source.formats).map { column, format in
      FieldWriter(
        column: column, values: format, isExact: isExact, commonMissingValues: common ?? [""]
      ).json
    }
    // `known` is an extension to the standard, with its own property.
    let match = source.fieldsMatch == .known ? .partial : source.fieldsMatch
    return JSON(members: [
      ("fields", JSON(fields)),
      ("fieldsMatch", match == .exact ? nil : JSON(match.rawValue)),
      ("missingValues", common.flatMap { $0 == [""] ? nil : JSON($0) }),
      ("primaryKey", JSON(table.primaryKey).unlessEmpty),
      ("uniqueKeys", JSON(table.uniqueKeys).unlessEmpty),
      ("foreignKeys", foreignKeys { tables.contains($0) }),
    ])
  }

  /// The foreign keys that refer to some tables; nil if there are none.
  private func foreignKeys(to isTarget: (String) -> Bool) -> JSON? {
    let keys = table.foreignKeys.filter { isTarget($0.table) }.map { key in
      let reference = JSON(members: [
        ("resource", haveSameBytes(key.table, table.name) ? nil : JSON(key.table)),
        ("fields", JSON(key.keyColumns)),
      ])
      return JSON(members: [("fields", JSON(key.columns)), ("reference", reference)])
    }
    return JSON(keys).unlessEmpty
  }

  /// The properties that the standard does not have.
  private var own: JSON? {
    let defaultIndexes = TableDescription.defaultIndexes(
      primaryKey: table.primaryKey, uniqueKeys: table.uniqueKeys,
      foreignKeys: table.foreignKeys.map(\.columns))
    let usual = TableDescription(
      table.name, columns: table.columns, primaryKey: table.primaryKey,
      isWithoutRowid: TableDescription.storage(of: table.columns, primaryKey: table.primaryKey))
    let hasUsualStorage = table.isWithoutRowid == usual.isWithoutRowid
    return JSON(members: [
      ("optional", source.isOptional ? JSON(true) : nil),
      ("matching", source.fieldsMatch == .known ? "known" : nil),
      ("since", table.since.map { JSON($0) }),
      ("indexes", table.indexes == defaultIndexes ? nil : JSON(table.indexes)),
      ("foreignKeys", foreignKeys { !tables.contains($0) }),
      ("rowid", hasUsualStorage ? nil : JSON(!table.isWithoutRowid)),
    ]).unlessEmpty
  }
}
