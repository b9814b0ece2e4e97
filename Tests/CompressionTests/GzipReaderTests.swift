import Platform
import Foundation
import Glibc
import Compression
import TestSupport
import Testing

struct GzipReaderTests {
  @Test(arguments: [
    ("one member", [["red,1\n"]]),
    ("an empty payload", [[""]]),
    ("two members", [["red,", "1\n"]]),
    ("empty members around and between", [["", "red", "", "", ",1\n", ""]]),
    ("many members", [(0..<300).map { "\($0)\n" }]),
  ])
  func `members are read one after the other`(name: String, file: [[String]]) throws {
    let texts = file.joined()
    let (bytes, members) = try inflate(texts.flatMap { member($0) })
    #expect(bytes == Array(texts.joined().utf8), "\(name)")
    #expect(members == texts.count, "\(name)")
  }

  @Test(arguments: [Int32(0), 1, 6, 9])
  func `a payload larger than every buffer comes back whole`(level: Int32) throws {
    var state = UInt64(1)
    let noise = (0..<300_000).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 56)
    }
    let payload = noise + [UInt8](repeating: 65, count: 700_000) + noise
    #expect(try inflate(member(payload, level: level)).bytes == payload)
  }

  @Test func `every output size and input capacity produces the same bytes`() throws {
    let text = "id,name\n" + (0..<40).map { "\($0),Brick \($0 * $0)\n" }.joined()
    let file = member(text) + member("") + member("end\n") + [0, 0, 0]
    let expected = Array((text + "end\n").utf8)
    for outputSize in 1...expected.count + 2 {
      #expect(try inflate(file, outputSize: outputSize).bytes == expected, "\(outputSize)")
    }
    for inputCapacity in 2...file.count + 2 {
      let result = try inflate(file, inputCapacity: inputCapacity, outputSize: 7)
      #expect(result.bytes == expected && result.members == 3, "\(inputCapacity)")
    }
  }

  @Test func `output without room reads nothing`() throws {
    let temporary = try TemporaryFile(member("red"))
    var reader = try GzipReader(FileReader(path: temporary.path))
    var nothing: [UInt8] = []
    var room = nothing.mutableSpan
    #expect(try reader.read(into: &room) == 0)
    #expect(try inflate(path: temporary.path).bytes == Array("red".utf8))
  }

  @Test func `reading again at the end returns nothing`() throws {
    let temporary = try TemporaryFile(member("red"))
    var reader = try GzipReader(FileReader(path: temporary.path))
    var piece = [UInt8](repeating: 0, count: 8)
    for expected in [3, 0, 0] {
      var room = piece.mutableSpan
      #expect(try reader.read(into: &room) == expected)
    }
  }

  @Test(arguments: [1, 512, 100_000])
  func `zero bytes may pad the end`(count: Int) throws {
    let file = member("red") + [UInt8](repeating: 0, count: count)
    #expect(try inflate(file).bytes == Array("red".utf8))
  }

  /// The first page of a process is never mapped, so reading its memory from there fails.
  @Test func `an error of the operating system is not an end of file`() throws {
    #expect(throws: GzipError.readFailed(code: EIO)) { _ = try inflate(path: "/proc/self/mem") }
  }
}
