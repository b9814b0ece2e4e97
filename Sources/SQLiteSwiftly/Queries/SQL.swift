/// Something that can be prepared as one SQL statement, with the values of its parameters.
public protocol SQLQuery {
  /// The text of the statement, with `?` where values go.
  var text: String { get }
  /// The values, in the order of the `?`.
  var values: [SQLiteValue] { get }
}

/// SQL written as a literal. What is interpolated into it becomes a bound value, never text:
///
///     try connection.query("SELECT name FROM parts WHERE part_num = \(number)")
///
/// A string cannot be passed for it by accident. Names go in by `\(identifier: name)`, which quotes
/// them, and the SQL of another value by `\(sql: other)`.
public struct SQL: SQLQuery, Equatable, Sendable, ExpressibleByStringInterpolation {
  /// The text of the statement, with `?` where values go.
  public private(set) var text: String
  /// The values, in the order of the `?`.
  public private(set) var values: [SQLiteValue]

  /// Makes SQL without values from a literal.
  public init(stringLiteral text: String) {
    self.text = text
    values = []
  }

  /// Makes SQL from a literal with interpolations.
  public init(stringInterpolation interpolation: StringInterpolation) {
    text = interpolation.text
    values = interpolation.values
  }

  /// Makes SQL from text that this library wrote itself, such as a table's definition.
  package init(generated text: String) {
    self.text = text
    values = []
  }

  /// Collects the pieces of a literal.
  public struct StringInterpolation: StringInterpolationProtocol, Sendable {
    var text = ""
    var values: [SQLiteValue] = []

    /// Makes room for the pieces.
    public init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + interpolationCount)
      values.reserveCapacity(interpolationCount)
    }

    /// Adds SQL that stands in the literal.
    public mutating func appendLiteral(_ literal: String) { text += literal }

    /// Binds a value, or NULL for nil.
    public mutating func appendInterpolation(_ value: (some SQLiteValueConvertible)?) {
      text += "?"
      values.append(value.sqliteValue)
    }

    /// Adds the name of a table, column or other thing in the database, quoted.
    public mutating func appendInterpolation(identifier name: String) {
      text += quoted(identifier: name)
    }

    /// Adds other SQL with its values.
    public mutating func appendInterpolation(sql other: SQL) {
      text += other.text
      values += other.values
    }
  }
}

/// Writes a name so that SQL reads it as one, whatever it holds: `"part""s"`.
package func quoted(identifier name: String) -> String { doubling("\"", in: name) }

/// Writes text as an SQL literal: `'it''s'`.
package func quoted(text: String) -> String { doubling("'", in: text) }

/// Puts `text` in quotes and doubles those inside; by bytes, since a combining mark behind a quote
/// would hide it from a comparison of characters.
private func doubling(_ quote: Unicode.Scalar, in text: String) -> String {
  let quote = UInt8(ascii: quote)
  let inner = text.utf8.flatMap { $0 == quote ? [quote, quote] : [$0] }
  return String(decoding: [quote] + inner + [quote], as: UTF8.self)
}
