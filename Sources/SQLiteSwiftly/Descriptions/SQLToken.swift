/// A piece of SQL text, as SQLite itself parts it (<https://www.sqlite.org/draft/tokenreq.html>).
struct SQLToken {
  let kind: Kind
  /// The piece; names and strings without their quotes.
  let text: String

  enum Kind {
    /// A keyword, or a name without quotes.
    case word
    /// A name in quotes.
    case name
    /// A text in single quotes.
    case string
    /// A number or a blob.
    case literal
    /// An operator or a mark.
    case symbol
  }

  /// Parts `text`; comments and blanks are left out.
  static func tokens(of text: String) -> [SQLToken] {
    var scanner = SQLScanner(text)
    var tokens: [SQLToken] = []
    while let token = scanner.next() { tokens.append(token) }
    return tokens
  }

  /// Whether this is the keyword, in whatever case it is written.
  func isKeyword(_ keyword: String) -> Bool {
    kind == .word && foldedName(text) == foldedName(keyword)
  }

  /// Whether this is the operator or mark.
  func isSymbol(_ symbol: String) -> Bool { kind == .symbol && text == symbol }

  /// Whether an unquoted word has a meaning of its own within an expression, even if a column has that
  /// name (<https://www.sqlite.org/lang_expr.html>).
  static func isOperator(_ word: String) -> Bool {
    operators.contains(String(decoding: foldedName(word), as: UTF8.self))
  }

  private static let operators: Set = [
    "and", "as", "between", "case", "collate", "current_date", "current_time", "current_timestamp",
    "distinct", "else", "end", "escape", "exists", "false", "from", "glob", "in", "is", "isnull",
    "like", "match", "not", "notnull", "null", "or", "regexp", "then", "true", "when",
  ]
}

extension Sequence<SQLToken> {
  /// The tokens with every name and keyword spelled in one way only, so that expressions that differ in
  /// nothing else become equal.
  ///
  /// The columns are those that names can stand for.
  func normalized(columns: [String]) -> [SQLToken] {
    let names = Dictionary(
      columns.map { (foldedName($0), $0) }, uniquingKeysWith: { first, _ in first })
    return map { token in
      switch token.kind {
      case .word where SQLToken.isOperator(token.text):
        SQLToken(kind: .word, text: token.text.uppercased())
      case .word:
        names[foldedName(token.text)].map { SQLToken(kind: .name, text: $0) }
          ?? SQLToken(kind: .word, text: String(decoding: foldedName(token.text), as: UTF8.self))
      // SQLite may take a quoted name for a text if there is no such column, so that it keeps its
      // quotes.
      case .name:
        names[foldedName(token.text)].map { SQLToken(kind: .name, text: $0) }
          ?? SQLToken(kind: .literal, text: quoted(identifier: token.text))
      case .string, .literal, .symbol: token
      }
    }
  }

  /// The tokens as one text with blanks where one would write them.
  var joined: String {
    var text = ""
    var previous: SQLToken?
    var followsSign = false
    for token in self {
      // Two signs side by side would begin a comment.
      let isOperand = followsSign && (token.kind != .symbol || token.isSymbol("("))
      if let previous, !isOperand, !token.isTight(behind: previous) { text += " " }
      text += token.sql
      let isSign = ["-", "+", "~"].contains { token.isSymbol($0) }
      followsSign = isSign && (previous.map(\.expectsOperand) ?? true)
      previous = token
    }
    return text
  }
}

extension SQLToken {
  fileprivate var sql: String {
    switch kind {
    case .word, .literal, .symbol: text
    case .name: written(identifier: text)
    case .string: quoted(text: text)
    }
  }

  /// Whether what follows cannot be an operator of two operands.
  fileprivate var expectsOperand: Bool {
    switch kind {
    case .symbol: text != ")"
    case .word: Self.isOperator(text)
    case .name, .string, .literal: false
    }
  }

  fileprivate func isTight(behind previous: SQLToken) -> Bool {
    if previous.isSymbol("(") || previous.isSymbol(".") { return true }
    if isSymbol("(") { return previous.kind == .word && !Self.isOperator(previous.text) }
    return isSymbol(")") || isSymbol(",") || isSymbol(".")
  }
}
