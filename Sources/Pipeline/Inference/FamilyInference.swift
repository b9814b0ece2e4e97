import SourceFiles
import Validation
package import Facts

/// Infers the description of CSV files: the types of their columns, their keys and their references.
///
/// Every file is read completely, up to five times, and little of it is kept in memory. So the result holds for all its
/// records; whether it will hold for future ones is for a person to decide.
package struct FamilyInference {
  private let options: InferenceOptions
  private let seed = HashSeed()

  package init(options: InferenceOptions) { self.options = options }

  package func run() throws(IngestError) -> InferredFamily {
    let found = try FoundSources(in: options.source)
    var skipped: [String] = []
    let undescribed = try headers(of: found, &skipped)
    var tables = try survey(undescribed, &skipped)
    guard !tables.isEmpty else {
      throw .noReadableFile(options.source, skipped: skipped)
    }
    let references = try findReferences(among: &tables)
    return InferredFamily(
      name: found.name, tables: tables, references: references, skipped: skipped)
  }

  private func headers(
    of found: FoundSources, _ skipped: inout [String]
  ) throws(IngestError) -> [UndescribedTable] {
    var tables: [UndescribedTable] = []
    for source in found.sources {
      do throws(IngestError) {
        let table = try UndescribedTable(source, recordLimit: options.recordLimit)
        if let reason = table.reasonToSkip {
          skipped.append(reason)
        } else {
          tables.append(table)
        }
      } catch {
        guard source.file.name.contains(".txt"),
          error.code == .headerMissing || error.code == .tooManyColumns
        else { throw error }
        skipped.append("\(source.file.name): its first line is not a header")
      }
    }
    return tables
  }

  private func survey(
    _ undescribed: [UndescribedTable], _ skipped: inout [String]
  ) throws(IngestError) -> [SurveyedTable] {
    var tables: [SurveyedTable] = []
    var memory = options.keyMemory
    for (place, table) in undescribed.enumerated() {
      let others = undescribed.indices.filter { $0 != place }.map { undescribed[$0].words }
      let search = KeySearch(table: table, others: others, options: options)
      var candidates = KeyCandidates(
        search.singles, fieldCount: table.columns.count, limit: memory, seed: seed)
      var surveyed = try SurveyedTable(table, &candidates, recordLimit: options.recordLimit)
      guard surveyed.records > 0 || surveyed.unreadable == 0 else {
        skipped.append("\(table.source.file.name): no line has as many fields as the first")
        continue
      }
      search.chooseSingle(candidates, for: &surveyed)
      if let key = surveyed.singleKey, isNamed(key, of: table, among: undescribed) {
        surveyed.keyValues = candidates.live.first { $0.columns == [key] }?.values
        memory -= surveyed.keyValues?.bytes ?? 0
      }
      candidates = KeyCandidates([], fieldCount: 0, limit: 0, seed: seed)
      try search.chooseSeveral(for: &surveyed, limit: memory, seed: seed)
      tables.append(surveyed)
    }
    return tables
  }

  /// Whether the name of any column suggests a reference to the key; only then its values are needed.
  private func isNamed(
    _ key: Int, of parent: UndescribedTable, among tables: [UndescribedTable]
  ) -> Bool {
    guard let keyWords = parent.columns[key]?.words else { return false }
    return tables.contains { table in
      table.columns.compactMap(\.self).contains { column in
        let isSelf = table.source.table == parent.source.table
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
          "named like a reference to \(parent.name).\(parent.keyNames[0]), which lacks the value on line "
            + "\(line.grouped), so not treated as one")
      } else {
        chosen.append(candidate)
      }
    }
    return chosen
  }
}
