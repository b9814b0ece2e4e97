/// The values for the parameters of a statement, or for the columns of a row: by position,
/// `[1, "Technic", nil]`, or by name, `["id": id, "name": name]`.
///
/// Everything that has a form in SQLite can be among them, and nil is NULL. All parameters must get a
/// value, and all values must have a parameter. A name that occurs several times in a statement is one
/// parameter. It is given as it stands there (`:id`, `@id`, `$id`, `?3`), or without its first character.
/// Names that are given twice are kept, and are an error when the statement runs.
///
/// ```swift
/// let sql: SQL = "SELECT name FROM parts WHERE part_num = :number OR name = :name"
/// let found = try connection.query(sql, ["number": number, "name": "Tyre"])
/// ```
public struct SQLParameters: Sendable {
  enum Form {
    case positional([SQLiteValue])
    case named([Named])
    /// Values were interpolated into the SQL, and others given for a run, which is one too many.
    case twofold
    /// A value has no form in SQLite, which is thrown once the statement is to be run.
    case invalid(SQLiteError)
  }

  struct Named {
    let name: String
    let value: SQLiteValue
  }

  let form: Form

  init(_ form: Form) { self.form = form }

  /// Gives values by their position.
  public init(_ values: [SQLiteValue]) { form = .positional(values) }

  /// Gives values of one Swift type by their position, such as those of a `[String?]`.
  ///
  /// ```swift
  /// let names: [String?] = ["Tyre", nil]
  /// let rows = try connection.query("SELECT ifnull(?, '-'), ifnull(?, '-')", SQLParameters(names))
  /// ```
  public init(_ values: some Sequence<some SQLiteValueConvertible>) {
    self.init { () throws(SQLiteError) in
      var converted: [SQLiteValue] = []
      converted.reserveCapacity(values.underestimatedCount)
      for value in values { converted.append(try value.sqliteValue) }
      return .positional(converted)
    }
  }

  /// Gives values of any Swift types by their position; nil is NULL.
  public init(_ values: [(any SQLiteValueConvertible)?]) {
    self.init { () throws(SQLiteError) in
      var converted: [SQLiteValue] = []
      converted.reserveCapacity(values.count)
      for index in values.indices { converted.append(try values[index]?.sqliteValue ?? .null) }
      return .positional(converted)
    }
  }

  /// Gives values of any Swift types by the names of the parameters; nil is NULL.
  public init(_ values: KeyValuePairs<String, (any SQLiteValueConvertible)?>) {
    self.init(named: values.map { ($0.key, $0.value) })
  }

  /// Gives values of one Swift type by the names of the parameters, for instance in a dictionary.
  @_disfavoredOverload
  public init<Value: SQLiteValueConvertible>(
    _ values: some Sequence<(key: String, value: Value)>
  ) {
    // A parameter of the type of a dictionary would get literals, too, whatever is favored.
    self.init { () throws(SQLiteError) in
      var converted: [Named] = []
      for (name, value) in values {
        converted.append(Named(name: name, value: try value.sqliteValue))
      }
      return .named(converted)
    }
  }

  /// Gives values of any Swift types by the names of the parameters, for instance in a dictionary.
  @_disfavoredOverload
  public init(_ values: some Sequence<(key: String, value: any SQLiteValueConvertible)>) {
    self.init(named: values.map { ($0.key, $0.value) })
  }

  /// Gives values of any Swift types by the names of the parameters, for instance in a dictionary; nil is
  /// NULL.
  ///
  /// ```swift
  /// let values: [String: (any SQLiteValueConvertible)?] = ["number": number, "name": nil]
  /// try connection.execute(
  ///   "UPDATE parts SET name = :name WHERE part_num = :number", SQLParameters(values))
  /// ```
  @_disfavoredOverload
  public init(_ values: some Sequence<(key: String, value: (any SQLiteValueConvertible)?)>) {
    self.init(named: values.map { ($0.key, $0.value) })
  }

  /// No values, which is right for a statement without parameters, and for one whose values are
  /// interpolated.
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
      var converted: [Named] = []
      converted.reserveCapacity(values.count)
      // By index, since an iterator makes one copy more of each pair and the box in it.
      for index in values.indices {
        let value = try values[index].1?.sqliteValue ?? .null
        converted.append(Named(name: values[index].0, value: value))
      }
      return .named(converted)
    }
  }

  private init(_ form: () throws(SQLiteError) -> Form) {
    do throws(SQLiteError) {
      self.form = try form()
    } catch {
      self.form = .invalid(error)
    }
  }

  var isEmpty: Bool {
    switch form {
    case .positional(let values): values.isEmpty
    case .named(let values): values.isEmpty
    case .twofold, .invalid: false
    }
  }
}

extension SQLParameters: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
  /// Gives values by their position; nil is NULL.
  public init(arrayLiteral elements: (any SQLiteValueConvertible)?...) { self.init(elements) }

  /// Gives values by the names of the parameters; a name that is given twice is an error when the
  /// statement runs.
  public init(dictionaryLiteral elements: (String, (any SQLiteValueConvertible)?)...) {
    self.init(named: elements)
  }
}
