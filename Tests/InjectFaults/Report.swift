/// What is printed of the trials.
struct Report {
  let tally: Tally
  let situations: [String]

  func print(limit: Int) {
    for (trial, faults) in tally.failures.prefix(limit) {
      Swift.print("FAILED \(trial.situation.name): \(trial.kind) \(trial.fault)")
      for fault in faults { Swift.print("  - \(fault)") }
      Swift.print("  again: inject-faults \(trial.repetition)")
    }
    if tally.failures.count > limit {
      Swift.print("... and \(tally.failures.count - limit) more failures")
    }
    for trial in tally.unreached.prefix(limit) {
      Swift.print("not reached: inject-faults \(trial.repetition)")
    }
    let header = ["points", "fault"] + situations + ["all", "s"]
    var rows: [[String]] = []
    for (kind, faults) in tally.counts.sorted(by: { $0.key < $1.key }) {
      for (fault, counts) in faults.sorted(by: { $0.key < $1.key }) {
        let numbers = situations.map { counts[$0, default: 0] }
        let seconds = String(Int(tally.seconds[kind]?[fault]?.rounded() ?? 0))
        rows.append(
          [kind, fault] + (numbers + [numbers.reduce(0, +)]).map(String.init) + [seconds])
      }
    }
    for line in table([header] + rows) { Swift.print(line) }
  }

  private func table(_ rows: [[String]]) -> [String] {
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      row.enumerated().map { column, cell in
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        return column < 2 ? cell + padding : padding + cell
      }.joined(separator: "  ")
    }
  }
}
