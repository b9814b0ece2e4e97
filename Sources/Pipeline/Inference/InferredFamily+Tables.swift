import Facts
import SourceFiles
import SQLiteSwiftly
import Schema

extension InferredFamily {
  /// Makes the schema of the surveyed tables, in an order in which their files can be loaded.
  init(
    name: String, tables: [SurveyedTable], references: [[ReferenceSearch.Candidate]],
    skipped: [String]
  ) {
    var tables = tables
    let edges = references.enumerated().flatMap { child, references in
      references.map { LoadOrder.Edge(child: child, parent: $0.parent, weight: $0.fit) }
    }
    let order = LoadOrder(tables: tables.count, edges)
    var kept = references
    for edge in order.dropped {
      kept[edge.child].removeAll { $0.parent == edge.parent && $0.fit == edge.weight }
      tables[edge.child].doubts.append(
        "the reference to \(tables[edge.parent].name) was skipped: it would create a circular reference"
      )
    }
    for child in order.order {
      for reference in kept[child] { Self.add(reference, to: child, &tables) }
    }
    self.name = name
    self.skipped = skipped
    self.tables = order.order.map { Self.evidence(of: tables[$0], kept[$0], tables) }
    var schema = SchemaDescription(
      tables: zip(order.order, self.tables).map { Self.description(of: tables[$0], $1) },
      applicationID: 0, version: 1)
    schema.sources = order.order.map { Self.source(of: tables[$0]) }
    self.schema = schema
  }

  private static func add(
    _ reference: ReferenceSearch.Candidate, to child: Int, _ tables: inout [SurveyedTable]
  ) {
    let parent = tables[reference.parent]
    let key = parent.columns[parent.key[0]]
    let confidence = ReferenceSearch.confidence(of: reference)
    tables[child].columns[reference.column].adopt(key)
    tables[child].columns[reference.column].words.append(
      "each value is in \(parent.name).\(key.name) and the name matches, so treated as a reference (confidence "
        + "\(confidence.rawValue))")
  }

  private static func evidence(
    of table: SurveyedTable, _ references: [ReferenceSearch.Candidate], _ tables: [SurveyedTable]
  ) -> TableEvidence {
    TableEvidence(
      table: table.name, file: table.undescribed.source.file.name, records: table.records,
      unreadable: table.unreadable, firstUnreadableLine: table.firstUnreadableLine,
      key: table.keyNames, keyConfidence: table.keyConfidence,
      references: references.map { reference in
        let parent = tables[reference.parent]
        return TableEvidence.Reference(
          column: table.columns[reference.column].name, table: parent.name,
          keyColumn: parent.keyNames[0], confidence: ReferenceSearch.confidence(of: reference))
      }, doubts: table.doubts)
  }

  private static func description(
    of table: SurveyedTable, _ evidence: TableEvidence
  ) -> TableDescription {
    let foreignKeys = evidence.references.map {
      ForeignKeyDescription($0.column, references: $0.table, $0.keyColumn)
    }
    let columns = table.namedColumns.map(\.description)
    return TableDescription(
      table.name, columns: columns, primaryKey: table.keyNames, foreignKeys: foreignKeys,
      indexes: TableDescription.defaultIndexes(
        primaryKey: table.keyNames, uniqueKeys: [], foreignKeys: foreignKeys.map(\.columns)),
      isWithoutRowid: TableDescription.storage(of: columns, primaryKey: table.keyNames),
      meaning: meaning(of: table))
  }

  private static func source(of table: SurveyedTable) -> SourceDescription {
    var source = SourceDescription(of: table.name, formats: table.namedColumns.map(\.format))
    source.place = .files([table.undescribed.source.file.name])
    source.dialect.delimiter = table.undescribed.delimiter
    return source
  }

  private static func meaning(of table: SurveyedTable) -> String {
    let file = table.undescribed.source.file.name
    let key =
      table.key.isEmpty
      ? "no key was found" : "chosen as the key: \(table.keyNames.joined(separator: ", "))"
    let parts = ["\(table.records.of("record")) in \(file)", key] + table.doubts
    return parts.joined(separator: "; ") + "."
  }
}

extension SurveyedTable {
  fileprivate var namedColumns: [ColumnConclusion] {
    columns.indices.filter { undescribed.columns[$0] != nil }.map { columns[$0] }
  }
}

extension ColumnConclusion {
  fileprivate mutating func adopt(_ key: ColumnConclusion) {
    guard type != key.type || format.spelling != key.format.spelling else { return }
    type = key.type
    format.spelling = key.format.spelling
    domain = key.domain
    words.append("type of the column that it refers to")
  }
}
