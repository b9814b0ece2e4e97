import RebrickableCatalog
import SQLiteSwiftly
import SQLiteSwiftlyData
import TestSupport
import Testing

/// The examples of the models.
struct ModelExamples {
  private let castle: CastleCatalog
  private let path: String
  private let store: DataStore
  private let connection: Connection

  init() throws {
    castle = try CastleCatalog()
    path = castle.path
    connection = try Connection(path, opening: .openExisting)
    store = DataStore(connection)
  }

  @Test func `the article of the module`() throws {
    // Example: RebrickableCatalog # Overview

    #expect(pieces == ["3001": 100])
  }

  @Test func `the article of the module by a query`() throws {
    // Example: RebrickableCatalog # Overview (2)

    #expect(parts.map(\.partNumber) == ["3001"])
  }

  @Test func `the helper`() throws {
    var years: [Int] = []

    // Example: Model.swift # ModelHelper

    #expect(castle?.name == "Bandit Ambush")
    #expect(years == [1998])
  }

  @Test func `the helper's name`() throws {
    // Example: Model.swift # Helper

    #expect(try themes.findAll().map(\.name) == ["Castle", "Lion Knights"])
  }

  @Test func `the protocol of models`() throws {
    // Example: Model.swift # Model

    #expect(try count(of: RebrickableCatalog.InventoryPart.self) == 8)
  }

  @Test func `parts and sets by queries`() throws {
    // Example: PartModels.swift # Part

    // Example: SetModels.swift # LegoSet

    #expect(bricks.map(\.partNumber) == ["3001", "3001pr1"])
    #expect(bricks.map(\.material) == [.plastic, .plastic])
    #expect(sets.map(\.setNumber) == ["6024-1"])
  }
}
