package import SQLiteSwiftly

package struct SourceDescription: Hashable, Sendable {
  package let table: String
  /// The format of the values of each column, in the order of the table's columns.
  package var formats: [FieldFormat]
  package var place = Place.named
  /// The compression of its files, regardless of their names; nil to use the names.
  package var compression: Compression?
  /// The name of their encoding for iconv; nil for UTF-8.
  package var encoding: String?
  /// The size and digest of its one file, if the description states them; as stored or decompressed.
  package var claims: Claims?
  /// The suffix of the file name after the table's name, if files are found by name.
  package var ending = ".csv"
  /// Whether a missing file leaves the table empty.
  package var isOptional = false
  package var fieldsMatch = FieldsMatch.known
  package var dialect = Dialect()
  /// The state of the primary key, if it was inferred from earlier files.
  package var keyGuess: KeyGuess?
  /// The columns of the foreign keys that were inferred from earlier files, so that a run drops those that do not hold.
  package var guessedReferences: [[String]] = []

  package enum KeyGuess: Hashable, Sendable {
    /// No record is known to break it.
    case holds
    /// Some records have equal keys, perhaps because they are equal altogether: those are duplicates in any case.
    case inDoubt
    /// The table is without its key in this run, and only equal records are duplicates.
    case dropped([String])
  }

  package enum Compression: String, CaseIterable, Sendable {
    case gzip = "gz"
    case zip

    /// The ending of a compressed file's name.
    package var ending: String { ".\(rawValue)" }
  }

  package struct Claims: Hashable, Sendable {
    package enum Algorithm: String, Sendable {
      case md5, sha256

      package var digits: Int { self == .md5 ? 32 : 64 }
    }

    package struct Hash: Hashable, Sendable {
      package let algorithm: Algorithm
      /// In lowercase.
      package let digits: String

      package init(algorithm: Algorithm, digits: String) {
        self.algorithm = algorithm
        self.digits = digits
      }
    }

    package var bytes: Int?
    package var hash: Hash?

    package init(bytes: Int?, hash: Hash?) {
      self.bytes = bytes
      self.hash = hash
    }
  }

  package enum Place: Hashable, Sendable {
    case named
    /// In files, one after the other; paths relative to the folder of the description.
    case files([String])
    /// In the description itself; CSV in UTF-8, in the default dialect, with a header.
    case inline([UInt8])
  }

  /// The assignment of a record's fields to the columns of the table.
  ///
  /// All cases but the first are those of the Table Schema standard
  /// (<https://datapackage.org/standard/table-schema/#fieldsMatch>).
  package enum FieldsMatch: String, Sendable {
    /// By the names in the header, in any order. A nullable column may be missing, and unknown
    /// fields are ignored; both produce a warning.
    case known
    /// By order; the header must contain the names of the columns.
    case exact
    /// By name, in any order; no missing and no additional fields.
    case equal
    /// By name; no missing fields, but additional ones are allowed.
    case subset
    /// By name; missing fields are allowed, but no additional ones.
    case superset
    /// By name; missing and additional fields are allowed, but at least one must match.
    case partial
  }

  /// The text format of records (<https://datapackage.org/standard/table-dialect/>).
  package struct Dialect: Hashable, Sendable {
    /// The numbers of the header rows, from 1; empty if the file has no header.
    package var headerRows = [1]
    /// The separator that joins the texts of several header rows.
    package var headerJoin = " "
    package var commentRows: [Int] = []
    package var commentPrefix: String?
    package var delimiter = ","
    /// The terminator of a record; nil for LF and CRLF.
    package var lineTerminator: String?
    /// The quote character around fields; nil if there is none.
    package var quote: String? = "\""
    package var doublesQuotes = true
    /// The character that escapes the next one; nil for none.
    package var escape: String?
    /// Whether it makes control characters of some letters, as in the exports of databases.
    package var decodesControls = false
    package var skipsInitialSpace = false

    package init() {}
  }

  package init(of table: String, formats: [FieldFormat]) {
    self.table = table
    self.formats = formats
  }

  package init(of table: TableDescription) {
    self.init(of: table.name, formats: table.columns.map { _ in FieldFormat() })
  }
}
