import Platform
import Foundation
import TestSupport
import Testing
@testable import Compression

/// The entries of an archive with their contents, read in pieces of `outputSize`.
private func unzip(
  _ file: [UInt8], inputCapacity: Int = 64 << 10, outputSize: Int = 1 << 16
) throws -> [(entry: ZipEntry, bytes: [UInt8])] {
  let temporary = try TemporaryFile(file)
  let directory = try ZipDirectory(of: FileReader(path: temporary.path))
  return try directory.entries.filter { !$0.isFolder }.map { entry in
    var reader = try ZipEntryReader(
      FileReader(path: temporary.path), entry, inputCapacity: inputCapacity)
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: outputSize)
    while true {
      var room = piece.mutableSpan
      let count = try reader.read(into: &room)
      bytes += piece[..<count]
      if count < outputSize { return (entry, bytes) }
    }
  }
}

private func texts(_ file: [UInt8], inputCapacity: Int = 64 << 10, outputSize: Int = 1 << 16) throws
  -> [String]
{
  try unzip(file, inputCapacity: inputCapacity, outputSize: outputSize).map {
    String(decoding: $0.entry.name + [0x3d] + $0.bytes, as: UTF8.self)
  }
}

private func error(_ file: [UInt8]) throws -> ZipError? {
  do {
    _ = try unzip(file)
    return nil
  } catch let error as ZipError {
    return error
  }
}

private let text = "id,name\n1,red\n2,blue\n"
private let two = ZipBuilder([.init("a.csv", text), .init("b.csv", "id\n", isStored: true)])
private let expected = ["a.csv=\(text)", "b.csv=id\n"]

/// The two entries, changed.
private func changed(_ change: (inout ZipBuilder) -> Void) -> [UInt8] {
  var archive = two
  change(&archive)
  return archive.bytes
}

@Suite struct ZipTests {
  private static let sound: [(name: String, file: [UInt8])] = [
    ("as it is", two.bytes),
    ("descriptors", changed { for index in 0...1 { $0.entries[index].hasDescriptor = true } }),
    ("64 bits", changed { $0.isWide = true }),
    (
      "64 bits, descriptors, a prefix and a comment",
      changed {
        for index in 0...1 { $0.entries[index].hasDescriptor = true }
        ($0.isWide, $0.prefix, $0.comment) = (true, Array("#!/bin/sh\n".utf8), Array("hi".utf8))
      }
    ),
    ("a prefix", changed { $0.prefix = [UInt8](repeating: 0x50, count: 999) }),
    ("the longest comment", changed { $0.comment = [UInt8](repeating: 0x50, count: 0xffff) }),
    (
      "a comment that looks like an end",
      changed { $0.comment = [0x50, 0x4b, 5, 6] + [UInt8](repeating: 1, count: 30) }
    ),
    (
      "extra fields",
      changed {
        ($0.entries[0].extra, $0.entries[0].localExtra) = ([9, 9, 1, 0, 7], [9, 9, 2, 0, 7, 7])
      }
    ),
    ("a folder", changed { $0.entries.insert(.init("x/", "", isStored: true), at: 0) }),
    (
      "sizes that are in an extra field of its own header",
      changed { $0.entries[0].localSize = 0xffff_ffff }
    ),
  ]

  @Test(arguments: sound.indices) func `an archive is read`(index: Int) throws {
    let (name, file) = Self.sound[index]
    for inputCapacity in LongTests.areOn ? [2, 3, 7, 64 << 10] : [3, 64 << 10] {
      for outputSize in LongTests.areOn ? [1, 2, 20, 21, 22, 1 << 16] : [1, 21, 1 << 16] {
        let got = try texts(file, inputCapacity: inputCapacity, outputSize: outputSize)
        #expect(got == expected, "\(name), input \(inputCapacity), output \(outputSize)")
      }
    }
  }

  @Test(arguments: [true, false], [0, 1, 65_535, 65_536, 65_537, 1_000_000])
  func `a file of any size comes back whole`(isStored: Bool, size: Int) throws {
    let text = String(repeating: "0123456789abcdef,\n", count: size / 18 + 1).prefix(size)
    let file = ZipBuilder([.init("a", String(text), isStored: isStored)]).bytes
    #expect(try texts(file) == ["a=\(text)"])
  }

