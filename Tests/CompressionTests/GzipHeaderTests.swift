import Platform
import Foundation
@testable import Compression
import TestSupport
import Testing

/// The values of a reader that has reached the end of a file.
private func facts(_ file: [UInt8]) throws -> (header: GzipHeader, crc32: UInt32, size: Int) {
  let temporary = try TemporaryFile(file)
  var reader = try GzipReader(FileReader(path: temporary.path))
  var piece = [UInt8](repeating: 0, count: 100)
  while true {
    var room = piece.mutableSpan
    guard try reader.read(into: &room) == 100 else { break }
  }
  return (reader.header, reader.crc32.value, reader.fileSize)
}

/// A member whose header has a time and a name, assembled according to RFC 1952.
private func member(_ text: String, time: UInt32, name: [UInt8]?) -> [UInt8] {
  var bytes = member(text)
  for index in 0..<4 { bytes[4 + index] = UInt8(truncatingIfNeeded: time >> (8 * index)) }
  guard let name else { return bytes }
  bytes[3] |= 8
  bytes.insert(contentsOf: name + [0], at: 10)
  return bytes
}

@Suite struct GzipHeaderTests {
  @Test(
    arguments: [
      (UInt32(0), nil, GzipHeader(timeStamp: nil, name: nil)),
      (1_743_491_280, nil, GzipHeader(timeStamp: 1_743_491_280, name: nil)),
      (.max, Array("colors.csv".utf8), GzipHeader(timeStamp: .max, name: Array("colors.csv".utf8))),
      (1, [], GzipHeader(timeStamp: 1, name: [])),
      (0, [0xff, 0x2f], GzipHeader(timeStamp: nil, name: [0xff, 0x2f])),
    ] as [(UInt32, [UInt8]?, GzipHeader)])
  func `the time and the name in a header are reported`(
    time: UInt32, name: [UInt8]?, expected: GzipHeader
  ) throws {
    #expect(try facts(member("id\n", time: time, name: name)).header == expected)
  }

  @Test func `a long name is cut, and only the first member's header counts`() throws {
    let name = [UInt8](repeating: 0x61, count: 3000)
    let file = member("a", time: 5, name: name) + member("b", time: 9, name: Array("other".utf8))
    let found = try facts(file)
    #expect(found.header.timeStamp == 5)
    #expect(found.header.name == Array(name.prefix(255)))
    #expect(found.size == file.count)
  }

  /// The checksum of "123456789" is the check value of CRC-32 in every catalog of checksums.
  @Test(arguments: [["123456789"], ["1234", "", "56789"], ["", "123456789"], ["12345678", "9"]])
  func `the checksum is that of all members' bytes`(members: [String]) throws {
    #expect(try facts(members.flatMap { member($0) }).crc32 == 0xcbf4_3926)
    var checksum = CRC32()
    for text in members { checksum.append(Array(text.utf8).span) }
    #expect(checksum.value == 0xcbf4_3926)
  }
}
