/// The family of source files that the command works on.
enum SchemaChoice: Equatable {
  case builtIn(BuiltIn)
  case file(String)

  enum BuiltIn: String, CaseIterable { case rebrickable, gtfs }

  static let rebrickable = SchemaChoice.builtIn(.rebrickable)

  init(named name: String?) {
    self = name.map { BuiltIn(rawValue: $0).map(Self.builtIn) ?? .file($0) } ?? .rebrickable
  }

  /// The value of `--schema`; nil for the default.
  var option: String? {
    switch self {
    case .builtIn(.rebrickable): nil
    case .builtIn(let family): family.rawValue
    case .file(let path): path
    }
  }
}
