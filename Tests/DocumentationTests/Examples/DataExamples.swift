import SQLiteSwiftly
import SQLiteSwiftlyData
import TestSupport
import Testing

/// The examples in the comments of stores, helpers, migrations and pools.
struct DataExamples {
  struct Team: Equatable {
    var id: Int64?
    var city: String?
  }

  // Example: DataHelper.swift # DataHelper

  // Example: SQLiteSwiftlyData # Overview

  @Test func `a helper in a pool, and an observed query`() async throws {
    let pool = try ConnectionPool.inMemory()
    let migrations = [Migration(to: 1, "make users", try Users.table.creation)]
    let shown = AsyncStream<Int>.makeStream()
    let task = Task {
      func show(_ count: Int) { shown.continuation.yield(count) }
      // Example: SQLiteSwiftlyData # Async code (2)
      return id
    }
    var all = shown.stream.makeAsyncIterator()
    #expect(await all.next() == 1)
    let user = try await pool.read { try Users(store: DataStore($0)).find(1) }
    #expect(user == User(id: 1, name: "Ada", tags: ["new"]))
    try await pool.close()
    #expect(try await task.value == 1)
  }

  @Test func `a store and its helper`() throws {
    try withFolder { folder in
      let path = folder + "/teams.sqlite"

      // Example: DataStore.swift # DataStore

      // Example: DataHelper+Changes.swift # insert

      // Example: DataHelper+Searches.swift # find

      #expect(boston == Team(id: id, city: "Boston"))
      #expect(found == [Team(id: id, city: "Boston")])
      var missing = ""

      // Example: DataHelper.swift # DataAccessError

      #expect(missing == "city")

      // Example: DataHelper+Changes.swift # update

      #expect(try teams.find(id)?.city == "Montreal")
    }
  }

  @Test func `one model at a time`() throws {
    let teams = TeamHelper(store: DataStore(try Connection.inMemory()))
    try teams.createTable()
    for city in ["Boston", "Baltimore", "Boston"] { try teams.insert(Team(city: city)) }
    var ids: [Int64?] = []

    // Example: DataHelper+Searches.swift # forEach

    #expect(ids == [1, 3])
  }

  @Test func `migrations`() throws {
    let connection = try Connection.inMemory()

    // Example: Migration.swift # migrate

    #expect(applied.map(\.version) == [1, 2])
  }

  @Test func `migrations by SQL and by code`() throws {
    let connection = try Connection.inMemory()

    // Example: Migration.swift # init (2)

    // Example: Migration.swift # init

    try connection.migrate([colors, capitals])
    #expect(try connection.rows(of: "colors") == [[0, "BLACK"]])
  }

  @Test(arguments: ["page", "comment"])
  func `SK-30 SK-31 a pool`(place: String) async throws {
    let workplace = try Workplace()
    let path = workplace.output
    let connection = try Connection(path, opening: .createNew)
    try connection.execute("CREATE TABLE parts (part_num TEXT PRIMARY KEY, name TEXT)")
    let (number, name) = ("3001", "Brick 2 x 4")
    if place == "page" {
      // Example: SQLiteSwiftlyData # Async code
      #expect(names == ["Brick 2 x 4"])
    } else {
      // Example: ConnectionPool.swift # ConnectionPool
      #expect(count == 1)
    }
    #expect(try connection.rows(of: "parts") == [["3001", "Brick 2 x 4"]])
  }

  @Test func `a query of a pool is observed`() async throws {
    let pool = try ConnectionPool.inMemory()
    try await pool.write { connection in
      try connection.execute("CREATE TABLE parts (name TEXT)")
      try connection.execute("INSERT INTO parts VALUES ('Brick')")
    }
    let shown = AsyncStream<[String]>.makeStream()
    let task = Task {
      func show(_ names: [String]) { shown.continuation.yield(names) }
      // Example: ConnectionPool.swift # observe
    }
    var all = shown.stream.makeAsyncIterator()
    #expect(await all.next() == ["Brick"])
    try await pool.write { try $0.execute("INSERT INTO parts VALUES ('Animal')") }
    #expect(await all.next() == ["Animal", "Brick"])
    try await pool.close()
    try await task.value
  }

  @Test func `a pool is used without tasks`() throws {
    let pool = try ConnectionPool.inMemory()
    try pool.writeAndWait { connection in
      try connection.execute("CREATE TABLE parts (name TEXT)")
      try connection.execute("INSERT INTO parts VALUES ('Brick')")
    }
    // Example: ConnectionPool+Synchronous.swift # readAndWait
    #expect(names == ["Brick"])
    try pool.closeAndWait()
  }
}
