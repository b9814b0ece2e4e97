import Platform
import Foundation
import Compression
import Testing
@testable import DumpGenerator

struct FileTests {
  @Test func `a set is written plain or compressed`() throws {
    let set = DumpSet(rows: 3000, seed: 3)
    let contents = try set.contents()
    try withFolder { path in
      try set.write(to: path, compressed: false)
      try set.write(to: path + "/new/folder")
      for (table, bytes) in zip(Table.allCases, contents) {
        let name = "\(table.rawValue).csv"
        #expect(try Data(contentsOf: URL(filePath: "\(path)/\(name)")) == Data(bytes))
        #expect(try decompressed("\(path)/new/folder/\(name).gz") == bytes)
      }
    }
  }

  @Test func `files are overwritten, and other files stay`() throws {
    let fresh = try withFolder { path in
      try DumpSet(rows: 20, seed: 2).write(to: path)
      return try contentsOfFolder(path)
    }
    try withFolder { path in
      try Data("mine".utf8).write(to: URL(filePath: path + "/notes.txt"))
      try DumpSet(rows: 50, seed: 1).write(to: path)
      try DumpSet(rows: 20, seed: 2).write(to: path)
      var contents = try contentsOfFolder(path)
      #expect(contents.removeValue(forKey: "notes.txt") == Data("mine".utf8))
      #expect(contents == fresh)
    }
  }

  @Test func `a table with the other extension is not overwritten`() throws {
    try withFolder { path in
      try DumpSet(rows: 20).write(to: path, compressed: false)
      let before = try contentsOfFolder(path)
      #expect(throws: DumpError.otherSpellingExists(path: "\(path)/themes.csv")) {
        try DumpSet(rows: 20).write(to: path)
      }
      #expect(try contentsOfFolder(path) == before)
    }
  }

  @Test func `errors name the path and the reason`() {
    #expect(throws: DumpError.cannotCreate(path: "/dev/null/dumps", code: ENOTDIR)) {
      try DumpSet(rows: 1).write(to: "/dev/null/dumps")
    }
    #expect(
      DumpError.cannotCreate(path: "/dev/null/dumps", code: ENOTDIR).message
        == "cannot create /dev/null/dumps: Not a directory")
    #expect(
      DumpError.writeFailed(path: "parts.csv", code: ENOSPC).message
        == "cannot write parts.csv: No space left on device")
    #expect(
      DumpError.otherSpellingExists(path: "parts.csv").message
        == "parts.csv already exists; remove it first")
  }

  private func decompressed(_ path: String) throws -> [UInt8] {
    var reader = try GzipReader(FileReader(path: path))
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    var span = bytes.mutableSpan
    let count = try reader.read(into: &span)
    return Array(bytes[..<count])
  }
}
