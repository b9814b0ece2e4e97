import Schema
import Foundation
import RebrickableCatalog
import SQLiteSwiftly
import SQLiteSwiftlyData
import TestSupport
import Testing

/// What is no catalog, or not one of this version, is named as such.
struct CatalogStoreOpeningTests {
  /// Something at a path that cannot be opened as a catalog.
  struct Obstacle: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let make: @Sendable (String) throws -> Void
    let isNamed: @Sendable (CatalogError) -> Bool
    /// What the message has.
    let words: [String]
  }

  private static let expected = RebrickableCatalog.schema.applicationID
  private static let version = RebrickableCatalog.schema.version

  static let obstacles = [
    Obstacle(
      testDescription: "nothing", make: { _ in },
      isNamed: { if case .noFile = $0 { true } else { false } },
      words: ["no such file", "that ingest wrote"]),
    Obstacle(
      testDescription: "a folder",
      make: {
        try makeFolder($0)
      },
      isNamed: { if case .cannotOpen = $0 { true } else { false } }, words: ["folder"]),
    Obstacle(
      testDescription: "a text",
      make: {
        try Data("set_num,name\n6024-1,Bandit Ambush\n".utf8).write(to: URL(fileURLWithPath: $0))
      },
      isNamed: { if case .notADatabase = $0 { true } else { false } },
      words: ["not a SQLite database", "that ingest wrote"]),
    Obstacle(
      testDescription: "an empty file", make: { try Data().write(to: URL(fileURLWithPath: $0)) },
      isNamed: {
        if case .otherApplication(_, 0, expected) = $0 { true } else { false }
      }, words: ["application ID 0", "\(expected)"]),
    Obstacle(
      testDescription: "another application's database",
      make: { path in
        let connection = try Connection(path, opening: .createNew)
        try connection.set(.applicationID, to: 7)
        try connection.set(.userVersion, to: version)
      },
      isNamed: {
        if case .otherApplication(_, 7, expected) = $0 { true } else { false }
      }, words: ["application ID 7", "\(expected)", "that ingest wrote"]),
    Obstacle(
      testDescription: "an older catalog",
      make: { try makeCatalog(at: $0, version: version - 1) },
      isNamed: { if case .otherVersion(_, version - 1, version) = $0 { true } else { false } },
      words: ["schema version \(version - 1), not \(version)", "load the source files again"]),
    Obstacle(
      testDescription: "a newer catalog", make: { try makeCatalog(at: $0, version: version + 1) },
      isNamed: {
        if case .otherVersion(_, version + 1, version) = $0 { true } else { false }
      }, words: ["version \(version + 1)", "that version of RebrickableCatalog"]),
  ]

  private static func makeCatalog(at path: String, version: Int32) throws {
    let connection = try Connection(path, opening: .createNew)
    try connection.set(.applicationID, to: expected)
    try connection.set(.userVersion, to: version)
  }

  @Test(arguments: obstacles)
  func `an error names the path and the obstacle`(obstacle: Obstacle) throws {
    let workplace = try Workplace()
    let path = workplace.path + "/catalog.sqlite"
    try obstacle.make(path)
    let names = try workplace.names
    let error = #expect(throws: CatalogError.self) { try CatalogStore(path) }
    let unwrapped = try #require(error)
    #expect(obstacle.isNamed(unwrapped), "\(unwrapped)")
    for word in [path] + obstacle.words {
      #expect(unwrapped.description.contains(word), "\(unwrapped)")
    }
    #expect(try workplace.names == names)
  }

  @Test func `a catalog without tables is an error of each query`() throws {
    let workplace = try Workplace()
    try Self.makeCatalog(at: workplace.output, version: Self.version)
    let catalog = try CatalogStore(workplace.output)
    let error = #expect(throws: CatalogError.self) { try catalog.parts(ofSet: "6024-1") }
    #expect(error?.description.contains("no such table") == true)
    #expect(throws: DataAccessError.self) { try catalog.sets.findAll() }
    #expect(throws: CatalogError.noSearch) { try catalog.search("castle") }
  }

  @Test func `nothing can be written, and no column is misspelled silently`() throws {
    let castle = try CastleCatalog()
    let catalog = try CatalogStore(castle.path)
    #expect(throws: DataAccessError.self) {
      try catalog.themes.insert(RebrickableCatalog.Theme(id: 1, name: "Technic"))
    }
    let error = #expect(throws: DataAccessError.self) {
      try catalog.sets.find(where: ["theme": 186])
    }
    #expect(error?.description.contains("sets has no column theme") == true)
  }
}
