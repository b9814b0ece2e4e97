import SQLiteDestination
import SQLiteSwiftly
import Schema
import Provenance

struct SchemaDifferences {
  /// The missing objects, and those that differ from their description.
  private(set) var faults: [String] = []
  private(set) var additions: [String] = []
  /// The provenance tables and columns that the ingest that made the database did not have yet.
  private(set) var notMadeYet: [String] = []

  init(from schema: SchemaDescription, on connection: Connection) throws(SQLiteError) {
    let whole = SchemaDescription(
      tables: schema.tables + schema.allDerivedTables + Provenance.tables, views: schema.views,
      search: schema.search, applicationID: schema.applicationID, version: schema.version)
    // The tables of a virtual table, such as one of FTS5, are created and dropped with it.
    let hidden = Set(try connection.query(Connection.shadowTables, as: String.self).map(foldedName))
    let differences = try connection.differences(from: whole).filter { difference in
      difference.property != .table || !hidden.contains(foldedName(difference.table ?? ""))
    }
    let recorded = try Provenance.recordedColumns(in: connection)
    for difference in differences {
      if let addition = difference.addition {
        additions.append(addition)
      } else if let recorded, let absent = difference.absentProvenance(notIn: recorded) {
        notMadeYet.append(absent)
      } else {
        faults.append(difference.description)
      }
    }
  }
}

extension SchemaDifference {
  fileprivate var addition: String? {
    guard expected == nil, [.table, .view, .trigger, .index].contains(property) else { return nil }
    let name = "\(property.rawValue) \(found ?? "")"
    return [.index, .trigger].contains(property) ? "\(name) of \(table ?? "")" : name
  }

  /// The name of a provenance table or column that was never there, since the database does not record that it had it.
  fileprivate func absentProvenance(notIn recorded: [(table: String, column: String)]) -> String? {
    guard let table, let expected, found == nil,
      let description = Provenance.tables.first(where: { haveSameBytes($0.name, table) })
    else { return nil }
    let known = recorded.filter { haveSameBytes($0.table, description.name) }.map(\.column)
    return switch property {
    case .table where known.isEmpty: "table \(table)"
    case .column where !known.hasName(expected): "column \(expected) of \(table)"
    default: nil
    }
  }
}
