import Foundation
import Compression
import TestSupport
import Testing

struct DamagedGzipTests {
  private static let red = member("red")

  @Test(arguments: [
    ("an empty file", [], GzipError.truncated(offset: 0)),
    ("half the magic", [0x1f], .truncated(offset: 1)),
    ("plain text", Array("id,name\n".utf8), .notGzip),
    ("one byte of text", Array("i".utf8), .notGzip),
    ("zeros alone", [0, 0, 0], .notGzip),
    ("zlib's own format", [0x78, 0x9c, 0x03, 0x00, 0, 0, 0, 1], .notGzip),
    ("the magic of compress", [0x1f, 0x9d, 0x90], .notGzip),
    ("text after", red + Array("text".utf8), .trailingData(offset: red.count)),
    ("zeros, then text", red + [0, 0, 65], .trailingData(offset: red.count + 2)),
    ("zeros, then a member", red + [0] + red, .trailingData(offset: red.count + 1)),
    ("half a magic after", red + [0x1f], .truncated(offset: red.count + 1)),
    ("another magic after", red + [0x1f, 0x9d], .trailingData(offset: red.count)),
    ("a magic after", red + [0x1f, 0x8b], .truncated(offset: red.count + 2)),
  ])
  func `a damaged file is refused`(name: String, file: [UInt8], error: GzipError) throws {
    for inputCapacity in 2...file.count + 2 {
      for outputSize in [1, 3, 100] {
        let got = try inflateError(file, inputCapacity: inputCapacity, outputSize: outputSize)
        #expect(got == error, "\(name), input \(inputCapacity), output \(outputSize)")
      }
    }
  }

  @Test(arguments: [
    (2, UInt8(7), "unknown compression method"),
    (3, 0x20, "unknown header flags set"),
    (red.count - 8, ~red[red.count - 8], "incorrect data check"),
    (red.count - 4, ~red[red.count - 4], "incorrect length check"),
  ])
  func `zlib's error for a member is reported`(offset: Int, value: UInt8, reason: String) throws {
    var file = Self.red
    file[offset] = value
    let error = try inflateError(file)
    guard case .corrupt(_, let found) = try #require(error) else {
      Issue.record("got \(String(describing: error))")
      return
    }
    #expect(found == reason)
  }

  @Test func `every truncation of a file with two members is detected`() throws {
    let file = member("id,name\n1,red\n") + member("2,blue\n")
    let firstMember = member("id,name\n1,red\n").count
    for length in 0..<file.count where length != firstMember {
      for outputSize in [1, 5, 100] {
        let error = try inflateError(Array(file[..<length]), outputSize: outputSize)
        #expect(error == .truncated(offset: length), "\(length) bytes")
      }
    }
  }

  /// A bit may flip undetected where RFC 1952 and RFC 1951 define no meaning.
  ///
  /// That is FTEXT, MTIME, XFL and OS in a header, and the padding of the last byte of the deflate
  /// data. The data must then be the same.
  @Test(arguments: [[""], ["id,name\n1,red\n"], ["id,name\n1,red\n", "2,blue\n"]])
  func `every flipped bit in the data is detected`(texts: [String]) throws {
    let members = texts.map { member($0) }
    let file = members.flatMap(\.self)
    let payload = Array(texts.joined().utf8)
    for (offset, byte) in file.enumerated() {
      for bit in 0..<8 where LongTests.areOn || bit == offset % 8 {
        var damaged = file
        damaged[offset] = byte ^ 1 << UInt8(bit)
        do {
          #expect(try inflate(damaged).bytes == payload, "bit \(bit) of byte \(offset)")
          #expect(isMeaningless(bit, at: offset, members), "bit \(bit) of byte \(offset)")
        } catch is GzipError {
          // Noticed, as it should be.
        }
      }
    }
  }

  private func isMeaningless(_ bit: Int, at offset: Int, _ members: [[UInt8]]) -> Bool {
    var offset = offset
    for member in members {
      guard offset >= member.count else {
        return (offset == 3 && bit == 0) || (4..<10).contains(offset)
          || offset == member.count - 9
      }
      offset -= member.count
    }
    return false
  }
}
