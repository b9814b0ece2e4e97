/// Something that can be prepared as one SQL statement, with the values of its parameters: what the
/// query of a query builder conforms to, to be run as `SQL(query)`.
///
/// ```swift
/// struct NewestParts: SQLQuery {
///   var limit: Int64
///   var text: String { "SELECT name FROM parts ORDER BY rowid DESC LIMIT ?" }
///   var values: [SQLiteValue] { [.integer(limit)] }
/// }
/// let names = try connection.query(SQL(NewestParts(limit: 1)), as: String.self)
/// ```
public protocol SQLQuery {
  /// The text of the statement, with `?` where values go.
  var text: String { get }
  /// The values, in the order of the `?`.
  var values: [SQLiteValue] { get }
}

/// SQL written as a literal. What is interpolated into it becomes a bound value, never text:
///
///     let rows = try connection.query("SELECT name FROM parts WHERE part_num = \(number)")
///
/// A list of values becomes as many parameters, for an `IN (\(numbers))`. A string built at run time
/// cannot be used as SQL. Names go in by `\(identifier: name)`, which quotes them, and other SQL by
/// `\(sql: other)`. Parameters may also be written into the text, as `?` or `:name`, and get their values
/// when the statement runs.
public struct SQL: SQLQuery, Equatable, Sendable, ExpressibleByStringInterpolation {
  /// The text of the statement, with `?` where interpolated values go.
  public private(set) var text: String
  /// The interpolated values, in their order.
  public private(set) var values: [SQLiteValue]
  /// Where the values go, as offsets of bytes in the text; empty if it is not known.
  private(set) var places: [Int] = []
  /// Why a value has no form in SQLite; thrown once the SQL is to be run.
  var failure: SQLiteError?

  /// Compares the texts and the values.
  public static func == (left: SQL, right: SQL) -> Bool {
    left.text == right.text && left.values == right.values && left.failure == right.failure
  }

  /// Makes SQL without values from a literal.
  public init(stringLiteral text: StaticString) {
    self.text = text.description
    values = []
  }

  /// Makes SQL from a literal with interpolations.
  public init(stringInterpolation interpolation: StringInterpolation) { self = interpolation.sql }

  /// Makes SQL of what a query builder built, whose text is taken as it is.
  ///
  /// ```swift
  /// let latest = SQL(Latest(limit: 2))
  /// let names = try connection.query("SELECT upper(name) FROM (\(sql: latest))", as: String.self)
  /// ```
  public init(_ query: some SQLQuery) {
    text = query.text
    values = query.values
  }

  /// Makes SQL from text that this package wrote itself, such as a table's definition.
  package init(generated text: String) {
    self.text = text
    values = []
  }

  /// Collects the pieces of a literal.
  public struct StringInterpolation: StringInterpolationProtocol, Sendable {
    fileprivate var sql: SQL = ""

    /// Makes room for the pieces.
    public init(literalCapacity: Int, interpolationCount: Int) {
      sql.text.reserveCapacity(literalCapacity + interpolationCount)
      sql.values.reserveCapacity(interpolationCount)
    }

    /// Adds SQL of the literal itself.
    public mutating func appendLiteral(_ literal: StaticString) {
      sql.text += literal.description
    }

    /// Binds a value, or NULL for nil.
    public mutating func appendInterpolation(_ value: (some SQLiteValueConvertible)?) {
      sql.places.append(sql.text.utf8.count)
      sql.text += "?"
      do throws(SQLiteError) {
        sql.values.append(try value.sqliteValue)
      } catch {
        sql.failure = sql.failure ?? error
        sql.values.append(.null)
      }
    }

    /// Binds each value of a list, with commas between them.
    ///
    /// Nothing is `IN` a list without values. SQLite takes 32,766 values in one statement, or more if it
    /// was built so (<https://www.sqlite.org/limits.html#max_variable_number>).
    ///
    /// ```swift
    /// let numbers = ["3001", "973"]
    /// let rows = try connection.query("SELECT name FROM parts WHERE part_num IN (\(numbers))")
    /// ```
    @_disfavoredOverload
    public mutating func appendInterpolation(
      _ values: some Sequence<some SQLiteValueConvertible>
    ) {
      append(each: values)
    }

    /// Binds each number of a list, with commas between them, as above; so `[1, 2]` is two numbers.
    public mutating func appendInterpolation(_ values: [Int]) {
      // Without this, a literal of numbers would be taken for bytes, since those are favored.
      append(each: values)
    }

    /// Binds bytes as one blob, such as a part of a `[UInt8]`, which is one, too.
    ///
    /// ```swift
    /// try connection.execute("UPDATE parts SET picture = \(file.dropFirst(8)) WHERE part_num = 3001")
    /// ```
    @_disfavoredOverload
    public mutating func appendInterpolation(_ bytes: some BidirectionalCollection<UInt8>) {
      // Without this, they would be taken for a list of numbers.
      appendInterpolation(Array(bytes))
    }

    private mutating func append(each values: some Sequence<some SQLiteValueConvertible>) {
      var separator = ""
      for value in values {
        sql.text += separator
        separator = ", "
        appendInterpolation(value)
      }
    }

    /// Adds the name of a table, column or other thing in the database, quoted.
    ///
    /// ```swift
    /// let count = try connection.value(of: "SELECT count(*) FROM \(identifier: table)")
    /// ```
    public mutating func appendInterpolation(identifier name: String) {
      sql.text += quoted(identifier: name)
    }

    /// Adds other SQL with its values.
    ///
    /// ```swift
    /// let filter: SQL = "WHERE part_num GLOB \(prefix + "*")"
    /// let rows = try connection.query("SELECT name FROM parts \(sql: filter)")
    /// ```
    public mutating func appendInterpolation(sql other: SQL) { sql.append(other) }
  }

  fileprivate mutating func append(_ other: SQL) {
    places += other.places.map { text.utf8.count + $0 }
    text += other.text
    values += other.values
    failure = failure ?? other.failure
  }
}

extension Sequence<SQL> {
  /// Joins pieces of SQL, with their values.
  ///
  /// ```swift
  /// let conditions: [SQL] = ["name LIKE \(pattern)", "part_num <> \(number)"]
  /// let rows = try connection.query(
  ///   "SELECT name FROM parts WHERE \(sql: conditions.joined(separator: " AND "))")
  /// ```
  ///
  /// - Returns: The pieces with `separator` between them; no SQL if there are none.
  public func joined(separator: SQL = "") -> SQL {
    var result: SQL = ""
    var isFirst = true
    for piece in self {
      if !isFirst { result.append(separator) }
      isFirst = false
      result.append(piece)
    }
    return result
  }
}

/// Writes a name so that SQL reads it as one, whatever it holds: `"part""s"`.
package func quoted(identifier name: String) -> String { doubling("\"", in: name) }

/// Writes text as an SQL literal: `'it''s'`.
package func quoted(text: String) -> String { doubling("'", in: text) }

/// Puts `text` in quotes and doubles those inside; by bytes, since a combining mark after a quote
/// would hide it from a comparison of characters.
private func doubling(_ quote: Unicode.Scalar, in text: String) -> String {
  let quote = UInt8(ascii: quote)
  let inner = text.utf8.flatMap { $0 == quote ? [quote, quote] : [$0] }
  return String(decoding: [quote] + inner + [quote], as: UTF8.self)
}
