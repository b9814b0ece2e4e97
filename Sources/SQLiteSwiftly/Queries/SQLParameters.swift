/// The values of a statement's parameters, or of a row's columns: by position, as
/// `[1, "Technic", nil]`, or by name, as `["id": id, "name": name]`.
///
/// Any value with an SQLite form is allowed, and nil is NULL. Every parameter needs a value, and every value a
/// parameter. A name that occurs several times in a statement is one parameter. Write it as in the statement (`:id`,
/// `@id`, `$id`, `?3`) or without its prefix. Duplicate names are an error when the statement runs.
///
/// ```swift
/// let sql: SQL = "SELECT name FROM parts WHERE part_num = :number OR name = :name"
/// let found = try connection.query(sql, ["number": number, "name": "Tyre"])
/// ```
public struct SQLParameters: Sendable {
  enum Form {
    case positional([SQLiteValue])
    case named([(name: String, value: SQLiteValue)])
    /// Values were both interpolated into the SQL and passed for a run.
    case conflicting
    /// A value has no SQLite form; its error is thrown when the statement is run.
    case invalid(SQLiteError)
  }

  let form: Form

  init(_ form: Form) { self.form = form }

  /// Creates values by position.
  public init(_ values: [SQLiteValue]) { form = .positional(values) }

  /// Creates values by position, all of one Swift type, such as those of a `[String?]`.
  public init(_ values: some Sequence<some SQLiteValueConvertible>) {
    self.init { () throws(SQLiteError) in
      .positional(try values.map { value throws(SQLiteError) in try value.sqliteValue })
    }
  }

  /// Creates values by position, of any Swift types; nil is NULL.
  public init(_ values: [(any SQLiteValueConvertible)?]) {
    self.init { () throws(SQLiteError) in
      .positional(try values.map { value throws(SQLiteError) in try value?.sqliteValue ?? .null })
    }
  }

  /// Creates values by parameter name, of any Swift types; nil is NULL.
  public init(_ values: KeyValuePairs<String, (any SQLiteValueConvertible)?>) {
    self.init(named: values.map { ($0.key, $0.value) })
  }

  /// Creates values by parameter name, all of one Swift type, for example from a dictionary.
  @_disfavoredOverload
  public init<Value: SQLiteValueConvertible>(
    _ values: some Sequence<(key: String, value: Value)>
  ) {
    // A dictionary parameter would also be chosen for literals, even if disfavored.
    self.init(named: values.map { ($0.key, $0.value) })
  }

  /// Creates values by parameter name, of any Swift types, for example from a dictionary.
  @_disfavoredOverload
  public init(_ values: some Sequence<(key: String, value: any SQLiteValueConvertible)>) {
    self.init(named: values.map { ($0.key, $0.value) })
  }

  /// Creates values by parameter name, of any Swift types, for example from a dictionary; nil is NULL.
  @_disfavoredOverload
  public init(_ values: some Sequence<(key: String, value: (any SQLiteValueConvertible)?)>) {
    self.init(named: values.map { ($0.key, $0.value) })
  }

  /// No values, for a statement without parameters or with interpolated values.
  public static let none = SQLParameters(.positional([]))

  init<each Value: SQLiteValueConvertible>(pack value: repeat each Value) {
    self.init { () throws(SQLiteError) in
      var converted: [SQLiteValue] = []
      repeat converted.append(try (each value).sqliteValue)
      return .positional(converted)
    }
  }

  private init(named values: [(String, (any SQLiteValueConvertible)?)]) {
    self.init { () throws(SQLiteError) in
      // By index, since an iterator copies each pair and its box once more.
      .named(
        try values.indices.map { index throws(SQLiteError) in
          (name: values[index].0, value: try values[index].1?.sqliteValue ?? .null)
        })
    }
  }

  private init(_ form: () throws(SQLiteError) -> Form) {
    do throws(SQLiteError) { self.form = try form() } catch { self.form = .invalid(error) }
  }

  var isEmpty: Bool {
    switch form {
    case .positional(let values): values.isEmpty
    case .named(let values): values.isEmpty
    case .conflicting, .invalid: false
    }
  }
}

extension SQLParameters: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
  /// Creates values by position; nil is NULL.
  public init(arrayLiteral elements: (any SQLiteValueConvertible)?...) { self.init(elements) }

  /// Creates values by parameter name; a duplicate name is an error when the statement runs.
  public init(dictionaryLiteral elements: (String, (any SQLiteValueConvertible)?)...) {
    self.init(named: elements)
  }
}
