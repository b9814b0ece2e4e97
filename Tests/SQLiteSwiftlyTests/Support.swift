import Foundation
import SQLiteSwiftly
import Testing

// For all files of these tests, most of which make tables.
@_exported import TestSupport

/// Gives `body` the path of a database in a folder that is gone after it.
func withFile<Result>(_ body: (String) throws -> Result) throws -> Result {
  try withFolder { try body($0 + "/a.sqlite") }
}

/// The contents of the folder `path`: the kind and the bytes of each name.
func contents(of path: String) throws -> [String: String] {
  let manager = FileManager.default
  var contents: [String: String] = [:]
  for name in try manager.subpathsOfDirectory(atPath: path) {
    let item = path + "/" + name
    let attributes = try manager.attributesOfItem(atPath: item)
    contents[name] =
      switch attributes[.type] as? FileAttributeType {
      case .typeDirectory?: "folder"
      case .typeSymbolicLink?: "link to " + (try manager.destinationOfSymbolicLink(atPath: item))
      // Foundation leaks memory when it reads an empty file.
      case _ where attributes[.size] as? Int == 0: ""
      default: try Data(contentsOf: URL(filePath: item)).base64EncodedString()
      }
  }
  return contents
}

/// The files below `path` that this process has open.
func openFiles(below path: String) throws -> [String] {
  let folder = "/proc/self/fd"
  return try FileManager.default.contentsOfDirectory(atPath: folder).compactMap { descriptor in
    // Another test's descriptor may be gone by now.
    try? FileManager.default.destinationOfSymbolicLink(atPath: folder + "/" + descriptor)
  }.filter { $0.hasPrefix(path) }.sorted()
}

/// Runs a call that must fail with a code, and with a message if there is one.
func expectFailure(
  _ code: SQLiteError.ResultCode? = nil, extended: SQLiteError.ResultCode? = nil,
  _ message: String? = nil, at location: SourceLocation = #_sourceLocation,
  _ body: () throws -> Void
) throws {
  let error = try failure(body, sourceLocation: location)
  let expected = (code ?? error.code, extended ?? error.extendedCode, message ?? error.message)
  #expect((error.code, error.extendedCode, error.message) == expected, sourceLocation: location)
}

func expectFailure(
  _ message: String, at location: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) throws {
  try expectFailure(nil, message, at: location, body)
}

extension Connection {
  /// A database in memory that has described tables.
  static func inMemory(with tables: TableDescription...) throws(SQLiteError) -> Connection {
    let connection = try inMemory()
    for table in tables { try connection.createTable(describedBy: table) }
    return connection
  }

  /// A database in memory in which some statements were run.
  static func inMemory(after statements: SQL...) throws(SQLiteError) -> Connection {
    let connection = try inMemory()
    for statement in statements { try connection.execute(statement) }
    return connection
  }
}

/// A table with a key and a column that need not be there.
let words = TableDescription(
  "words",
  columns: [ColumnDescription("id", .integer), ColumnDescription("word", .text, isNullable: true)],
  primaryKey: ["id"])