  @Test func `an archive of nothing has no entries`() throws {
    #expect(try texts(ZipBuilder([]).bytes) == [])
    #expect(
      try texts(ZipBuilder([.init("a", "", isStored: true), .init("b", "")]).bytes) == ["a=", "b="])
  }

  /// The times of MS-DOS count seconds by two, from 1980.
  @Test(
    arguments: [
      (2025, 4, 1, 7, 8, 10, 1_743_491_290), (1980, 1, 1, 0, 0, 2, 315_532_802),
      (1980, 1, 1, 0, 0, 0, nil), (1980, 0, 0, 0, 0, 0, nil), (2025, 13, 1, 0, 0, 0, nil),
      (2025, 2, 29, 0, 0, 0, nil), (2024, 2, 29, 23, 59, 58, 1_709_251_198),
      (2025, 1, 1, 24, 0, 0, nil), (2025, 1, 1, 0, 60, 0, nil),
      (2107, 12, 31, 23, 59, 58, 4_354_819_198),
    ] as [(Int, Int, Int, Int, Int, Int, Int?)])
  func `the time of an entry is reported`(
    year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int, expected: Int?
  ) throws {
    let file = changed {
      $0.entries[0].date = (year - 1980) << 9 | month << 5 | day
      $0.entries[0].time = hour << 11 | minute << 5 | second / 2
    }
    #expect(try unzip(file)[0].entry.localTime == expected)
  }
}

@Suite struct DamagedZipTests {
  private static let files: [(name: String, file: [UInt8], error: String)] = [
    ("nothing", [], "truncated"),
    ("text", Array("id,name\n".utf8), "notZip"),
    ("a byte after it", two.bytes + [0], "truncated"),
    (
      "a number of entries that is too large", changed { $0.moreEntries = 1 },
      "has 2 entries instead of 3"
    ),
    ("one that is too small", changed { $0.moreEntries = -1 }, "has 2 entries instead of 1"),
    (
      "the same in 64 bits", changed { ($0.moreEntries, $0.isWide) = (1, true) },
      "has 2 entries instead of 3"
    ),
    ("a part of several", changed { $0.disk = 1 }, "one part of a split archive"),
    (
      "the same in 64 bits", changed { ($0.disk, $0.isWide) = (1, true) },
      "one part of a split archive"
    ),
    ("two entries of one name", changed { $0.entries[1].name = $0.entries[0].name }, "duplicate"),
    ("a name that leads up", changed { $0.entries[1].name = Array("x/../b".utf8) }, "unsafeName"),
    ("a name that is two dots", changed { $0.entries[1].name = Array("..".utf8) }, "unsafeName"),
    ("a name from the root", changed { $0.entries[1].name = Array("/b".utf8) }, "unsafeName"),
    ("a name with a zero byte", changed { $0.entries[1].name = [0x61, 0] }, "unsafeName"),
    ("a password", changed { $0.entries[1].flags = 1 }, "is encrypted"),
    ("a strong password", changed { $0.entries[1].flags = 1 << 6 }, "is encrypted"),
    ("a hidden directory", changed { $0.entries[1].flags = 1 << 13 }, "is encrypted"),
    ("a patch", changed { $0.entries[1].flags = 1 << 5 }, "a patch of another file"),
    ("bzip2", changed { $0.entries[0].method = 12 }, "compressed by method 12"),
    (
      "another name of its own", changed { $0.entries[1].localName = Array("c.csv".utf8) },
      "contradicts the directory"
    ),
    ("another size of its own", changed { $0.entries[1].localSize = 4 }, "sizes in the header"),
    ("an entry that is not there", changed { $0.entries[0].offset = 1 }, "an entry has no header"),
    ("an entry in another", changed { $0.entries[1].offset = 0 }, "overlaps with another"),
    (
      "an entry in the directory", changed { $0.entries[1].offset = 1 << 20 },
      "overlaps with another"
    ),
    (
      "data that run into the directory",
      changed {
        $0.entries[1].localExtra = [9, 9, 0, 0]; $0.entries[1].data = []
      }, "contradict each other"
    ),
    ("a stored size that is another", changed { $0.entries[1].size = 4 }, "contradict each other"),
    ("an entry with more bytes", changed { $0.entries[0].size -= 1 }, "more bytes than its size"),
    ("an entry with fewer bytes", changed { $0.entries[0].size += 1 }, "fewer bytes than its size"),
    ("another checksum", changed { $0.entries[0].crc32 ^= 1 }, "incorrect data check"),
    (
      "another checksum of what is stored", changed { $0.entries[1].crc32 ^= 1 },
      "incorrect data check"
    ),
    ("bytes after the compressed data", changed { $0.entries[0].data.append(0) }, "end too early"),
    (
      "compressed data without an end", changed { $0.entries[0].data.removeLast(2) },
      "longer than their entry"
    ),
    (
      "compressed data that are none", changed { $0.entries[0].data[0] = 0xff },
      "invalid block type"
    ),
    (
      "64 bits that are missing", changed { $0.entries[0].size = 0xffff_ffff },
      "no size in its extra field"
    ),
    (
      "64 bits that are too few",
      changed {
        $0.entries[0].size = 0xffff_ffff
        $0.entries[0].extra = [1, 0, 4, 0, 1, 2, 3, 4]
      }, "no size in its extra field"
    ),
    (
      "a size that is negative",
      changed {
        $0.entries[0].size = 0xffff_ffff
        $0.entries[0].extra = [1, 0, 8, 0] + [UInt8](repeating: 0xff, count: 8)
      }, "no size in its extra field"
    ),
    (
      "an extra field that is cut",
      changed {
        $0.entries[0].size = 0xffff_ffff; $0.entries[0].extra = [1, 0, 9, 0]
      }, "no size in its extra field"
    ),
    (
      "a directory that is too large", ZipBuilder((0..<30_000).map { .init("\($0)", "") }).bytes,
      "more than 1048576 bytes"
    ),
  ]

