import Text

/// What was guessed of the dialect of a file, and may be wrong.
package enum DialectRemark: Equatable, Sendable {
  case singleField
  /// Empty for no quote.
  case quote(String)
  case escape(String)
  case noHeader
  case header(rows: [Int])
  /// A file without a header, after some rows.
  case rowsBefore(Int)
  case comments(firstLine: Int)
  case rowLabels
  case fieldAfterLast
  case namesAfterLast(Int)
  /// Names that differ from those in the header, and the fields, from 1, that have them.
  case names([String], fields: [Int])
  case repeatedHeader(Int, firstLine: Int)

  /// It as a clause.
  var words: String {
    switch self {
    case .singleField: "each record is a single field; if that is wrong, set --delimiter"
    case .quote(""): "no field is enclosed in quotes, so quotes are text; otherwise set --quote"
    case .quote(let quote): "fields are enclosed in \(quote); otherwise set --quote"
    case .escape(let escape): "\(escape) escapes the next character; otherwise set --escape"
    case .noHeader:
      "the first record has values like the others, so there is no header; otherwise set --header-rows"
    case .header(let rows):
      "the header is in \(rows.count == 1 ? "row" : "rows") "
        + "\(rows.map(\.grouped).joined(separator: ", ")), and rows before it are skipped; otherwise "
        + "set --header-rows"
    case .rowsBefore(let row):
      "the rows up to \(row.grouped) are skipped; otherwise correct commentRows in the description"
    case .comments(let line):
      "lines that begin with # are comments, the first is line \(line.grouped); otherwise set --comment"
    case .rowLabels:
      "records have one field more than the header, so they begin with a label without a name"
    case .fieldAfterLast: "records end with a blank field that the header does not name"
    case .namesAfterLast(let count):
      "the last \(count.of("name")) in the header \(count == 1 ? "has" : "have") no field in the records"
    case .names(let names, let fields):
      "fields are matched by order, since names were changed: "
        + zip(fields, names).map { "field \($0) is \($1.quotedForMessage)" }.joined(separator: ", ")
    case .repeatedHeader(let count, let line):
      "\(count.of("record")) \(count == 1 ? "repeats" : "repeat") the header, the first on line "
        + "\(line.grouped), and will be rejected"
    }
  }
}
