import CSV
import JSON
import SQLiteSwiftly
import Schema

/// What a dialect says (<https://datapackage.org/standard/table-dialect/>).
struct DialectReader {
  private(set) var dialect = SourceDescription.Dialect()
  /// A text that stands for NULL in every field.
  private(set) var nullSequence: String?
  /// More rows before the records are a mistake.
  private static let mostRows = 1000
  private static let lastRow = 1_000_000
  private let properties: Properties
  /// What frictionless writes into an object of its own, since it is for CSV alone: the characters.
  private let csv: Properties?

  /// Reads a dialect with fields separated by `delimiter` unless it says otherwise.
  init(_ properties: Properties, delimiter: String) {
    self.properties = properties
    csv = properties["csv"].flatMap {
      Properties($0, properties.findings, expected: "an object")
    }
    dialect.delimiter = delimiter
    properties.checkNames(PropertyNames.dialect)
    csv?.checkNames(PropertyNames.dialect)
    readHeader()
    readCharacters()
    nullSequence = holder(of: "nullSequence").text("nullSequence")
    dialect.skipsInitialSpace = holder(of: "skipInitialSpace").truth("skipInitialSpace") ?? false
    checkWhole()
    // They say where the rows are in files of other formats.
    for name in ["property", "itemType", "itemKeys", "sheetNumber", "sheetName", "table"] {
      guard let node = properties[name] else { continue }
      properties.findings.unsupported(
        at: node, "\(name) is for files that are not CSV", expected: "a CSV file, without \(name)")
    }
  }

  private mutating func readHeader() {
    if let rows = rowNumbers("headerRows") { dialect.headerRows = rows }
    if properties.truth("header") == false { dialect.headerRows = [] }
    dialect.headerJoin = properties.text("headerJoin") ?? " "
    dialect.commentRows = rowNumbers("commentRows") ?? []
  }

  private func rowNumbers(_ name: String) -> [Int]? {
    guard let nodes = properties.list(name, most: Self.mostRows) else { return nil }
    let rows = nodes.compactMap { node -> Int? in
      let row = node.json.integer.flatMap { Int(exactly: $0) } ?? 0
      let isRow = 1...Self.lastRow ~= row
      if !isRow {
        properties.findings.wrong(node, expected: "the number of a row, from 1 to 1,000,000")
      }
      return isRow ? row : nil
    }
    if Set(rows).count < rows.count { properties.wrong(name, expected: "each row once") }
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
    if let end = text("lineTerminator"), end != "\r\n", end != "\n" {
      dialect.lineTerminator = end
    }
  }

  /// Notes what keeps a text in the dialect from being read in one way only.
  private func checkWhole() {
    do throws(DialectError) {
      _ = try Dialect(
        delimiter: dialect.delimiter, terminator: dialect.lineTerminator, quote: dialect.quote,
        doublesQuotes: dialect.doublesQuotes, escape: dialect.escape,
        comment: dialect.commentPrefix, skipsInitialSpace: dialect.skipsInitialSpace)
    } catch {
      properties.findings.fault(
        .propertyInvalid, at: properties.node, error.message,
        expected: "characters that can be told apart, without line ends, of at most 8 bytes each")
    }
  }

  /// The object in which a property is.
  private func holder(of name: String) -> Properties {
    csv.flatMap { $0[name] == nil ? nil : $0 } ?? properties
  }

  private func text(_ name: String) -> String? {
    let holder = holder(of: name)
    guard let text = holder.text(name) else { return nil }
    guard !text.isEmpty, !text.utf8.contains(0) else {
      holder.wrong(name, expected: "one character or more")
      return nil
    }
    return text
  }

  private func character(_ name: String) -> String? {
    guard let text = text(name) else { return nil }
    guard text.unicodeScalars.count == 1 else {
      holder(of: name).wrong(name, expected: "one character")
      return nil
    }
    return text
  }
}
