import Platform
import Schema
import SQLiteSwiftly
import Text

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
    case .named:
      // A path cannot have this form if the name is as `a:b`.
      let usual = table.name + ".csv.gz"
      let isPath = danger(ofPath: usual) == nil && isPathBeneath(usual)
      return [("path", isPath ? JSON(usual) : nil)]
    case .files(let paths):
      // A name may imply tabs.
      let hasOtherDelimiter =
        paths[0].lowercased().contains(".tsv") && source.dialect.delimiter != "\t"
      return [
        ("path", paths.count == 1 ? JSON(paths[0]) : JSON(paths)),
        ("format", hasOtherDelimiter ? "csv" : nil),
        ("compression", source.compression.map { JSON($0.rawValue) }),
      ]
    case .inline(let bytes):
      return [("format", "csv"), ("data", JSON(String(decoding: bytes, as: UTF8.self)))]
    }
  }

  private var dialect: JSON? {
    let dialect = source.dialect
    let usual = SourceDescription.Dialect()
    guard dialect != usual else { return nil }
    let hasUsualHeader = dialect.headerRows == usual.headerRows
    return JSON(members: [
      ("header", dialect.headerRows.isEmpty ? JSON(false) : nil),
      ("headerRows", hasUsualHeader ? nil : JSON(dialect.headerRows).unlessEmpty),
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
      let isGuess = source.guessedReferences.contains { haveSameBytes($0, key.columns) }
      return JSON(members: [
        ("fields", JSON(key.columns)), ("reference", reference),
        ("ingest", isGuess ? JSON(members: [("inferred", JSON(true))]) : nil),
      ])
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
      ("controlEscapes", source.dialect.decodesControls ? JSON(true) : nil),
      ("inferredKey", source.keyGuess == nil || table.primaryKey.isEmpty ? nil : JSON(true)),
      ("since", table.since.map { JSON($0) }),
      ("indexes", table.indexes == defaultIndexes ? nil : JSON(table.indexes)),
      ("foreignKeys", foreignKeys { !tables.contains($0) }),
      ("rowid", hasUsualStorage ? nil : JSON(!table.isWithoutRowid)),
    ]).unlessEmpty
  }
}

struct FieldWriter {
  let column: ColumnDescription
  /// How its values are written.
  let values: FieldFormat
  let isExact: Bool
  let commonMissingValues: [String]

  private var parts: [ColumnDescription.Domain] { column.domain?.parts ?? [] }

  var json: JSON {
    let missingValues = values.missingValues
    return JSON(
      members: [
        ("name", JSON(column.name)),
        ("type", JSON(type.rawValue)),
        ("format", format.map { JSON($0) }),
        ("description", column.meaning.map { JSON($0) }),
        ("example", example),
      ] + spelling + [
        ("missingValues", missingValues == commonMissingValues ? nil : JSON(missingValues)),
        ("constraints", constraints),
        ("ingest", own),
      ])
  }

  private var type: FieldType {
    switch column.type {
    case .integer: return .integer
    case .real: return .number
    case .boolean: return .boolean
    case .text, .blob: break
    }
    for case .time(let form) in parts {
      return FieldType.allCases.first { $0.timeForm == form } ?? .string
    }
    for case .json(let form) in parts {
      switch values.spelling {
      case .list: return .list
      case .coordinates: return .geopoint
      default: return form == .array ? .array : .object
      }
    }
    return .string
  }

  private var format: String? {
    switch values.spelling {
    case .time(let pattern): return pattern
    case .anyTime: return "any"
    default: break
    }
    for case .form(let form) in parts {
      return FieldType.textForms.first { $0.value == form }?.key
    }
    return nil
  }

  private var example: JSON? {
    switch column.example {
    case .text(let text): JSON(text)
    case .integer(let number): column.type == .boolean ? JSON(number != 0) : JSON(number)
    case .real(let number): JSON(number)
    default: nil
    }
  }

  private var spelling: [(String, JSON?)] {
    switch values.spelling {
    case .integer(let numbers), .number(let numbers):
      let point = numbers.decimalSeparator
      return [
        ("decimalChar", point == "." ? nil : JSON(point)),
        ("groupChar", numbers.groupSeparator.map { JSON($0) }),
        ("bareNumber", numbers.isBare ? nil : JSON(false)),
      ]
    case .boolean(let yes, let no):
      if yes == FieldType.trueValues, no == FieldType.falseValues { return [] }
      return [("trueValues", JSON(yes)), ("falseValues", JSON(no))]
    case .list(let delimiter, let items):
      let type = FieldType.listItems.first { $0.value == items }?.key
      return [
        ("delimiter", delimiter == "," ? nil : JSON(delimiter)),
        ("itemType", type.map { JSON($0.rawValue) }),
      ]
    case .exact, .time, .anyTime, .coordinates: return []
    }
  }

  /// The properties that the standard does not have.
  private var own: JSON? {
    let isExactAlone =
      !isExact && values.spelling == .exact
      && (column.type == .integer || column.type == .boolean)
    return JSON(members: [
      ("exact", isExactAlone ? JSON(true) : nil),
      ("singleLine", parts.contains(.singleLine) ? JSON(true) : nil),
      ("knownValues", JSON(column.knownValues).unlessEmpty),
      ("since", column.since.map { JSON($0) }),
      ("counter", values.isCounter ? JSON(true) : nil),
      ("longestKey", values.longestKey == 1024 ? nil : JSON(values.longestKey)),
    ]).unlessEmpty
  }

  private var constraints: JSON? {
    let required = ("required", column.isNullable ? nil : JSON(true))
    return JSON(members: [required] + parts.flatMap(constraints)).unlessEmpty
  }

  private func constraints(of domain: ColumnDescription.Domain) -> [(String, JSON?)] {
    switch domain {
    case .atLeast(let minimum): [("minimum", JSON(minimum))]
    case .atMost(let maximum): [("maximum", JSON(maximum))]
    case .within(let range):
      [("minimum", JSON(range.lowerBound)), ("maximum", JSON(range.upperBound))]
    case .oneOfIntegers(let values): [("enum", JSON(values))]
    case .oneOfReals(let values): [("enum", JSON(values.map { JSON($0) }))]
    case .oneOf(let texts): [("enum", JSON(texts))]
    case .between(let low, let high): bounds(low, high) { JSON($0) }
    case .sorted(let low, let high): bounds(low, high) { JSON($0) }
    case .hexadecimalDigits(let count): [("pattern", JSON("[0-9A-Fa-f]{\(count)}"))]
    case .matching(let pattern): [("pattern", JSON(pattern))]
    case .length(let range):
      [
        ("minLength", range.lowerBound == 0 ? nil : JSON(range.lowerBound)),
        ("maxLength", range.upperBound == .max ? nil : JSON(range.upperBound)),
      ]
    case .singleLine, .time, .json, .form, .all: []
    }
  }

  private func bounds<Value>(
    _ low: ColumnDescription.Bound<Value>?, _ high: ColumnDescription.Bound<Value>?,
    _ json: (Value) -> JSON
  ) -> [(String, JSON?)] {
    [(low, "minimum", "exclusiveMinimum"), (high, "maximum", "exclusiveMaximum")].map {
      ($0?.isExclusive == true ? $2 : $1, $0.map { json($0.value) })
    }
  }
}
