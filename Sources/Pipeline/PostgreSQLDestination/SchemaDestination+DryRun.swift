#if PostgreSQL
  package import Vocabulary
  import PostgreSQL
  package import Schema
  import SQLiteSwiftly
  package import Platform

  extension SchemaDestination: DryRun {
    package static func dryRun(
      _ schema: SchemaDescription, _ options: IngestOptions, running sqlFiles: [SQLFile],
      patience: Patience, recorder: RunRecorder
    ) throws(IngestError) -> any DryRun {
      try SchemaDestination(
        schema, options, running: sqlFiles, gate: Gate(), patience: patience, recorder: recorder)
    }

    package func foreseenChanges(
      _ read: [ReadRows], _ options: IngestOptions, _: RunRecorder
    ) throws(IngestError) -> CatalogChanges? {
      try mapError(as: { IngestError($0, in: options.output) }) { () throws(PostgreSQLError) in
        let published = try StoredTable.all(in: target, on: connection)
        guard !published.isEmpty else { return nil }
        var changes = CatalogChanges()
        changes.isForeseen = true
        for (table, read) in zip(schema.tables, read) {
          changes.tables.append(
            try change(of: table, published[table.name], (read.rows, read.nulls)))
        }
        return changes
      }
    }
  }
#endif
