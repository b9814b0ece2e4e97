import Foundation
package import SQLiteSwiftly
package import Testing

/// Gives `body` the path of a folder that is gone after it.
package func withFolder<Result>(_ body: (String) throws -> Result) throws -> Result {
  let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
  try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: url) }
  return try body(url.resolvingSymlinksInPath().path)
}

/// Runs a call that must fail, and returns its error.
package func failure(
  _ body: () throws -> Void, sourceLocation: SourceLocation = #_sourceLocation
) throws -> SQLiteError {
  try #require(throws: SQLiteError.self, sourceLocation: sourceLocation, performing: body)
}

extension Connection {
  /// The rows of `table` in the order of their first column.
  package func rows(of table: String) throws -> [[SQLiteValue]] {
    try query("SELECT * FROM \(identifier: table) ORDER BY 1")
  }

  /// The texts in the first column of a result.
  package func texts(_ query: SQL) throws -> [String?] {
    try self.query(query).map { $0[0].textValue }
  }
}
