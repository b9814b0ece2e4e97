import Platform
import Glibc
import TestSupport
import Testing
@testable import SQLiteFormat

struct PackedMergeTests {
  /// Spills some runs, merges them, and returns the entries.
  private func merge(_ runs: [[UInt64]], claimed: Int = 0) throws -> [UInt64] {
    let workplace = try Workplace()
    var file = SpillFile(memory: (workplace.path, 2000), disk: workplace.path)
    var spilled: [SpillFile.Run] = []
    for run in runs {
      try file.begin()
      for entry in run { try file.append(entry: entry) }
      let (number, offset, bytes) = (file.run.file, file.run.offset, file.run.bytes + claimed)
      spilled.append(SpillFile.Run(file: number, offset: offset, bytes: bytes))
    }
    try file.flush()
    var merge = PackedMerge(spilled)
    var merged: [UInt64] = []
    while let entry = try merge.next(file) { merged.append(entry) }
    let after = try merge.next(file)
    #expect(after == nil)
    return merged
  }

  @Test(arguments: [1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 100, 1500], [1, 60, 3000])
  func `runs become one`(count: Int, longest: Int) throws {
    var random = SeededGenerator(seed: UInt64(count * 10_000 + longest))
    // Few numbers at both ends of the range, and many between.
    var used: Set<UInt64> = [0, 1, PackedLayout.end - 1]
    while used.count < count * min(longest, 20_000 / count + 1) {
      used.insert(.random(in: 0..<PackedLayout.end, using: &random))
    }
    var runs = [[UInt64]](repeating: [], count: count)
    for entry in used { runs[Int.random(in: 0..<count, using: &random)].append(entry) }
    // No run is empty.
    runs = runs.filter { !$0.isEmpty }.map { $0.sorted() }
    #expect(try merge(runs) == used.sorted())
  }

  @Test func `no run has no entries`() throws { #expect(try merge([]) == []) }

  @Test func `runs that do not overlap, and such as do`() throws {
    let all = (0..<40_000).map { UInt64($0) << 40 }
    #expect(try merge([Array(all[..<20_000]), Array(all[20_000...])]) == all)
    let odd = all.indices.filter { $0 % 2 == 1 }.map { all[$0] }
    let even = all.indices.filter { $0 % 2 == 0 }.map { all[$0] }
    #expect(try merge([even, odd]) == all)
  }

  @Test(arguments: 1...20)
  func `a file shorter than its runs is an error`(missing: Int) {
    let error = #expect(throws: FileError.self) { _ = try merge([[1, 2], [3]], claimed: missing) }
    #expect(error?.code == EIO)
  }

  @Test func `the number after all entries is an error among them`() {
    #expect(throws: FileError(code: damagedFile)) { try merge([[1, PackedLayout.end], [2, 3]]) }
  }
}
