import CatalogQuestions
import RebrickableCatalog
import SQLiteSwiftly

/// The questions by which the indexes are chosen, on a catalog of the dumps.
struct Questions {
  private let workbench: Workbench

  init(_ workbench: Workbench) { self.workbench = workbench }

  func measurements() throws -> [Measurement] {
    let path = workbench.freshPath("asked.sqlite")
    defer { removeFile(path) }
    _ = try WholeJob(by: workbench.executable, workbench.dumps(.compressed), path)
    try checkCatalog(path, workbench.contents)
    let limited =
      RebrickableCatalog.questions.map { ($0, $0.kind == .lookup ? 5 : 1000) }
      + RebrickableCatalog.surveys.map { ($0.question, $0.limit) }
    let sides = limited.map { question, _ in
      Side(name: question.name) { try ask(question, path) }
    }
    return zip(limited, try inTurn(sides, rounds: workbench.rounds)).map {
      Series(name: $0.0.name, unit: .milliseconds, figures: $1)
        .measurement(of: .questions, bar: .atMost($0.1))
    }
  }

  /// Asks once, as a program does that has just opened the catalog, and returns the milliseconds.
  private func ask(_ question: CatalogQuestion, _ path: String) throws -> Double {
    let values = try question.hardestValues(in: Connection(path, opening: .readOnly))
    let connection = try Connection(path, opening: .readOnly)
    var rows = 0
    let seconds = try clockSeconds { rows = try connection.query(question.sql, values).count }
    // Source files may have one image for each part and color.
    let mayBeEmpty = RebrickableCatalog.surveys.contains { $0.question.name == question.name }
    guard rows > 0 || mayBeEmpty else {
      throw Failure.fault("the query \(question.name) has no result")
    }
    return seconds * 1000
  }
}
