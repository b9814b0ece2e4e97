/// The SQLite layer that other programs use, beside loops in C, in memory and in a file.
struct Layer {
  /// The most rows; half a million texts of Swift's take a while to make.
  private static let limit = 200_000

  private let workbench: Workbench

  init(_ workbench: Workbench) { self.workbench = workbench }

  func measurements() throws -> [Measurement] {
    let stores = [Store.memory, .file(path: "\(workbench.folder)/layer")]
    let parts = min(workbench.rows, Self.limit)
    let integers = parts / 4
    let work = try stores.flatMap { store in
      defer { store.clear() }
      let works: [() throws -> LayerWork] = [
        { compareInsertsOfIntegers(rows: integers, on: store) },
        { compareInsertsOfParts(rows: parts, on: store) },
        { try compareReadsOfIntegers(rows: integers, on: store) },
        { try compareReadsOfParts(rows: parts, on: store) },
        { try compareReadsOfModels(rows: parts, on: store) },
      ]
      return try works.flatMap { try $0().measurements(rounds: workbench.rounds) }
    }
    return try work
      + compareLookups(rows: integers / 2, rounds: workbench.rounds, in: workbench.folder)
      + compareSleeps(rounds: workbench.rounds, in: workbench.folder)
  }
}
