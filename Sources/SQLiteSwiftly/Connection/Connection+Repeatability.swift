import CSQLite
import Glibc

// What a statement finds must be the same whenever and wherever it is run. The clock and the generator of
// random numbers are all that the library's own functions have of the outside, besides the time zone.
extension Connection {
  /// Opens the database file at `path` for reading and writing, through a file system that warnings when a
  /// statement asks for the time.
  package convenience init(
    noticingClockIn path: String, busyTimeout: Duration
  ) throws(SQLiteError) {
    try self.init(
      path, opening: .openExisting, busyTimeout: busyTimeout, fileSystem: clockNoticingFileSystem)
  }

  /// Whether a connection that warnings it has asked for the time, on this thread and since this was said the
  /// last time.
  package static func takeClockReading() -> Bool {
    defer { pthread_setspecific(clockReading, nil) }
    return unsafe pthread_getspecific(clockReading) != nil
  }

  /// Makes every call of the functions for random numbers fail, also in the default of a column.
  package func refuseRandomNumbers() throws(SQLiteError) {
    for name in ["random", "randomblob"] {
      let code = unsafe sqlite3_create_function_v2(
        try openHandle(), name, -1, SQLITE_UTF8, nil,
        { context, _, _ in
          unsafe sqlite3_result_error(
            context, "random() and randomblob() give something else each time", -1)
        }, nil, nil, nil)
      guard code == SQLITE_OK else {
        throw unsafe SQLiteError(code, on: try openHandle(), sql: nil)
      }
    }
  }
}

/// Where each thread keeps whether the clock was read: anything but null, if it was.
private let clockReading: pthread_key_t = {
  var key = pthread_key_t()
  unsafe pthread_key_create(&key, nil)
  return key
}()

/// The name of a copy of SQLite's file system that warnings when the time is asked for; nil if there is no
/// memory for one.
///
/// SQLite itself asks for it nowhere else but in functions that give the time, once for each statement.
private let clockNoticingFileSystem: String? = {
  let name = "SQLiteSwiftly.clock"
  guard let usual = unsafe sqlite3_vfs_find(nil), let copiedName = unsafe strdup(name) else {
    return nil
  }
  // It lives as long as the process, since SQLite keeps its address.
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
