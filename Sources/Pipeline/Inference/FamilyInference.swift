import Schema
import SourceFiles
import Validation
package import Vocabulary
import Text

/// Infers the description of CSV files: the types of their columns, their keys and their references.
///
/// Every file is read completely, up to six times, and little of it is kept in memory, so the result holds for all
/// records.
package struct FamilyInference {
  private let options: InferenceOptions
  private let seed = HashSeed()

  package init(options: InferenceOptions) { self.options = options }

  package func run() throws(IngestError) -> InferredFamily {
    let found = try FoundSources(options)
    var skipped: [String] = []
    let undescribed = try headers(of: found, &skipped)
    var tables = try survey(undescribed, &skipped)
    guard !tables.isEmpty else {
      throw IngestError(
        .data, code: .file(.headerMissing),
        "\(options.source): no readable CSV file found: \(skipped.joined(separator: "; ")). Check --source."
      )
    }
    let references = try findReferences(among: &tables)
    let missing = MissingWords.all.filter { text in
      tables.contains { $0.columns.contains { $0.has(missing: text) } }
    }
    for table in tables.indices {
      // Files separated by tabs are often exports of databases.
      let isExport = tables[table].undescribed.delimiter == "\t"
      let texts =
        isExport && missing.last != MissingWords.marker ? missing + [MissingWords.marker] : missing
      for column in tables[table].columns.indices {
        tables[table].columns[column].expectMissingValues(texts)
      }
    }
    return InferredFamily(
      name: found.name, tables: tables, references: references, skipped: skipped)
  }

  private func headers(
    of found: FoundSources, _ skipped: inout [String]
  ) throws(IngestError) -> [UndescribedTable] {
    var tables: [UndescribedTable] = []
    for source in found.sources {
      do throws(IngestError) {
        let table = try UndescribedTable(source, options)
        if let reason = table.reasonToSkip {
          skipped.append(reason)
        } else {
          tables.append(table)
        }
      } catch {
        skipped.append(try Self.reasonToSkip(error))
      }
    }
    return tables
  }

  /// Why a file with bad data is skipped; throws any other error.
  private static func reasonToSkip(_ error: IngestError) throws(IngestError) -> String {
    guard error.kind == .data else { throw error }
    return error.message
  }

  private func survey(
    _ undescribed: [UndescribedTable], _ skipped: inout [String]
  ) throws(IngestError) -> [SurveyedTable] {
    var tables: [SurveyedTable] = []
    var memory = options.keyMemory
    for (place, table) in undescribed.enumerated() {
      let others = undescribed.indices.filter { $0 != place }.map { undescribed[$0] }
      let wholes = others.filter { $0.words.isBeginning(of: table.words) }
      let search = KeySearch(
        table: table, others: others.map(\.words),
        columnsOfWhole: wholes.flatMap { $0.columns.compactMap(\.self) }, options: options)
      var candidates = KeyCandidates(
        search.singles, fieldCount: table.columns.count, limit: memory, seed: seed)
      var surveyed: SurveyedTable
      do throws(IngestError) {
        surveyed = try SurveyedTable(table, &candidates)
      } catch {
        skipped.append(try Self.reasonToSkip(error))
        continue
      }
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

  /// Whether any column may be a reference to the key; only then its values are needed.
  private func isNamed(
    _ key: Int, of parent: UndescribedTable, among tables: [UndescribedTable]
  ) -> Bool {
    guard let keyWords = parent.columns[key] else { return false }
    return tables.contains { table in
      table.columns.compactMap(\.self).contains { column in
        let isSelf = table.source.table == parent.source.table
        return column.isReferenceLike
          || column.fit(in: table.words, to: keyWords, of: parent.words, isSelf: isSelf) > 0
      }
    }
  }

  private func findReferences(
    among tables: inout [SurveyedTable]
  ) throws(IngestError) -> [[ReferenceSearch.Candidate]] {
    let search = ReferenceSearch(tables: tables, seed: seed)
    var references: [[ReferenceSearch.Candidate]] = []
    for index in tables.indices {
      let candidates = try search.check(search.candidates(of: index), of: tables[index])
      references.append(choose(among: candidates, of: &tables[index], search.tables))
    }
    return references
  }

  /// Notes that a column may refer to one of several tables, so that none of them is sure.
  private func note(_ parents: [String], of column: Int, _ table: inout SurveyedTable) {
    let names = parents.prefix(3).joined(separator: ", ")
    let others = parents.count > 3 ? " and \(parents.count - 3) more" : ""
    let words = "each value is in the keys of \(names)\(others), so not treated as a reference"
    if !table.columns[column].words.contains(words) { table.columns[column].words.append(words) }
  }

  private func choose(
    among candidates: [ReferenceSearch.Candidate], of table: inout SurveyedTable,
    _ tables: [SurveyedTable]
  ) -> [ReferenceSearch.Candidate] {
    var chosen: [ReferenceSearch.Candidate] = []
    for candidate in candidates {
      let isTaken = chosen.contains { $0.column == candidate.column }
      guard !isTaken, candidate.values > 0 else { continue }
      let equals = candidates.filter {
        $0.column == candidate.column && $0.fit == candidate.fit && $0.firstMissing == nil
      }
      if equals.count > 1 {
        note(equals.map { tables[$0.parent].name }, of: candidate.column, &table)
        continue
      }
      if candidate.fit == ReferenceSearch.fitOfValues {
        // Without a name that fits, only one table may have all the values.
        if candidate.firstMissing == nil { chosen.append(candidate) }
        continue
      }
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
