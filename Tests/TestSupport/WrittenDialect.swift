package import CSV

/// A dialect as a description has it.
package struct WrittenDialect: CustomStringConvertible, Sendable {
  package var delimiter = ","
  package var terminator: String?
  package var quote: String? = "\""
  package var doublesQuotes = true
  package var escape: String?
  package var decodesControls = false
  package var comment: String?
  package var skipsInitialSpace = false

  package init(
    delimiter: String = ",", terminator: String? = nil, quote: String? = "\"",
    doublesQuotes: Bool = true, escape: String? = nil, decodesControls: Bool = false,
    comment: String? = nil, skipsInitialSpace: Bool = false
  ) {
    self.delimiter = delimiter
    self.terminator = terminator
    self.quote = quote
    self.doublesQuotes = doublesQuotes
    self.escape = escape
    self.decodesControls = decodesControls
    self.comment = comment
    self.skipsInitialSpace = skipsInitialSpace
  }

  /// As the parser has it.
  package func dialect() throws(DialectError) -> Dialect {
    try Dialect(
      delimiter: delimiter, terminator: terminator, quote: quote, doublesQuotes: doublesQuotes,
      escape: escape, decodesControls: decodesControls, comment: comment,
      skipsInitialSpace: skipsInitialSpace)
  }

  package var description: String {
    let marks = [
      ("delimiter", delimiter as String?), ("end", terminator), ("quote", quote),
      ("escape", escape), ("comment", comment),
    ].compactMap { name, text in text.map { "\(name) \($0.debugDescription)" } }
    return marks.joined(separator: ", ") + (doublesQuotes ? ", doubled" : "")
      + (skipsInitialSpace ? ", spaces passed" : "")
  }

  /// Dialects that have little in common, none of them the standard one.
  package static let samples = [
    WrittenDialect(delimiter: ";"), WrittenDialect(delimiter: "||", comment: "#"),
    WrittenDialect(delimiter: "→", quote: "«", escape: "\\"),
    WrittenDialect(terminator: ";"), WrittenDialect(terminator: "<>", comment: "##"),
    WrittenDialect(quote: nil, escape: "\\"), WrittenDialect(doublesQuotes: false),
    WrittenDialect(doublesQuotes: false, escape: "\\", skipsInitialSpace: true),
    WrittenDialect(delimiter: "\t", quote: "'", skipsInitialSpace: true),
    WrittenDialect(terminator: "\r", escape: "\\"), WrittenDialect(comment: "#"),
  ]
}
