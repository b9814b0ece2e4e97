/// What the text of a `CREATE TABLE` or `CREATE INDEX` says and no pragma tells.
///
/// SQLite keeps that text, and edits it when a table is altered
/// (<https://www.sqlite.org/schematab.html>).
struct TableText {
  /// What the definition of a column says, or what the constraints of the table say.
  struct Definition {
    /// The conditions of the checks.
    var checks: [String] = []
    /// What no description can say, such as `COLLATE NOCASE`.
    var clauses: [String] = []
  }

  /// The definitions of the columns, by their names.
  private(set) var columns: [[UInt8]: Definition] = [:]
  /// The constraints of the table.
  private(set) var constraints = Definition()

  /// Reads the text of a `CREATE TABLE`, whose columns are `columnNames`.
  init(_ text: String, columnNames: [String]) {
    let (definitions, _) = SQLToken.tokens(of: text).parenthesized
    for definition in definitions {
      guard let first = definition.first else { continue }
      if Self.constraintWords.contains(where: first.isKeyword) {
        constraints.read(definition, columnNames)
      } else {
        columns[Array(first.text.utf8), default: Definition()].read(
          Array(definition.dropFirst()), columnNames)
      }
    }
  }

  /// The words that a constraint of a table can begin with, and the definition of a column cannot.
  private static let constraintWords = ["CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN"]
}

extension TableText.Definition {
  /// Reads what stands in a definition, where that is not within parentheses.
  fileprivate mutating func read(_ tokens: [SQLToken], _ columnNames: [String]) {
    func isKeyword(_ place: Int, _ word: String) -> Bool {
      tokens.indices.contains(place) && tokens[place].isKeyword(word)
    }
    func text(_ place: Int) -> String {
      tokens.indices.contains(place) ? tokens[place].text.uppercased() : ""
    }
    var place = 0
    while place < tokens.count {
      let group = tokens.group(at: place + 1)
      if isKeyword(place, "CHECK"), let group {
        checks.append(tokens[group].normalized(columns: columnNames).joined)
      } else if isKeyword(place, "AS"), let group {
        let isStored = isKeyword(group.upperBound + 1, "STORED")
        let expression = tokens[group].normalized(columns: columnNames).joined
        clauses.append("AS (\(expression))" + (isStored ? " STORED" : ""))
      } else if isKeyword(place, "COLLATE"), text(place + 1) != "BINARY" {
        clauses.append("COLLATE " + text(place + 1))
      } else if isKeyword(place, "ON"), isKeyword(place + 1, "CONFLICT"),
        text(place + 2) != "ABORT"
      {
        clauses.append("ON CONFLICT " + text(place + 2))
      } else if isKeyword(place, "AUTOINCREMENT") {
        clauses.append("AUTOINCREMENT")
      } else if isKeyword(place, "INITIALLY"), isKeyword(place + 1, "DEFERRED"),
        !isKeyword(place - 2, "NOT")
      {
        clauses.append("INITIALLY DEFERRED")
      }
      place = tokens.group(at: place)?.upperBound ?? place
      place += 1
    }
  }
}

/// The terms and the condition of a `CREATE INDEX`.
struct IndexText {
  /// What is indexed, without the direction.
  let terms: [String]
  /// The condition of a partial index.
  let condition: String?

  /// Reads the text of a `CREATE INDEX` on a table whose columns are `columnNames`.
  init(_ text: String, columnNames: [String]) {
    let (terms, rest) = SQLToken.tokens(of: text).parenthesized
    self.terms = terms.map { term in
      let hasDirection = term.last.map { $0.isKeyword("ASC") || $0.isKeyword("DESC") } ?? false
      return term.dropLast(hasDirection ? 1 : 0).normalized(columns: columnNames).joined
    }
    let condition = rest.dropFirst().normalized(columns: columnNames).joined
    self.condition = condition.isEmpty ? nil : condition
  }
}

extension Array<SQLToken> {
  /// What stands within the first parentheses, parted at the commas, and what follows them.
  fileprivate var parenthesized: (parts: [[SQLToken]], rest: ArraySlice<SQLToken>) {
    guard let start = firstIndex(where: { $0.isSymbol("(") }), let group = group(at: start) else {
      return ([], [])
    }
    var parts: [[SQLToken]] = [[]]
    var depth = 0
    for token in self[group] {
      if token.isSymbol("(") { depth += 1 }
      if token.isSymbol(")") { depth -= 1 }
      if depth == 0, token.isSymbol(",") {
        parts.append([])
      } else {
        parts[parts.count - 1].append(token)
      }
    }
    return (parts, self[(group.upperBound + 1)...])
  }

  /// The place of what stands within the parentheses that open at `start`; nil if none open there, or
  /// none close.
  fileprivate func group(at start: Int) -> Range<Int>? {
    guard indices.contains(start), self[start].isSymbol("(") else { return nil }
    var depth = 0
    for place in start..<count {
      if self[place].isSymbol("(") { depth += 1 }
      if self[place].isSymbol(")") { depth -= 1 }
      if depth == 0 { return start + 1..<place }
    }
    return nil
  }
}
