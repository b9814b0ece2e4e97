import Schema
import SQLiteSwiftly

/// A value that a rejected record refers to, and that its parent lacks.
package struct ParentKey: Hashable, Sendable {
  /// The loaded table that should have it.
  package let table: String
  package let column: String
  package let value: String
}

extension [ParentKey] {
  /// The tables of which most keys are known.
  package func tables(where isKnown: (ParentKey) -> Bool) -> Set<String> {
    let known = filter(isKnown)
    return Set(map(\.table)).filter { table in
      known.count { $0.table == table } * 2 > count { $0.table == table }
    }
  }
}

extension SchemaDescription {
  /// The missing parents of rejected records, as far as their keys have one column.
  package func missingParents(of rejects: [Reject]) -> [ParentKey] {
    rejects.flatMap { reject in
      reject.reasons.flatMap { reason -> [ParentKey] in
        guard let value = reason.missingKey,
          let keys = tables.first(where: { $0.name == reject.table })?.foreignKeys
        else { return [] }
        return keys.filter { $0.columns == [reason.column ?? ""] }.flatMap(sources).map {
          ParentKey(table: tables[$0.table].name, column: $0.columns[0], value: value)
        }
      }
    }
  }
}
