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
    var skipped = found.skipped
    let undescribed = try headers(of: found, &skipped)
    var tables = try survey(undescribed, &skipped)
    guard !tables.isEmpty else {
      throw IngestError(
        .data, code: .file(.headerMissing),
        "\(options.source): no readable CSV file found: "
          + skipped.map { $0.asSentence + " " }.joined() + "Check --source."
      )
    }
    let references = try findReferences(among: &tables)
    let missing = MissingWords.all.filter { text in
      tables.contains { $0.columns.contains { $0.has(missing: text) } }
    }
    for table in tables.indices {
      // Files separated by tabs are often exports of databases.
      let isExport = tables[table].undescribed.dialect.delimiter == "\t"
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
      if let advice = MislabeledFile.advice(on: source.file) {
        skipped.append("\(source.file.name): \(advice)")
        continue
      }
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

  /// Why a file that cannot be read, or has bad data, is skipped; throws any other error.
  private static func reasonToSkip(_ error: IngestError) throws(IngestError) -> String {
    guard [.data, .inputMissing].contains(error.kind) else { throw error }
    return error.message
  }

  private func survey(
    _ undescribed: [UndescribedTable], _ skipped: inout [String]
  ) throws(IngestError) -> [SurveyedTable] {
    var tables: [SurveyedTable] = []
    var memory = options.keyMemory
    let names = FamilyNames(undescribed)
    for (place, table) in undescribed.enumerated() {
      let search = KeySearch(
        table: table, others: { names.tables(near: $0, besides: place) },
        columnsOfWhole: names.columnsOfWhole(of: place), options: options)
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
        skipped.append(
          "\(table.source.file.name): none of \(surveyed.unreadable.of("record")) has "
            + "\(table.columns.count.of("field")), like the first line")
        continue
      }
      search.chooseSingle(candidates, for: &surveyed)
      if let key = surveyed.singleKey, isNamed(key, of: place, names, undescribed) {
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
    _ key: Int, of place: Int, _ names: FamilyNames, _ tables: [UndescribedTable]
  ) -> Bool {
    guard !names.hasReferenceLike, let keyWords = tables[place].columns[key] else { return true }
    return names.columns(near: key, of: place).contains { table, column in
      let words = tables[table].columns[column]
      return words?.fit(
        in: tables[table].words, to: keyWords, of: tables[place].words, isSelf: table == place)
        ?? 0 > 0
    }
  }

  private func findReferences(
    among tables: inout [SurveyedTable]
  ) throws(IngestError) -> [[ReferenceSearch.Candidate]] {
    let search = ReferenceSearch(tables: tables, seed: seed)
    var references: [[ReferenceSearch.Candidate]] = []
    for (index, candidates) in search.candidates.enumerated() {
      let candidates = try search.check(candidates, of: tables[index])
      references.append(choose(among: candidates, of: &tables[index], search.tables))
    }
    return references
  }

  /// Chooses the best candidate for each column, unless another fits as well.
  private func choose(
    among candidates: [ReferenceSearch.Candidate], of table: inout SurveyedTable,
    _ tables: [SurveyedTable]
  ) -> [ReferenceSearch.Candidate] {
    var chosen: [ReferenceSearch.Candidate] = []
    let byColumn = Dictionary(grouping: candidates, by: \.column)
    for (column, candidates) in byColumn.sorted(by: { $0.key < $1.key }) {
      // The best come first.
      for candidate in candidates where candidate.fit != ReferenceSearch.fitOfValues {
        guard let line = candidate.firstMissing else { break }
        let parent = tables[candidate.parent]
        note(
          "named like a reference to \(parent.name).\(parent.keyNames[0]), which lacks the value on line "
            + line.grouped, &table.columns[column])
      }
      let fitting = candidates.filter { $0.firstMissing == nil && $0.isOfOthers }
      let equals = fitting.filter { $0.fit == fitting[0].fit }
      if equals.count > 1 {
        let names = equals.prefix(3).map { tables[$0.parent].name }.joined(separator: ", ")
        let others = equals.count > 3 ? " and \(equals.count - 3) more" : ""
        note("each value is in the keys of \(names)\(others)", &table.columns[column])
      } else {
        chosen += equals
      }
    }
    return chosen
  }

  private func note(_ reason: String, _ column: inout ColumnConclusion) {
    column.words.append(reason + ", so not treated as a reference")
  }
}
