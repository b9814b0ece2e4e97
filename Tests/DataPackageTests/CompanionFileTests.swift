import Schema
import Foundation
import SQLiteSwiftly
import Testing

@testable import DataPackage

@Suite struct CompanionFileTests {
  /// A folder with a description, files beside it, and a file outside that nothing may read.
  private final class Package {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "package-" + UUID().uuidString)
    var path: String { folder.path + "/in/datapackage.json" }

    init(_ files: [String: String], links: [String: String] = [:]) throws {
      let manager = FileManager.default
      try manager.createDirectory(
        atPath: folder.path + "/in/schemas", withIntermediateDirectories: true)
      for (name, text) in files {
        try Data(text.utf8).write(to: folder.appendingPathComponent(name))
      }
      for (name, target) in links {
        try manager.createSymbolicLink(
          atPath: folder.path + "/in/" + name, withDestinationPath: target)
      }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    var faults: [String] {
      do throws(DataPackageError) {
        _ = try DataPackage.read(path: path, ignoringUnsupported: false, needsPlaces: true)
        return []
      } catch {
        return error.faults.map {
          "\($0.file.replacing(path, with: "d")):\($0.line) \($0.code.rawValue) \($0.pointer)"
        }
      }
    }
  }

  private static func description(_ resource: String) -> String {
    "{\"resources\": [{\"name\": \"t\", \"path\": \"t.csv\",\n\(resource)}]}"
  }

  private static let schema = "{\"fields\": [{\"name\": \"a\"},\n{\"name\": \"b\"}]}"

  @Test func `a schema with a URL is a file of that name in another folder`() throws {
    let url = "https://example.org/schemas/1.0/t.json?raw=1"
    let package = try Package([
      "in/datapackage.json": Self.description("\"schema\": \"\(url)\""),
      "in/schemas/t.json": Self.schema,
    ])
    #expect(package.faults == ["d:2 path-unsafe /resources/0/schema"])
    let folder = package.folder.path + "/in/schemas"
    let contents = try DataPackage.read(
      path: package.path, schemas: folder, ignoringUnsupported: false, needsPlaces: true)
    #expect(contents.schema.tables.first?.columns.map(\.name) == ["a", "b"])
    let error = try #require(throws: DataPackageError.self) {
      try DataPackage.read(
        path: package.path, schemas: package.folder.path, ignoringUnsupported: false,
        needsPlaces: true)
    }
    #expect(error.faults.map(\.code) == [.descriptionUnreadable])
    #expect(error.faults[0].problem == "there is no file \"t.json\"")
  }

  @Test func `schema and dialect are read from files beside the description`() throws {
    let package = try Package([
      "in/datapackage.json": Self.description(#""schema": "schemas/t.json", "dialect": "d.json""#),
      "in/schemas/t.json": Self.schema, "in/d.json": #"{"delimiter": ";"}"#,
    ])
    let contents = try DataPackage.read(
      path: package.path, ignoringUnsupported: false, needsPlaces: true)
    let table = try #require(contents.schema.tables.first)
    #expect(
      table.columns.map(\.name) == ["a", "b"] && contents.schema.sources[0].dialect.delimiter == ";"
    )
  }

  @Test(
    arguments: [
      ("none.json", ["d:2 description-unreadable /resources/0/schema"]),
      ("schemas", ["d:2 description-unreadable /resources/0/schema"]),
      ("out.json", ["d:2 path-unsafe /resources/0/schema"]),
      ("up/out.json", ["d:2 path-unsafe /resources/0/schema"]),
      ("in.json", []),
      ("bad.json", ["bad.json:2 property-invalid /fields/1/type"]),
      ("broken.json", ["broken.json:1 description-not-json "]),
    ])
  func `a path outside the description's folder is refused`(
    path: String, faults: [String]
  ) throws {
    let package = try Package(
      [
        "in/datapackage.json": Self.description("\"schema\": \"\(path)\""),
        "out.json": Self.schema, "in/schemas/t.json": Self.schema,
        "in/bad.json": "{\"fields\": [{\"name\": \"a\"},\n{\"name\": \"b\", \"type\": 1}]}",
        "in/broken.json": "{",
      ],
      links: ["out.json": "../out.json", "up": "..", "in.json": "schemas/t.json"])
    #expect(package.faults == faults)
  }

  @Test func `an unreadable description is reported`() throws {
    let package = try Package([:])
    #expect(package.faults == ["d:0 description-unreadable "])
    let large = try Package(["in/datapackage.json": String(repeating: " ", count: (16 << 20) + 1)])
    #expect(large.faults == ["d:0 description-unreadable "])
  }
}
