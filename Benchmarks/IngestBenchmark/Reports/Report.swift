/// The results of a benchmark run.
struct Report {
  let conditions: Conditions
  var measurements: [Measurement] = []
  /// Notes on skipped measurements.
  var notes: [String] = []

  /// A measurement by its place in the report.
  func measurement(_ subject: Subject, _ name: String, _ unit: Unit) -> Measurement? {
    measurements.first { $0.subject == subject && $0.name == name && $0.unit == unit }
  }
}

/// The machine, the versions, and the number of rounds.
struct Conditions: Equatable {
  let machine: Machine
  let sqlite: String
  let rounds: Int
  /// Rows of inventory_parts in the dumps.
  let rows: Int
}
