import Foundation
package import SQLiteSwiftly

/// Changes a database, which is created if none is there, and closes it.
package func changeDatabase(_ path: String, _ change: (Connection) throws -> Void) throws {
  let connection = try Connection(path, opening: .openOrCreate)
  try change(connection)
  try connection.close()
}

/// Runs statements on a database.
package func changeDatabase(_ path: String, _ statements: [SQL]) throws {
  try changeDatabase(path) { for statement in statements { _ = try $0.query(statement) } }
}

/// Makes a folder, and those that it is in.
package func makeFolder(_ path: String) throws {
  try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
}
