import CSQLite
import Glibc

// A statement must return the same result whenever and wherever it runs. SQLite's own functions
// depend on the clock, random numbers and the time zone only.
extension Connection {
  /// Opens a database through a file system that records whether a statement reads the clock.
  package convenience init(
    recordingClockIn path: String, busyTimeout: Duration
  ) throws(SQLiteError) {
    try self.init(
      path, opening: .openExisting, busyTimeout: busyTimeout, fileSystem: clockRecordingFileSystem)
  }

  /// Whether a recording connection has read the clock on this thread since the last call.
  package static func consumeClockReading() -> Bool {
    defer { pthread_setspecific(clockReading, nil) }
    return unsafe pthread_getspecific(clockReading) != nil
  }

  /// Makes every call of the functions for random numbers fail, also in column defaults.
  package func refuseRandomNumbers() throws(SQLiteError) {
    for name in ["random", "randomblob"] {
      let code = unsafe sqlite3_create_function_v2(
        try openHandle(), name, -1, SQLITE_UTF8, nil,
        { context, _, _ in
          unsafe sqlite3_result_error(
            context, "random() and randomblob() return a different result each time", -1)
        }, nil, nil, nil)
      guard code == SQLITE_OK else {
        throw unsafe SQLiteError(code, on: try openHandle(), sql: nil)
      }
    }
  }
}

/// Null on a thread that has not read the clock.
private let clockReading: pthread_key_t = {
  var key = pthread_key_t()
  unsafe pthread_key_create(&key, nil)
  return key
}()

/// The name of a copy of SQLite's file system that records clock readings; nil without memory.
///
/// SQLite reads the clock only for functions that return the time, once for each statement.
private let clockRecordingFileSystem: String? = {
  let name = "SQLiteSwiftly.clock"
  guard let usual = unsafe sqlite3_vfs_find(nil), let copiedName = unsafe strdup(name) else {
    return nil
  }
  // The copy lives as long as the process, since SQLite keeps its address.
  let copy = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
  unsafe copy.initialize(to: usual.pointee)
  unsafe copy.pointee.zName = UnsafePointer(copiedName)
  unsafe copy.pointee.pNext = nil
  unsafe copy.pointee.xCurrentTimeInt64 = { _, time in
    unsafe pthread_setspecific(clockReading, UnsafeRawPointer(bitPattern: 1))
    let usual = unsafe sqlite3_vfs_find(nil)
    return unsafe usual?.pointee.xCurrentTimeInt64?(usual, time) ?? SQLITE_ERROR
  }
  return unsafe sqlite3_vfs_register(copy, 0) == SQLITE_OK ? name : nil
}()
