@testable import Vocabulary
import Foundation
import TestSupport
import Testing
@testable import ingest

@Suite struct ProgressTests {
  private static let line = ProgressLine(
    share: 0.4791, name: "inventory_parts", nameColumns: 18, recordsPerSecond: 451_999,
    rejected: 44_057, secondsLeft: 63.4)

  @Test(arguments: [
    (
      100,
      "[############...............]   47%  inventory_parts      451k rows/s   44,057 rejected   "
        + "1:03 left"
    ),
    (80, "[###....]   47%  inventory_parts      451k rows/s   44,057 rejected   1:03 left"),
    (78, " 47%  inventory_parts      451k rows/s   44,057 rejected   1:03 left"),
    (60, " 47%  inventory_parts      44,057 rejected   1:03 left"),
    (40, " 47%  inventory_parts      1:03 left"), (20, " 47%  inventory_par"), (1, ""), (0, ""),
  ])
  func `a line shows as much as fits on the terminal`(columns: Int, text: String) {
    #expect(Self.line.text(columns: columns) == text)
  }

  /// Parts to the right do not move while numbers grow.
  @Test(arguments: [20, 40, 60, 80, 120, 300])
  func `a line always has the same length`(columns: Int) {
    var lengths: Set<Int> = []
    for (share, rate, rejected, left) in [
      (0.0, nil, 0, nil), (0.05, 1.0, 1, 3599.6), (0.999, 9_999_999, 999_999, 0), (1, nil, 7, 60.2),
    ] as [(Double, Double?, Int, Double?)] {
      let line = ProgressLine(
        share: share, name: "sets", nameColumns: 18, recordsPerSecond: rate, rejected: rejected,
        secondsLeft: left)
      lengths.insert(line.text(columns: columns).count)
    }
    #expect(lengths.count == 1 && lengths.first! < columns)
  }

  private func counts(_ stage: StageTime.Stage, read: Int = 1000) -> RunProgress.Counts {
    var counts = RunProgress.Counts(stage)
    (counts.bytes, counts.bytesRead, counts.records) = (1000, read, read * 10)
    return counts
  }

  /// A run that reads for 35 seconds, with typical other stages.
  @Test func `the estimated end is stable`() {
    var estimate = ProgressEstimate([.read, .derive, .search, .index, .sql, .verify, .publish])
    estimate.update(counts(.read, read: 0), at: 5)
    #expect(estimate.share == 0 && estimate.secondsLeft == nil)
    estimate.update(counts(.read, read: 100), at: 5.5)
    #expect(estimate.secondsLeft == nil)
    var shares: [Double] = []
    for tick in 10...999 {
      let seconds = Double(tick) / 10
      let stage: StageTime.Stage =
        switch seconds {
        case ..<35: .read
        case ..<46: .derive
        case ..<64: .search
        case ..<75: .index
        case ..<99: .verify
        default: .publish
        }
      estimate.update(counts(stage, read: min(Int(seconds / 35 * 1000), 1000)), at: 5 + seconds)
      shares.append(estimate.share)
      if tick > 100 { #expect(abs(estimate.secondsLeft! - (100 - seconds)) < 4, "\(seconds)") }
    }
    #expect(shares == shares.sorted() && shares.last! > 0.98 && shares.last! < 1)
    #expect(estimate.recordsPerSecond == nil)
  }

  @Test func `a slow stage is not shown as complete`() {
    var estimate = ProgressEstimate([.read, .compare])
    for (stage, seconds) in [(StageTime.Stage.read, 0.0), (.read, 10), (.compare, 10.1)] {
      estimate.update(counts(stage), at: seconds)
    }
    estimate.update(counts(.compare), at: 1000)
    #expect(estimate.share > 0.98 && estimate.share < 1)
  }

  @Test(arguments: [
    ([], ProgressMode.auto), (["--progress", "always"], .always), (["--progress=never"], .never),
  ])
  func `the mode is an option`(words: [String], mode: ProgressMode) throws {
    let arguments = try Arguments(["--source", "a", "--out", "b"] + words, tables: [])
    #expect(arguments.progress == mode)
  }

  /// Runs the command on a terminal, and returns its output; it may wait in the middle until a line is shown.
  private func onTerminal(
    _ command: Command, columns: Int, _ options: String, environment: String = "TERM=xterm",
    untilShown: Bool = false
  ) throws -> String {
    let load = "\(environment) \(try Command.executable()) --source \(Command.fixtures)/dumps-2020"
    let words = "stty cols \(columns) rows 24; \(load) --out \(command.catalog) \(options)"
    let terminal = ChildProcess("script", ["-qefc", words, "/dev/null"])
    let outcome: ChildProcess.Outcome
    if untilShown {
      let held = try HeldRun(terminal, .open, ".catalog.sqlite.ingest/database", number: 3)
      try held.running.wait { try held.running.outputSoFar().contains("%  ") }
      outcome = try held.outcome()
    } else {
      outcome = try terminal.run()
    }
    #expect(outcome.status == 0, "\(outcome)")
    return outcome.output.replacing("\r\n", with: "\n")
  }

  @Test(.needs(.script), arguments: [80, 40])
  func `the line is removed from the terminal, and messages are complete`(columns: Int) throws {
    let command = try Command()
    let sent = try onTerminal(command, columns: columns, "-v --max-shrink 100%", untilShown: true)
    let lines = sent.matches(of: /\r([^\r\n\x1b]+)\x1b\[J\r/).map { String($0.1) }
    #expect(!lines.isEmpty && lines.allSatisfy { $0.contains("%  ") && $0.count < columns })
    let messages = sent.replacing(/\r[^\r\n\x1b]+\x1b\[J\r/, with: "")
      .replacing(/\r\x1b\[J/, with: "")
    #expect(!messages.contains("\r") && messages.contains("verifying: 0."), "\(messages)")
    let shown = Screen(columns: columns, showing: sent).lines
    #expect(shown == Screen(columns: columns, showing: messages).lines)
  }

  @Test(
    .needs(.script),
    arguments: [
      ("--quiet", "TERM=xterm"), ("--progress never", "TERM=xterm"),
      ("", "TERM=dumb"), ("", "TERM="), ("2>&1 | cat", "TERM=xterm"),
    ])
  func `a file in the way is not replaced`(options: String, environment: String) throws {
    let sent = try onTerminal(Command(), columns: 80, options, environment: environment)
    #expect(!sent.contains("\u{1b}") && !sent.contains("%  "), "\(sent)")
  }
}
