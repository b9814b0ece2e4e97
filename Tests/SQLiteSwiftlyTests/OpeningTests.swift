import Foundation
import SQLiteSwiftly
import Testing

/// The states of a path before a connection is opened.
enum Place: CaseIterable {
  case nothing, database, emptyFile, folder, link, danglingLink, otherFile, shortFile, noParent

  /// Puts it into `folder` and returns its path.
  func make(in folder: String) throws -> String {
    let path = folder + "/catalog.sqlite"
    let manager = FileManager.default
    switch self {
    case .nothing: break
    case .database: try Self.makeDatabase(path)
    case .emptyFile: try Data().write(to: URL(filePath: path))
    case .folder: try manager.createDirectory(atPath: path, withIntermediateDirectories: false)
    case .link:
      try Self.makeDatabase(folder + "/target")
      try manager.createSymbolicLink(atPath: path, withDestinationPath: folder + "/target")
    case .danglingLink:
      try manager.createSymbolicLink(atPath: path, withDestinationPath: folder + "/target")
    case .otherFile: try Data(repeating: 0x61, count: 8192).write(to: URL(filePath: path))
    case .shortFile: try Data("id,name\n".utf8).write(to: URL(filePath: path))
    case .noParent: return folder + "/missing/catalog.sqlite"
    }
    return path
  }

  private static func makeDatabase(_ path: String) throws {
    let connection = try Connection(path, opening: .createNew)
    try connection.execute("CREATE TABLE old (id)")
    try connection.close()
  }
}

/// How an opening ends.
enum Outcome: Equatable {
  case opened, made
  case failed(SQLiteError.ResultCode)
}

struct OpeningTests {
  typealias Opening = Connection.Opening

  static let openings: [(Place, [(Opening, Outcome)])] = [
    (
      .nothing,
      [
        (.createNew, .made), (.openExisting, .failed(.cannotOpen)), (.openOrCreate, .made),
        (.readOnly, .failed(.cannotOpen)),
      ]
    ),
    (.database, existing(.opened)),
    (.emptyFile, existing(.opened)),
    (.folder, existing(.failed(.cannotOpen))),
    (.link, existing(.opened)),
    (
      .danglingLink,
      [
        (.createNew, .failed(.cannotOpen)), (.openExisting, .failed(.cannotOpen)),
        (.openOrCreate, .made), (.readOnly, .failed(.cannotOpen)),
      ]
    ),
    (.otherFile, existing(.failed(.notADatabase))),
    (.shortFile, existing(.failed(.notADatabase))),
    (.noParent, existing(.failed(.cannotOpen))),
  ]

  /// A path with something that must not be replaced, and that the other openings treat alike.
  static func existing(_ outcome: Outcome) -> [(Opening, Outcome)] {
    [
      (.createNew, .failed(.cannotOpen)), (.openExisting, outcome), (.openOrCreate, outcome),
      (.readOnly, outcome),
    ]
  }

  @Test func `a connection notices that its file was replaced, moved or removed`() throws {
    try withFolder { folder in
      let path = try Place.link.make(in: folder)
      let connection = try Connection(path, opening: .readOnly)
      #expect(try !connection.isFileReplaced)
      let other = folder + "/other"
      _ = try Connection(other, opening: .createNew)
      try #require(unsafe rename(other, folder + "/target") == 0)
      #expect(try connection.isFileReplaced)
      #expect(try connection.query("SELECT name FROM sqlite_schema", as: String.self) == ["old"])
      #expect(try !Connection(path, opening: .readOnly).isFileReplaced)
      try FileManager.default.removeItem(atPath: folder + "/target")
      #expect(try connection.isFileReplaced)
      #expect(try !Connection.inMemory().isFileReplaced)
    }
  }

  @Test(arguments: openings)
  func `SW-35 X-7 X-8 an opening finds what it expects or fails`(
    place: Place, outcomes: [(Opening, Outcome)]
  ) throws {
    for (opening, expected) in outcomes {
      try withFolder { folder in
        let path = try place.make(in: folder)
        let before = try contents(of: folder)
        var outcome = Outcome.opened
        do {
          let connection = try Connection(path, opening: opening)
          if try contents(of: folder) != before { outcome = .made }
          #expect(try openFiles(below: folder).count == 1)
          try connection.close()
        } catch let error as SQLiteError {
          outcome = .failed(error.code)
          #expect(error.message.contains(path), "\(error)")
          #expect(try contents(of: folder) == before, "\(opening)")
        }
        #expect(outcome == expected, "\(opening)")
        #expect(try openFiles(below: folder) == [])
      }
    }
  }

