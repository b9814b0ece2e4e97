import CSV
import Text
import SQLiteSwiftly
import Schema

/// Reads a dialect (<https://datapackage.org/standard/table-dialect/>).
struct DialectReader {
  private(set) var dialect = SourceDescription.Dialect()
  /// A text that means NULL in every field.
  private(set) var nullSequence: String?
  /// The maximum number of header and comment rows.
  private static let mostRows = 1000
  private static let lastRow = 1_000_000
  private let properties: Properties
  /// The object in which frictionless writes the properties for CSV: the characters.
  private let csv: Properties?

  /// Reads a dialect; `delimiter` is the default delimiter.
  init(_ properties: Properties, delimiter: String) {
    self.properties = properties
    csv = properties["csv"].flatMap { Properties($0, expected: "an object") }
    dialect.delimiter = delimiter
    properties.checkNames(PropertyNames.dialect)
    csv?.checkNames(PropertyNames.dialect)
    if let rows = rowNumbers("headerRows") { dialect.headerRows = rows }
    if properties.truth("header") == false { dialect.headerRows = [] }
    dialect.headerJoin = properties.text("headerJoin") ?? " "
    dialect.commentRows = rowNumbers("commentRows") ?? []
    readCharacters()
    nullSequence = holder(of: "nullSequence").text("nullSequence")
    dialect.skipsInitialSpace = holder(of: "skipInitialSpace").truth("skipInitialSpace") ?? false
    checkWhole()
    // They locate rows in files of other formats.
    for name in ["property", "itemType", "itemKeys", "sheetNumber", "sheetName", "table"] {
      properties[name]?.unsupported(
        "\(name) does not apply to CSV files", expected: "a CSV file, without \(name)")
    }
  }

  private func rowNumbers(_ name: String) -> [Int]? {
    guard let nodes = properties.list(name, most: Self.mostRows) else { return nil }
    let rows = nodes.compactMap { node -> Int? in
      let row = node.json.integer.flatMap { Int(exactly: $0) } ?? 0
      let isRow = 1...Self.lastRow ~= row
      if !isRow { node.wrong(expected: "a row number from 1 to 1,000,000") }
      return isRow ? row : nil
    }
    if Set(rows).count < rows.count { properties[name]?.wrong(expected: "each row once") }
    return rows.sorted()
  }

  private mutating func readCharacters() {
    dialect.delimiter = text("delimiter") ?? dialect.delimiter
    if holder(of: "quoteChar")["quoteChar"]?.json.text == "" {
      dialect.quote = nil
    } else {
      dialect.quote = character("quoteChar") ?? dialect.quote
    }
    dialect.escape = character("escapeChar")
    dialect.doublesQuotes = holder(of: "doubleQuote").truth("doubleQuote") ?? true
    if let prefix = text("commentChar") { dialect.commentPrefix = prefix }
    if let end = text("lineTerminator"), end != "\r\n", end != "\n" { dialect.lineTerminator = end }
  }

  /// Adds a fault if text in the dialect would be ambiguous.
  private func checkWhole() {
    do throws(DialectError) {
      _ = try Dialect(
        delimiter: dialect.delimiter, terminator: dialect.lineTerminator, quote: dialect.quote,
        doublesQuotes: dialect.doublesQuotes, escape: dialect.escape,
        comment: dialect.commentPrefix, skipsInitialSpace: dialect.skipsInitialSpace)
    } catch {
      properties.node.fault(
        .propertyInvalid, error.message,
        expected: "different characters, none a line end, of at most 8 bytes each")
    }
  }

  private func holder(of name: String) -> Properties {
    csv.flatMap { $0[name] == nil ? nil : $0 } ?? properties
  }

  private func text(_ name: String) -> String? {
    let holder = holder(of: name)
    guard let text = holder.text(name) else { return nil }
    guard !text.isEmpty, !text.utf8.contains(0) else {
      holder[name]?.wrong(expected: "at least one character")
      return nil
    }
    return text
  }

  private func character(_ name: String) -> String? {
    guard let text = text(name) else { return nil }
    guard text.unicodeScalars.count == 1 else {
      holder(of: name)[name]?.wrong(expected: "one character")
      return nil
    }
    return text
  }
}
