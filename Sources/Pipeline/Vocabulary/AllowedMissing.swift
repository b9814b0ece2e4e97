/// The tables whose source files may be missing.
package enum AllowedMissing: Equatable, Sendable {
  case all
  case tables(Set<String>)

  package func contains(_ table: String) -> Bool {
    switch self {
    case .all: true
    case .tables(let tables): tables.contains(table)
    }
  }
}
