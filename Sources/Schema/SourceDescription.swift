package import SQLiteSwiftly

/// Where the records of a table are, and how they are written.
package struct SourceDescription: Hashable, Sendable {
  /// The table's name.
  package let table: String
  /// How the values of each column are written, in the order of the table's columns.
  package var formats: [FieldFormat]
  package var place = Place.named
  /// How its files are compressed, whatever they are called; nil if their names say that.
  package var compression: Compression?
  /// What follows the table's name in that of its file, if it is looked for by its name.
  package var ending = ".csv"
  /// Whether the table is empty if there is no file of it.
  package var isOptional = false
  package var fieldsMatch = FieldsMatch.known
  package var dialect = Dialect()

  package enum Compression: String, Sendable {
    case gzip = "gz"
    case zip
  }

  package enum Place: Hashable, Sendable {
    /// In a file that has the table's name.
    case named
    /// In files, one after the other; paths from the folder of the description.
    case files([String])
    /// In the description itself; CSV in UTF-8, of the default dialect, with a header.
    case inline([UInt8])
  }

  /// How the fields of a record are found for the columns of the table.
  ///
  /// All but the first are those of the Table Schema standard
  /// (<https://datapackage.org/standard/table-schema/#fieldsMatch>).
  package enum FieldsMatch: String, Sendable {
    /// By the names in the header, in any order. A column that may be NULL may be absent, and fields that no
    /// column knows are passed over; both are told.
    case known
    /// By their order; the names in the header must be those of the columns.
    case exact
    /// By name, in any order; none absent and none more.
    case equal
    /// By name; none absent, and there may be more.
    case subset
    /// By name; there may be fewer, and none more.
    case superset
    /// By name; there may be fewer and more, but one at least.
    case partial
  }

  /// How records are written as text (<https://datapackage.org/standard/table-dialect/>).
  package struct Dialect: Hashable, Sendable {
    /// The numbers of the rows, from 1, that make up the header; none if the file has no header.
    package var headerRows = [1]
    /// What joins the texts of several header rows.
    package var headerJoin = " "
    /// The numbers of rows that are passed over.
    package var commentRows: [Int] = []
    /// What a row begins with that is passed over; nil for none.
    package var commentPrefix: String?
    /// What separates fields.
    package var delimiter = ","
    /// What ends a record; nil for LF and CRLF.
    package var lineTerminator: String?
    /// The character around a field, nil if there is none.
    package var quote: String? = "\""
    /// Whether a quote within quotes is doubled.
    package var doublesQuotes = true
    /// The character that takes the meaning of the next one; nil for none.
    package var escape: String?
    /// Whether spaces after a delimiter are passed over.
    package var skipsInitialSpace = false

    package init() {}
  }

  package init(of table: String, formats: [FieldFormat]) {
    self.table = table
    self.formats = formats
  }

  /// Describes files that have the table's name and the usual formats.
  package init(of table: TableDescription) {
    self.init(of: table.name, formats: table.columns.map { _ in FieldFormat() })
  }
}
