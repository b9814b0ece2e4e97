/// The tables that a folder of dumps may lack.
package enum AllowedMissing: Equatable, Sendable {
  /// All of them.
  case all
  /// Those of the set.
  case tables(Set<String>)

  package func contains(_ table: String) -> Bool {
    switch self {
    case .all: true
    case .tables(let tables): tables.contains(table)
    }
  }
}