  @Test(arguments: [Opening.createNew, .openOrCreate])
  func `a created database exists for the next connection`(opening: Opening) throws {
    try withFile { path in
      let first = try Connection(path, opening: opening)
      try first.execute("CREATE TABLE t AS SELECT 7 AS a")
      try first.close()
      let second = try Connection(path, opening: .openExisting)
      #expect(try second.value(of: "SELECT a FROM t") == .integer(7))
      #expect(
        try Array(Data(contentsOf: URL(filePath: path)).prefix(15)) == Array("SQLite format 3".utf8)
      )
    }
  }

  @Test(arguments: [Opening.createNew, .openExisting, .openOrCreate, .readOnly])
  func `a path that is not a file is refused without waiting`(opening: Opening) throws {
    try withFolder { folder in
      let pipe = folder + "/pipe"
      try #require(unsafe mkfifo(pipe, 0o600) == 0)
      let file = try Place.shortFile.make(in: folder)
      let long = folder + "/" + String(repeating: "x", count: 5000)
      for path in [pipe, "/dev/null", "/dev/zero", "", file + "/below", long] {
        let error = try failure { _ = try Connection(path, opening: opening) }
        #expect(error.code == .cannotOpen && (path.isEmpty || error.message.contains(path)))
      }
      #expect(try contents(of: folder).keys.sorted() == ["catalog.sqlite", "pipe"])
    }
  }

  /// A program that is running cannot be written, whoever tries, but it can be read.
  @Test(arguments: [Opening.openExisting, .openOrCreate])
  func `SW-36 a file that cannot be written is not opened for writing`(opening: Opening) throws {
    let path = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let error = try failure { _ = try Connection(path, opening: opening) }
    #expect(error.code == .readOnly)
    #expect(error.message == "\(path): the file is not writable")
  }

  @Test(arguments: [":memory:"], [Opening.openExisting, .readOnly])
  func `a path is never a name for a temporary database`(path: String, opening: Opening) throws {
    try expectFailure(.cannotOpen) { _ = try Connection(path, opening: opening) }
  }

  @Test(arguments: [Opening.createNew, .openExisting, .openOrCreate, .readOnly])
  func `a path is never a URI, and does not end at a NUL`(opening: Opening) throws {
    try withFolder { folder in
      for path in ["file:\(folder)/a", "file:\(folder)/a?mode=memory", "\(folder)/a\0b"] {
        try expectFailure(.cannotOpen) { _ = try Connection(path, opening: opening) }
        #expect(try contents(of: folder) == [:], "\(path)")
      }
    }
  }

  @Test func `a path that is too long for SQLite leaves no file`() throws {
    try withFolder { folder in
      let name = String(repeating: "n", count: 200)
      let deep = "\(folder)/\(name)/\(name)/\(name)"
      try FileManager.default.createDirectory(atPath: deep, withIntermediateDirectories: true)
      try expectFailure(.cannotOpen) { _ = try Connection(deep + "/a", opening: .createNew) }
      #expect(try contents(of: deep) == [:])
    }
  }

  @Test(arguments: [Opening.openExisting, .openOrCreate, .readOnly])
  func `the first read of the file waits for a lock up to the busy timeout`(
    opening: Opening
  ) throws {
    try withFolder { folder in
      let path = try Place.database.make(in: folder)
      let other = try Connection(path, opening: .openExisting)
      try other.execute("BEGIN EXCLUSIVE")
      let start = ContinuousClock.now
      try expectFailure(.busy) {
        _ = try Connection(path, opening: opening, busyTimeout: .milliseconds(60))
      }
      #expect(ContinuousClock.now - start >= .milliseconds(50))
      try other.execute("COMMIT")
      _ = try Connection(path, opening: opening)
      #expect(try openFiles(below: folder) == [path])
    }
  }
}
