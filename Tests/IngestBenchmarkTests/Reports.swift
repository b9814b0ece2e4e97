@testable import ingest_benchmark

/// A report of some measurements.
func makeReport(_ measurements: [Measurement]) -> Report {
  Report(
    conditions: Conditions(
      machine: Machine(processor: "A \"fast\" one\\\u{1F}", processors: 2, system: "Linux 6"),
      sqlite: "3.40.1", rounds: 3, rows: 1_500_000),
    measurements: measurements, notes: ["nothing is compared"])
}

/// A measurement that is compared with nothing.
func makeMeasurement(
  _ name: String, _ unit: Unit, _ figures: [Double], subject: Subject = .stages
) -> Measurement {
  Series(name: name, unit: unit, figures: figures).measurement(of: subject)
}