  @Test(arguments: files.indices) func `a damaged archive is refused`(index: Int) throws {
    let (name, file, expected) = Self.files[index]
    let found = try error(file)
    #expect(
      "\(found.map { "\($0)" } ?? "nothing")".contains(expected),
      "\(name): \(String(describing: found))")
  }

  private static let archives = [
    two.bytes,
    changed {
      $0.isWide = true; $0.entries[0].hasDescriptor = true
    },
    changed {
      $0.prefix = [1, 2, 3]; $0.comment = [4, 5]
    },
  ]

  @Test(arguments: archives.indices) func `every truncation is detected`(index: Int) throws {
    let file = Self.archives[index]
    let beginsAsArchive = file.starts(with: [0x50, 0x4b])
    for length in 0..<file.count where LongTests.areOn || length % 3 == index {
      #expect(
        try error(Array(file[..<length]))
          == (beginsAsArchive || length == 0 ? .truncated : .notZip),
        "\(length) bytes")
      // Data before an archive may be truncated.
      guard length < file.count - (beginsAsArchive ? 0 : 3) else { continue }
      #expect(try error(Array(file[(file.count - length)...])) != nil, "the last \(length) bytes")
    }
  }

  /// A bit may flip undetected where the format defines no meaning, or one for people only: the
  /// data and the names must then be the same.
  @Test(arguments: archives.indices) func `every flipped bit in the data is detected`(index: Int)
    throws
  {
    let file = Self.archives[index]
    var (flips, noticed) = (0, 0)
    for offset in file.indices {
      for bit in 0..<8 where LongTests.areOn || bit == offset % 8 {
        flips += 1
        var damaged = file
        damaged[offset] ^= 1 << UInt8(bit)
        do {
          #expect(try texts(damaged) == expected, "bit \(bit) of byte \(offset)")
        } catch is ZipError {
          noticed += 1
        }
      }
    }
    #expect(noticed > flips / 2)
  }

  /// The first page of a process is never mapped, so reading its memory from there fails.
  @Test func `an error of the operating system is not a damaged archive`() throws {
    #expect(throws: ZipError.readFailed(code: EIO)) {
      _ = try ZipDirectory(of: FileReader(path: "/proc/self/mem"))
    }
  }
}
