import SourceFiles
import Validation
package import Facts

/// Finds out what dumps are that nobody has described: what their columns hold, their keys, and which refer to which.
///
/// Every dump is read as a whole, up to five times, and little of it is kept, so what is found is true of all its
/// records. Whether it will be of those to come is for a person to say.
package struct FamilyInference {
  private let options: InferenceOptions
  private let seed = HashSeed()

  package init(options: InferenceOptions) { self.options = options }

  package func run() throws(IngestError) -> InferredFamily {
    let found = try FoundSources(in: options.source)
    var passedOver: [String] = []
    let undescribed = try headers(of: found, &passedOver)
    var tables = try survey(undescribed, &passedOver)
    guard !tables.isEmpty else {
      throw IngestError(
        .data, code: .headerMissing,
        "\(options.source): no file is a dump: \(passedOver.joined(separator: "; ")). Check --source."
      )
    }
    let references = try findReferences(among: &tables)
    return InferredFamily(
      name: found.name, tables: tables, references: references, passedOver: passedOver)
  }

  private func headers(
    of found: FoundSources, _ passedOver: inout [String]
  ) throws(IngestError) -> [UndescribedTable] {
    var tables: [UndescribedTable] = []
    for dump in found.dumps {
      do throws(IngestError) {
        let table = try UndescribedTable(dump, recordLimit: options.recordLimit)
        if let reason = table.reasonToPassOver {
          passedOver.append(reason)
        } else {
          tables.append(table)
        }
      } catch {
        guard dump.file.name.contains(".txt"),
          error.code == .headerMissing || error.code == .tooManyColumns
        else { throw error }
        passedOver.append("\(dump.file.name): its first line is no header")
      }
    }
    return tables
  }

  private func survey(
    _ undescribed: [UndescribedTable], _ passedOver: inout [String]
  ) throws(IngestError) -> [SurveyedTable] {
    var tables: [SurveyedTable] = []
    var room = options.keyMemory
    for (place, table) in undescribed.enumerated() {
      let others = undescribed.indices.filter { $0 != place }.map { undescribed[$0].words }
      let search = KeySearch(table: table, others: others, options: options)
      var candidates = KeyCandidates(
        search.singles, fieldCount: table.columns.count, limit: room, seed: seed)
      var surveyed = try SurveyedTable(table, &candidates, recordLimit: options.recordLimit)
      guard surveyed.records > 0 || surveyed.unreadable == 0 else {
        passedOver.append("\(table.dump.file.name): no line has as many fields as the first one")
        continue
      }
      search.chooseSingle(candidates, for: &surveyed)
      if let key = surveyed.singleKey, isNamed(key, of: table, among: undescribed) {
        surveyed.keyValues = candidates.live.first { $0.columns == [key] }?.values
        room -= surveyed.keyValues?.bytes ?? 0
      }
      candidates = KeyCandidates([], fieldCount: 0, limit: 0, seed: seed)
      try search.chooseSeveral(for: &surveyed, limit: room, seed: seed)
      tables.append(surveyed)
    }
    return tables
  }

  /// Whether any column is named for a reference to the key; only then its values are needed.
  private func isNamed(
    _ key: Int, of parent: UndescribedTable, among tables: [UndescribedTable]
  ) -> Bool {
    guard let keyWords = parent.columns[key]?.words else { return false }
    return tables.contains { table in
      table.columns.compactMap(\.self).contains { column in
        let isSelf = table.dump.table == parent.dump.table
        return column.words.fit(in: table.words, to: keyWords, of: parent.words, isSelf: isSelf) > 0
      }
    }
  }

  private func findReferences(
    among tables: inout [SurveyedTable]
  ) throws(IngestError) -> [[ReferenceSearch.Candidate]] {
    let search = ReferenceSearch(tables: tables, seed: seed)
    var references: [[ReferenceSearch.Candidate]] = []
    for place in tables.indices {
      var candidates = search.candidates(of: place)
      try search.check(&candidates, of: tables[place], recordLimit: options.recordLimit)
      references.append(choose(among: candidates, of: &tables[place], search.tables))
    }
    return references
  }

  private func choose(
    among candidates: [ReferenceSearch.Candidate], of table: inout SurveyedTable,
    _ tables: [SurveyedTable]
  ) -> [ReferenceSearch.Candidate] {
    var chosen: [ReferenceSearch.Candidate] = []
    for candidate in candidates {
      let isTaken = chosen.contains { $0.column == candidate.column }
      guard !isTaken, candidate.values > 0 else { continue }
      if let line = candidate.firstMissing {
        let parent = tables[candidate.parent]
        table.columns[candidate.column].words.append(
          "named for a reference to \(parent.name).\(parent.keyNames[0]), which lacks the value of line "
            + "\(line.grouped), so taken for none")
      } else {
        chosen.append(candidate)
      }
    }
    return chosen
  }
}
