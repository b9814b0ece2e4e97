import Glibc
import SQLiteSwiftly

/// Where the databases of a comparison are: one for each side, with the same settings.
enum Store {
  case memory
  /// Files, whose names begin with `path`.
  case file(path: String)

  /// SQLite keeps no journal and waits for no disk.
  private static let settings: [SQL] = ["PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF"]

  /// The name in the report.
  var name: String {
    switch self {
    case .memory: "memory"
    case .file: "file"
    }
  }

  /// Makes a new database through the SQLite layer, in place of the one that was there.
  func makeConnection(_ creation: SQL) throws -> Connection {
    let connection: Connection
    switch self {
    case .memory: connection = try Connection.inMemory()
    case .file(let path):
      let path = path + "-swift.sqlite"
      _ = unsafe unlink(path)
      connection = try Connection(path, opening: .createNew)
    }
    for setting in Self.settings { _ = try connection.query(setting) }
    try connection.execute(creation)
    return connection
  }

  /// Makes the same database without the layer.
  func makeReference(_ creation: SQL) throws -> ReferenceDatabase {
    let setup = (Self.settings + [creation]).map { $0.text + ";" }.joined(separator: "\n")
    switch self {
    case .memory: return try ReferenceDatabase(":memory:", setup: setup)
    case .file(let path):
      let path = path + "-c.sqlite"
      _ = unsafe unlink(path)
      return try ReferenceDatabase(path, setup: setup)
    }
  }

  /// Removes the files.
  func clear() {
    guard case .file(let path) = self else { return }
    for side in ["-swift", "-c"] { _ = unsafe unlink(path + side + ".sqlite") }
  }
}
