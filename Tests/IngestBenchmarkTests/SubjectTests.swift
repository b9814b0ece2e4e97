import AllocationCounter
import DumpGenerator
import Foundation
import TestSupport
import Testing

@testable import ingest_benchmark

struct SubjectTests {
  private func measure(_ subject: Subject, _ bench: Bench) throws -> Report {
    var report = Report(
      conditions: Conditions(
        machine: .current, sqlite: "3", rounds: bench.workbench.rounds, rows: bench.workbench.rows))
    try subject.measure(with: bench.workbench, into: &report)
    return report
  }

  @Test(
    .needs(.sqlite3),
    arguments: [
      // 7 candidates with 4 page sizes, and 2 with rowids.
      (Subject.hotPath, 35, 0), (.stages, 15, 3), (.indexes, 4, 1), (.importing, 4, 2),
      (.wholeJob, 13, 4),
      (.growth, allocations_are_counted() ? 9 : 6, allocations_are_counted() ? 2 : 1),
      (.rejects, 8, 6),
      // 2 inserts of integers, 3 of parts, 2 and 2 reads, in memory and in a file.
      (.layer, 47, 32), (.questions, 34, 34), (.additions, 6, 1),
    ])
  func `all sides do the same work`(subject: Subject, count: Int, bars: Int) throws {
    let bench = try Bench()
    let report = try measure(subject, bench)
    try #require(report.notes.isEmpty)
    #expect(
      report.measurements.count == count && report.measurements.count { $0.bar != nil } == bars)
    for measurement in report.measurements where measurement.unit != .allocationsPerMillionRows {
      #expect(measurement.figure.least > 0, "\(measurement)")
      #expect(measurement.comparison.map { $0.ratio.least > 0 } ?? true, "\(measurement)")
    }
    let names = Set(report.measurements.map { "\($0.name), \($0.unit)" })
    #expect(names.count == count, "a baseline tells figures apart by name and unit")
    #expect(try bench.leftovers == [])
    #expect(try Report(json: report.json).measurements == report.measurements)
  }

  @Test(
    arguments: LongTests.areOn
      ? [
        Subject.hotPath, .stages, .indexes, .importing, .wholeJob, .growth, .rejects, .questions,
        .additions,
      ] : [.importing])
  func `incorrectly loaded data ends the run`(subject: Subject) throws {
    let bench = try Bench()
    let dumps = bench.workbench.dumps
    for rows in [100, 400, 1600] { _ = try dumps.contents(rows: rows) }
    // Now other rows take their place.
    for form in [Dumps.Form.compressed, .plain, .quoted] {
      let folder = try dumps.folder(rows: 400, form)
      try DumpSet(rows: 500, seed: 2, quotesEveryField: form == .quoted)
        .write(to: folder, compressed: form == .compressed)
    }
    let failure = #expect(throws: Failure.self) { try measure(subject, bench) }
    #expect(failure?.status == 70 && failure?.message.contains("there should be") == true)
  }

  @Test func `what the generator wrote is counted right`() throws {
    let bench = try Bench(rows: 250)
    let contents = try bench.workbench.contents
    let text = try String(
      contentsOfFile: bench.workbench.dumps(.plain) + "/inventory_parts.csv", encoding: .utf8)
    let records = text.split(separator: "\r\n").dropFirst().map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    func sums(_ records: some Sequence<[Substring]>) -> Sums {
      records.reduce(into: Sums()) { sums, record in
        sums.rows += 1
        sums.integers += [0, 2, 3].reduce(0) { $0 + (Int64(record[$1]) ?? 0) }
        sums.integers += record[4] == "True" ? 1 : 0
        sums.textBytes += Int64(record[1].utf8.count + record[5].utf8.count)
      }
    }
    #expect(contents.partSums == sums(records) && contents.partSums.rows == 250)
    #expect(contents.keptPartSums == sums(records.prefix(200)))
    #expect(
      contents.records["inventory_parts"] == 250
        && contents.bytes["inventory_parts"] == text.utf8.count)
    #expect(
      contents.records.count == 12
        && contents.columns["inventories"] == ["id", "version", "set_num"])
  }

  @Test func `the peak memory of the whole job is its own`() throws {
    let bench = try Bench()
    let size = 300 << 20
    let block = [UInt8](repeating: 1, count: size)
    let source = try bench.workbench.dumps(.compressed)
    let job = try WholeJob(
      by: bench.workbench.executable, source, bench.workbench.freshPath("catalog"))
    #expect(block[size - 1] == 1 && job.peakMegabytes > 1)
    #expect(job.peakMegabytes < Double(size) / 1e6)
  }

  @Test func `a failing or missing program is reported`() throws {
    let outcome = try ChildProcess.run("/bin/sh", ["-c", "echo \"$1\"", "sh", "a b"])
    #expect(outcome.output == "a b\n" && outcome.seconds > 0)
    for (script, reason) in [("exit 3", "exit status 3"), ("kill -9 $$", "signal 9")] {
      #expect(throws: Failure(status: 70, message: "/bin/sh -c \(script) ended with \(reason)")) {
        try ChildProcess.run("/bin/sh", ["-c", script])
      }
    }
    #expect(throws: Failure.self) { try ChildProcess.run("/bin/no-such-program", []) }
  }

  @Test(.enabled(if: allocations_are_counted()))
  func `every way of allocating counts`() throws {
    // Other tests allocate, too, so there may be more.
    let before = allocation_count()
    var addresses: [UnsafeMutableRawPointer?] = unsafe []
    unsafe addresses.reserveCapacity(600)
    for _ in 0..<100 {
      unsafe addresses.append(malloc(8))
      unsafe addresses.append(calloc(1, 8))
      unsafe addresses.append(realloc(nil, 8))
      unsafe addresses.append(aligned_alloc(64, 64))
      var aligned: UnsafeMutableRawPointer?
      #expect(unsafe posix_memalign(&aligned, 64, 8) == 0)
      unsafe addresses.append(aligned)
    }
    #expect(allocation_count() - before >= 500)
    var refused: UnsafeMutableRawPointer?
    #expect(unsafe posix_memalign(&refused, 3, 8) == EINVAL)
    unsafe addresses.forEach { unsafe free($0) }
  }
}
