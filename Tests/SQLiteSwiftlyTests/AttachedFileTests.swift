import Foundation
import SQLiteSwiftly
import Testing

/// A connection of each kind, since SQLite opens attached files in the mode of the main database.
enum MainDatabase: CaseIterable {
  case inMemory, createNew, openExisting, openOrCreate, readOnly

  private var opening: Connection.Opening? {
    switch self {
    case .inMemory: nil
    case .createNew: .createNew
    case .openExisting: .openExisting
    case .openOrCreate: .openOrCreate
    case .readOnly: .readOnly
    }
  }

  /// Opens it in `folder`, with two words in it unless it is in memory or was made just now.
  func connect(in folder: String) throws -> Connection {
    guard let opening else { return try .inMemory() }
    let path = folder + "/main.sqlite"
    if opening != .createNew { try makeWords(path) }
    return try Connection(path, opening: opening)
  }
}

/// Makes a database with two words.
private func makeWords(_ path: String) throws {
  let connection = try Connection(path, opening: .createNew)
  try connection.createTable(describedBy: words)
  try connection.execute("INSERT INTO words VALUES (1, 'one'), (2, 'two')")
  try connection.close()
}

struct AttachedFileTests {
  private let two: [[SQLiteValue]] = [[1, "one"], [2, "two"]]

  @Test(arguments: MainDatabase.allCases)
  func `rows of an attached file are in the file`(main: MainDatabase) throws {
    try withFolder { folder in
      let path = folder + "/other.sqlite"
      try makeWords(path)
      let connection = try main.connect(in: folder)
      try connection.execute("ATTACH \(path) AS other")
      #expect(try connection.query("SELECT * FROM other.words ORDER BY id") == two)
      func insert() throws { try connection.execute("INSERT INTO other.words VALUES (3, 'three')") }
      if main == .readOnly {
        #expect(try failure(insert).code == .readOnly)
      } else {
        try insert()
      }
      try connection.close()
      let reader = try Connection(path, opening: .readOnly)
      #expect(try reader.rows(of: "words") == two + (main == .readOnly ? [] : [[3, "three"]]))
    }
  }

  @Test(arguments: MainDatabase.allCases)
  func `a missing file is created when it is attached, or is an error`(
    main: MainDatabase
  ) throws {
    try withFolder { folder in
      let path = folder + "/other.sqlite"
      let connection = try main.connect(in: folder)
      func attach() throws {
        try connection.execute("ATTACH \(path) AS other")
        try connection.execute("CREATE TABLE other.t AS SELECT 7 AS a")
      }
      guard main == .inMemory || main == .openOrCreate else {
        let error = try failure(attach)
        #expect(error.code == .cannotOpen)
        #expect(error.message == "unable to open database: \(path)")
        #expect(!FileManager.default.fileExists(atPath: path))
        return
      }
      try attach()
      try connection.close()
      let reader = try Connection(path, opening: .readOnly)
      #expect(try reader.value(of: "SELECT a FROM t") == 7)
    }
  }

  @Test(arguments: MainDatabase.allCases)
  func `VACUUM INTO writes a full copy to a new file`(main: MainDatabase) throws {
    try withFolder { folder in
      let path = folder + "/copy.sqlite"
      let connection = try main.connect(in: folder)
      if try connection.query("SELECT name FROM sqlite_schema").isEmpty {
        try connection.createTable(describedBy: words)
        try connection.execute("INSERT INTO words VALUES (1, 'one'), (2, 'two')")
      }
      try connection.execute("VACUUM INTO \(path)")
      let copy = try Connection(path, opening: .readOnly)
      #expect(try copy.rows(of: "words") == two)
      #expect(try copy.faults(.full) == [])
    }
  }

  @Test(arguments: MainDatabase.allCases)
  func `an attached database in memory is not a file`(main: MainDatabase) throws {
    try withFolder { folder in
      let connection = try main.connect(in: folder)
      let before = try contents(of: folder).keys.sorted()
      try connection.execute("ATTACH ':memory:' AS scratch")
      func fill() throws { try connection.execute("CREATE TABLE scratch.t AS SELECT 7 AS a") }
      if main == .readOnly {
        #expect(try failure(fill).code == .readOnly)
      } else {
        try fill()
        #expect(try connection.value(of: "SELECT a FROM scratch.t") == 7)
      }
      #expect(try contents(of: folder).keys.sorted() == before)
    }
  }
}
