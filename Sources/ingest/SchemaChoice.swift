/// The family of dumps that the command works on.
enum SchemaChoice: Equatable {
  case builtIn(BuiltIn)
  case file(String)

  enum BuiltIn: String, CaseIterable { case rebrickable, gtfs }

  static let rebrickable = SchemaChoice.builtIn(.rebrickable)

  init(named name: String?) {
    self = name.map { BuiltIn(rawValue: $0).map(Self.builtIn) ?? .file($0) } ?? .rebrickable
  }

  /// The value of `--schema`; nil for what needs none.
  var option: String? {
    switch self {
    case .builtIn(.rebrickable): nil
    case .builtIn(let family): family.rawValue
    case .file(let path): path
    }
  }

  /// Finds the family that a command line names, before anything else is read: what other words mean, such as
  /// names of tables, depends on it.
  init(namedIn words: [String]) { self.init(named: Option.value(of: "--schema", in: words)) }
}
