import SQLiteSwiftly

/// What a dialect says (<https://datapackage.org/standard/table-dialect/>).
struct DialectReader {
  private(set) var dialect = DumpDescription.Dialect()
  /// A text that stands for NULL in every field.
  private(set) var nullSequence: String?
  private let properties: Properties

  /// Reads a dialect.
  init(_ properties: Properties) {
    self.properties = properties
    properties.checkNames(PropertyNames.dialect)
    readHeader()
    readCharacters()
    nullSequence = properties.text("nullSequence")
    dialect.skipsInitialSpace = properties.truth("skipInitialSpace") ?? false
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
    guard let nodes = properties.list(name) else { return nil }
    let rows = nodes.compactMap { node -> Int? in
      let row = node.json.integer.flatMap { Int(exactly: $0) } ?? 0
      if row < 1 { properties.findings.wrong(node, expected: "the number of a row, from 1") }
      return row < 1 ? nil : row
    }
    if let node = properties[name], Set(rows).count < rows.count {
      properties.findings.wrong(node, expected: "each row once")
    }
    return rows.sorted()
  }

  private mutating func readCharacters() {
    dialect.delimiter = text("delimiter") ?? dialect.delimiter
    if properties["quoteChar"]?.json.text == "" {
      dialect.quote = nil
    } else {
      dialect.quote = character("quoteChar") ?? dialect.quote
    }
    dialect.escape = character("escapeChar")
    dialect.doublesQuotes = properties.truth("doubleQuote") ?? true
    if let prefix = text("commentChar") { dialect.commentPrefix = prefix }
    if let end = text("lineTerminator"), end != "\r\n", end != "\n" {
      dialect.lineTerminator = end
    }
    let used = [dialect.delimiter, dialect.quote, dialect.escape].compactMap(\.self)
    if Set(used).count < used.count {
      properties.findings.fault(
        .propertyInvalid, at: properties.node,
        "delimiter, quoteChar and escapeChar have a character twice",
        expected: "a different character for each")
    }
  }

  private func text(_ name: String) -> String? {
    guard let text = properties.text(name), let node = properties[name] else { return nil }
    guard !text.isEmpty, !text.utf8.contains(0) else {
      properties.findings.wrong(node, expected: "one character or more")
      return nil
    }
    return text
  }

  private func character(_ name: String) -> String? {
    guard let text = text(name), let node = properties[name] else { return nil }
    guard text.unicodeScalars.count == 1 else {
      properties.findings.wrong(node, expected: "one character")
      return nil
    }
    return text
  }
}
