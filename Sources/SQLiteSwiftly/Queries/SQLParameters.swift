/// The values for the parameters of a statement: by position, `[1, "Technic"]`, or by name,
/// `["id": 1, "name": "Technic"]`.
///
/// All parameters must get a value, and all values must have a parameter; `.null` is a value. A name
/// that occurs several times in a statement is one parameter. It is given as it stands there (`:id`,
/// `@id`, `$id`, `?3`), or without its first character.
///
/// ```swift
/// let sql: SQL = "SELECT name FROM parts WHERE part_num = :number OR name = :name"
/// let found = try connection.query(sql, ["number": "3001", "name": "Tyre"])
/// ```
public struct SQLParameters: Sendable {
  enum Form {
    case positional([SQLiteValue])
    case named([(name: String, value: SQLiteValue)])
    /// Values were interpolated into the SQL, and others given for a run, which is one too many.
    case twofold
  }

  let form: Form

  /// Gives values by their position.
  public init(_ values: [SQLiteValue]) { form = .positional(values) }

  /// Gives values by the names of the parameters; a name that is given twice is an error when the
  /// statement runs.
  public init(_ values: KeyValuePairs<String, SQLiteValue>) {
    form = .named(values.map { (name: $0.key, value: $0.value) })
  }

  /// Gives values by the names of the parameters as above, for instance in a dictionary.
  @_disfavoredOverload
  public init(_ values: some Sequence<(key: String, value: SQLiteValue)>) {
    // A parameter of the type of a dictionary would get literals, too, whatever is favored.
    form = .named(values.map { (name: $0.key, value: $0.value) })
  }

  /// No values, which is right for a statement without parameters, and for one whose values are
  /// interpolated.
  public static let none: SQLParameters = []

  init(_ form: Form) { self.form = form }

  var isEmpty: Bool {
    switch form {
    case .positional(let values): values.isEmpty
    case .named(let values): values.isEmpty
    case .twofold: false
    }
  }
}

extension SQLParameters: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
  /// Gives values by their position.
  public init(arrayLiteral elements: SQLiteValue...) { form = .positional(elements) }

  /// Gives values by the names of the parameters; a name that is given twice is an error when the
  /// statement runs.
  public init(dictionaryLiteral elements: (String, SQLiteValue)...) {
    form = .named(elements.map { (name: $0.0, value: $0.1) })
  }
}
