import Foundation
import Glibc
import SQLiteSwiftly
import Testing

/// Files and folders that may not be used as they would have to be.
enum Forbidden: CaseIterable {
  case fileToRead, fileToWrite, folderToMakeFiles, folderToEnter

  /// Makes it in `folder` and returns the path of the database.
  func make(in folder: String) throws -> String {
    let inner = folder + "/inner"
    let path = inner + "/catalog.sqlite"
    try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: false)
    if self != .folderToMakeFiles {
      let connection = try Connection(path, opening: .createNew)
      try connection.execute("CREATE TABLE old (id)")
      try connection.close()
    }
    switch self {
    case .fileToRead: try setPermissions(0o000, of: path)
    case .fileToWrite: try setPermissions(0o444, of: path)
    case .folderToMakeFiles: try setPermissions(0o555, of: inner)
    case .folderToEnter: try setPermissions(0o000, of: inner)
    }
    return path
  }
}

/// Sets the permissions of owner, group and others.
private func setPermissions(_ mode: Int, of path: String) throws {
  try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
}

/// Runs `body` on files as somebody who is not their owner, if that is root, to whom all is permitted.
///
/// It verdictWarnings the current thread only (<https://man7.org/linux/man-pages/man2/setfsuid.2.html>).
private func withPermissions<Result>(_ body: () throws -> Result) rethrows -> Result {
  typealias SetUser = @convention(c) (uid_t) -> CInt
  guard geteuid() == 0, let symbol = unsafe dlsym(nil, "setfsuid") else { return try body() }
  let setUser = unsafe unsafeBitCast(symbol, to: SetUser.self)
  _ = setUser(65_534)
  defer { _ = setUser(0) }
  return try body()
}

struct PermissionTests {
  typealias Opening = Connection.Opening

  /// Whether permissions can be withheld from this process.
  static let permissionsCount: Bool = {
    let isOpened = try? withFolder { folder in
      let path = try Forbidden.fileToRead.make(in: folder)
      return withPermissions { FileHandle(forReadingAtPath: path) != nil }
    }
    return isOpened == false
  }()

  static let openings: [(Forbidden, Opening, SQLiteError.ResultCode?)] =
    Forbidden.allCases.flatMap { forbidden in
      [Opening.createNew, .openExisting, .openOrCreate, .readOnly].map { opening in
        guard forbidden == .fileToWrite else { return (forbidden, opening, .cannotOpen) }
        let code: SQLiteError.ResultCode? =
          switch opening {
          case .createNew: .cannotOpen
          case .openExisting, .openOrCreate: .readOnly
          case .readOnly: nil
          }
        return (forbidden, opening, code)
      }
    }

  @Test(
    "SW-35 SW-36 X-7 what is forbidden is told at once and left as it was",
    .enabled(if: permissionsCount, "everything is permitted to this process"), arguments: openings)
  func opening(
    forbidden: Forbidden, opening: Opening, code: SQLiteError.ResultCode?
  ) throws {
    try withFolder { folder in
      let path = try forbidden.make(in: folder)
      let before = try contents(of: folder)
      var found: SQLiteError?
      do {
        let connection = try withPermissions { try Connection(path, opening: opening) }
        #expect(try connection.texts("SELECT name FROM sqlite_schema") == ["old"])
        try connection.close()
      } catch let error as SQLiteError {
        found = error
      }
      #expect(found?.code == code)
      #expect(found?.message.contains(path) ?? true)
      #expect(try contents(of: folder) == before)
      #expect(try openFiles(below: folder) == [])
      // To be removed, it must be possible to look into it.
      try setPermissions(0o755, of: folder + "/inner")
    }
  }
}
