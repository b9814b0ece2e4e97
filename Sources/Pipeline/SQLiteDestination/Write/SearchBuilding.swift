import Platform
import SQLiteSwiftly
import Schema
import Vocabulary

/// Builds the search on a helper's thread, in a temporary database of its own, while SQLite derives tables; then copies it
/// into the file.
///
/// One thread at a time uses the connection: that of the initializer, and then the helper's, or another that does its
/// pieces.
final class SearchBuilding: @unchecked Sendable {
  private static let database = "building"

  private struct Progress {
    /// The seconds that it took to fill the tables; nil until they are full, or not needed.
    var filled: Result<Double, SQLiteError>?
    /// Whether the search may be copied into the file.
    var canCopy = false
    var copied: Result<SearchResult, SQLiteError>?
  }

  private let search: SearchDescription
  private let connection: Connection
  private let recorder: RunRecorder
  private let progress = Monitor(Progress())

  /// Starts building from the file at `path` as it is now; meanwhile only tables that the search does not read may change.
  init(
    _ search: SearchDescription, of path: String, descriptor: Int32, recorder: RunRecorder,
    on helper: Helper
  ) throws(SQLiteError) {
    self.search = search
    self.recorder = recorder
    // Another connection will lock the file, and closing this one would unlock it (fcntl(2)): so it is only closed when
    // the other one has no lock, or the file is abandoned.
    connection = try Connection(withoutLocks: path)
    try CandidateFile.checkIsOpened(descriptor, by: 2)
    try connection.set(.temporaryStore, to: .file)
    try connection.execute("ATTACH '' AS \(identifier: Self.database)")
    try connection.set(.journalMode, to: .off)
    try connection.set(.synchronous, to: .off)
    for database in ["main", Self.database] {
      _ = try connection.query(
        SQL(generated: "PRAGMA \(database).cache_size = \(-Tuning.indexCacheKibibytes)"))
    }
    // Until this ends, SQLite neither reads the schema again, nor expects other changes.
    try connection.beginTransaction(.deferred)
    _ = try connection.query("SELECT count(*) FROM main.sqlite_schema")
    helper.add { [self] in
      guard progress.with({ $0.filled == nil }) else { return }
      let result = Result { () throws(SQLiteError) in try fill() }
      let canCopy = progress.with { progress in
        progress.filled = progress.filled ?? result
        return progress.canCopy
      }
      if canCopy { copy() }
    }
  }

  private func fill() throws(SQLiteError) -> Double {
    let start = recorder.now
    try connection.fillSearch(search, in: Self.database)
    try connection.commitTransaction()
    recorder.record(.search, from: start)
    return recorder.now - start
  }

  /// Has the search copied into the file as soon as it is complete; no other connection writes to the file or has it
  /// locked until `result()` returns.
  func copy(on helper: Helper) {
    let isFilled = progress.with { progress in
      progress.canCopy = true
      return progress.filled != nil
    }
    if isFilled { helper.add { [self] in copy() } }
  }

  private func copy() {
    let filled = progress.with(\.filled)
    let result = Result { () throws(SQLiteError) in try copy(after: filled?.get() ?? 0) }
    progress.with { $0.copied = result }
  }

  private func copy(after seconds: Double) throws(SQLiteError) -> SearchResult {
    let start = recorder.now
    let pages = try connection.value(of: .pageCount)
    let entries = try connection.createSearch(search, copying: Self.database)
    let bytes = (try connection.value(of: .pageCount) - pages) * Tuning.pageBytes
    try connection.close()
    recorder.record(.search, from: start)
    return (entries: entries, bytes: bytes, seconds: seconds + recorder.now - start)
  }

  /// Waits for the copy.
  func result(from helper: Helper) throws(SQLiteError) -> SearchResult {
    helper.finish()
    guard let copied = progress.with(\.copied) else {
      throw SQLiteError(.misuse, "the search was not copied")
    }
    return try copied.get()
  }

  /// Does not begin to fill the tables, or stops the statement that fills them.
  func cancel() {
    progress.with {
      $0.filled = $0.filled ?? .failure(SQLiteError(.interrupted, "the search is not needed"))
    }
    connection.interrupter.interrupt()
  }
}
