import SQLiteDestination
import SQLiteSwiftly
import Schema

/// How the schema of a catalog differs from its description.
struct SchemaDifferences {
  /// What is missing or otherwise than described, in words.
  private(set) var faults: [String] = []
  /// What somebody has added.
  private(set) var additions: [String] = []
  /// Tables and columns of provenance that the ingest that made the catalog did not have yet.
  private(set) var notMadeYet: [String] = []

  init(
    from schema: SchemaDescription, on connection: Connection
  ) throws(SQLiteError) {
    let whole = SchemaDescription(
      tables: schema.tables + schema.allDerivedTables + Provenance.tables, views: schema.views,
      search: schema.search, applicationID: schema.applicationID, version: schema.version)
    // Those that belong to a virtual table, as one of FTS5, come and go with it.
    let hidden = try connection.query(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'shadow'",
      as: String.self)
    let differences = try connection.differences(from: whole).filter { difference in
      difference.property != .table || !hidden.hasName(difference.table ?? "")
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
  /// What somebody has added, in words; nil if the difference is another one.
  fileprivate var addition: String? {
    guard expected == nil, [.table, .view, .trigger, .index].contains(property) else { return nil }
    let name = "\(property.rawValue) \(found ?? "")"
    return [.index, .trigger].contains(property) ? "\(name) of \(table ?? "")" : name
  }

  /// A table or a column of provenance that is not there, in words; nil if the difference is another one, or
  /// if the catalog records that it was made with it, so that somebody has removed it.
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
