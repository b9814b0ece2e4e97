import Text

/// What was guessed of the dialect of a file, and may be wrong.
package enum DialectRemark: Equatable, Sendable {
  /// With a delimiter that each record has as often.
  case singleField(String?)
  /// Empty for no quote.
  case quote(String)
  case escape(String)
  case noHeader(skipped: Int)
  case header(rows: [Int])
  case comments
  case enclosed(Int, firstLine: Int)
  case otherTable(fields: Int, firstLine: Int)
  case recordsInFields(Int, firstLine: Int)
  case fields(Int, names: Int)
  /// Names that differ from those in the header, and the fields, from 1, that have them.
  case names([String], fields: [Int])
  /// Records that repeat the header, in these words.
  case repeatedHeader(String)

  /// It as a clause.
  var words: String {
    switch self {
    case .singleField(let divider):
      "each record is a single field"
        + (divider.map { ", although each has \($0.quotedForMessage) as often as the others" } ?? "")
        + "; if that is wrong, set --delimiter"
    case .quote(""): "quotes are part of the texts; if they enclose fields, set --quote"
    case .quote(let quote): "fields are enclosed in \(quote); otherwise set --quote"
    case .escape(let escape): "\(escape) escapes the next character; otherwise set --escape"
    case .noHeader(let skipped):
      "the first record has values like the others, so there is no header"
        + (skipped > 0 ? " below the \(skipped.of("row")) skipped" : "")
        + "; otherwise set --header-rows"
    case .header(let rows):
      "the header is in row \(rows.map(\.grouped).joined(separator: ", ")), and rows before it are "
        + "skipped; otherwise set --header-rows"
    case .comments: "lines that begin with # are comments; otherwise set --comment"
    case .enclosed(let count, let line):
      "\(count.of("field")) \(count == 1 ? "begins and ends" : "begin and end") with a quote, the first on line "
        + "\(line.grouped), and will be loaded with it"
    case .otherTable(let fields, let line):
      "the records from line \(line.grouped) have \(fields.of("field")) and may be another table, which is not "
        + "described; if so, split the file"
    case .recordsInFields(let count, let line):
      "\(count.of("line")) in fields \(count == 1 ? "looks" : "look") like records, the first in the record on "
        + "line \(line.grouped): a closing quote may be missing"
    case .fields(let count, let names):
      "records have \(count.of("field")), but the header has \(names.of("name"))"
    case .names(let names, let fields):
      "fields are matched by order, since names were changed: "
        + zip(fields, names).map { "field \($0) is \($1.quotedForMessage)" }.joined(separator: ", ")
    case .repeatedHeader(let words): "\(words), and will be skipped"
    }
  }
}
