import Platform
import Glibc
import TestSupport
import Testing
@testable import SQLiteFormat

struct SpillFileTests {
  /// Appends a run of keys that all are the byte `fill`.
  private func append(
    _ sizes: [Int], fill: UInt8, to file: inout SpillFile
  ) throws -> SpillFile.Run {
    try file.begin()
    for size in sizes {
      let key = ByteBuffer([UInt8](repeating: fill, count: size))
      try file.append(key: 0..<size, of: key)
    }
    return file.run
  }

  private func expected(_ sizes: [Int], fill: UInt8) -> [UInt8] {
    sizes.flatMap { size in
      var number = ByteBuffer(count: 8)
      let count = RecordFormat.put(varint: size, in: &number, at: 0)
      return number.bytes(0..<count) + [UInt8](repeating: fill, count: size)
    }
  }

  private static let sizes = [
    [1], [0, 1, 2], [127, 128, 129], [65_000, 600, 16_383, 16_384], [70_000, 1, 200_000],
    [Int](repeating: 9, count: 20_000),
  ]

  @Test(arguments: [nil, 0, 1, 500, 100_000, 1 << 30])
  func `spilled bytes are read again, in part and as a whole`(memory: Int?) throws {
    let folders = try (memory: Workplace(), disk: Workplace())
    let limit = memory.map { (folder: folders.memory.path, bytes: $0) }
    var file = SpillFile(memory: limit, disk: folders.disk.path)
    var runs: [SpillFile.Run] = []
    for (number, sizes) in Self.sizes.enumerated() {
      runs.append(try append(sizes, fill: UInt8(number + 1), to: &file))
    }
    try file.flush()
    var first = 0
    for (number, run) in runs.enumerated() {
      let expected = expected(Self.sizes[number], fill: UInt8(number + 1))
      #expect(run.bytes == expected.count)
      // A run is written to the disk once the previous ones have filled the memory.
      #expect(run.file == (memory.map { number > 0 && first >= $0 ? 1 : 0 } ?? 0))
      first += run.bytes
      for range in [0..<expected.count, expected.count / 3..<expected.count / 2, 1..<1] {
        var buffer = ByteBuffer(count: range.count + 3)
        try file.read(range, of: run, into: &buffer, at: 2)
        #expect(buffer.bytes(2..<2 + range.count) == Array(expected[range]))
      }
    }
    #expect(try folders.memory.names + folders.disk.names == ["dumps", "dumps"])
  }

  @Test func `reading beyond the end is an error`() throws {
    let workplace = try Workplace()
    var file = SpillFile(memory: nil, disk: workplace.path)
    let run = try append([10], fill: 1, to: &file)
    try file.flush()
    var buffer = ByteBuffer(count: 20)
    var codes: [Int32] = []
    for range in [0..<run.bytes, 0..<run.bytes + 1, run.bytes..<run.bytes + 1] {
      do throws(FileError) {
        try file.read(range, of: run, into: &buffer, at: 0)
        codes.append(0)
      } catch {
        codes.append(error.code)
      }
    }
    #expect(codes == [0, EIO, EIO])
  }

  @Test func `a missing folder is an error with the first run`() {
    var file = SpillFile(memory: nil, disk: "/nowhere")
    var code: Int32 = 0
    do throws(FileError) { try file.begin() } catch { code = error.code }
    #expect(code == ENOENT)
  }
}
