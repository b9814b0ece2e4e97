/// The tables that a folder of dumps may lack.
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
