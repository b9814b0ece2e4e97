import Platform
import Glibc
import TestSupport
import Testing
@testable import SQLiteFormat

struct RunMergeTests {
  /// Spills some runs, merges them, and returns the keys.
  private func merge(
    _ runs: [[[UInt8]]], memory: Int = 100_000, claimed: Int = 0, longestKey: Int? = nil
  ) throws -> [[UInt8]] {
    let workplace = try Workplace()
    var file = SpillFile(memory: (workplace.path, memory), disk: workplace.path)
    var spilled: [SpillFile.Run] = []
    for run in runs {
      try file.begin()
      for key in run {
        let buffer = ByteBuffer([7] + key)
        try file.append(key: 1..<buffer.count, of: buffer)
      }
      let (number, offset, bytes) = (file.run.file, file.run.offset, file.run.bytes + claimed)
      spilled.append(SpillFile.Run(file: number, offset: offset, bytes: bytes))
    }
    try file.flush()
    var merge = RunMerge(spilled, longestKey: longestKey ?? runs.joined().map(\.count).max() ?? 0)
    var merged: [[UInt8]] = []
    while try merge.next(file) { merged.append(merge.buffer.bytes(merge.key)) }
    return merged
  }

  /// A key that is the beginning of no other: it ends with the only zero.
  private func key(_ most: Int, _ random: inout SeededGenerator) -> [UInt8] {
    let letters = [UInt8.random(in: 1...255, using: &random), 0x61, 0xff]
    return (0..<Int.random(in: 0..<most, using: &random)).map { letters[$0 % 3] } + [0]
  }

  private func sorted(_ keys: [[UInt8]]) -> [[UInt8]] {
    keys.sorted { $0.lexicographicallyPrecedes($1) }
  }

  @Test(arguments: [1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 100], [1, 9, 300])
  func `runs become one`(count: Int, longest: Int) throws {
    var random = SeededGenerator(seed: UInt64(count * 1000 + longest))
    let runs = (0..<count).map { _ in
      sorted((0..<Int.random(in: 1...60, using: &random)).map { _ in key(longest, &random) })
    }
    #expect(try merge(runs, memory: 2000) == sorted(Array(runs.joined())))
  }

  @Test func `no run has no keys`() throws { #expect(try merge([]) == []) }

  @Test func `keys may be longer than the bytes read ahead`() throws {
    var random = SeededGenerator(seed: 3)
    let runs = (0..<6).map { _ in sorted((0..<8).map { _ in key(100_000, &random) }) }
    #expect(try merge(runs) == sorted(Array(runs.joined())))
    let longest = [UInt8](repeating: 0x62, count: 99_999) + [0]
    #expect(try merge([[longest], [longest, [0x63, 0]]]) == [longest, longest, [0x63, 0]])
  }

  /// Of one run after the other, and of all at a time.
  @Test func `runs that do not overlap, and such as do`() throws {
    let keys = (0..<40_000).map { [UInt8($0 >> 8) | 1, UInt8($0 & 0xff) | 1, 0] }
    let first = sorted(keys)
    #expect(try merge([Array(first[..<20_000]), Array(first[20_000...])]) == first)
    let odd = first.indices.filter { $0 % 2 == 1 }.map { first[$0] }
    let even = first.indices.filter { $0 % 2 == 0 }.map { first[$0] }
    #expect(try merge([even, odd]) == first)
  }

  @Test(arguments: 1...20)
  func `a file shorter than its runs is an error`(missing: Int) {
    let error = #expect(throws: FileError.self) {
      _ = try merge([[[1, 0], [2, 0]], [[3, 0]]], claimed: missing)
    }
    #expect(error?.code == EIO)
  }

  @Test func `a key that is longer than any, or empty, is an error`() {
    #expect(throws: FileError(code: damagedFile)) {
      try merge([[[0x61, 0], [0x62, 0x62, 0]]], longestKey: 2)
    }
    #expect(throws: FileError(code: damagedFile)) { try merge([[[0x61, 0], []]]) }
  }

  @Test func `a key that goes beyond the end of its run is an error`() throws {
    let workplace = try Workplace()
    var file = SpillFile(memory: nil, disk: workplace.path)
    try file.begin()
    let key = ByteBuffer([1, 2, 3, 4, 5, 6, 7, 0])
    try file.append(key: 0..<8, of: key)
    try file.flush()
    let run = SpillFile.Run(file: 0, offset: 0, bytes: 5)
    var merge = RunMerge([run], longestKey: 8)
    let code: Int32
    do throws(FileError) {
      _ = try merge.next(file)
      code = 0
    } catch {
      code = error.code
    }
    #expect(code == damagedFile)
  }
}
