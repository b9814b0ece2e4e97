import Vocabulary
package import Platform
package import SQLiteFormat
import Glibc
package import SQLiteSwiftly
package import Schema
import Text

/// Writes the indexes whose entries were collected: on a helper's thread while SQLite writes to the file, and in the end
/// also on the caller's.
struct IndexWriting: Sendable {
  fileprivate typealias Written = (tree: IndexPages.Tree, statistics: [[FilledBatch]])

  fileprivate struct Progress {
    /// What the statistics need besides the index; nil until it is known.
    var contents: [FilledBatch]?
    /// The positions of the indexes that were not begun, in the order of writing.
    var waiting: [Int]
    /// The number of indexes being written.
    var running = 0
    /// The result of each index; nil until it is written.
    var written: [Result<Written, SQLiteError>?]
  }

  private let schema: SchemaDescription
  private let indexes: CollectedIndexes
  private let pages: IndexPages
  private let recorder: RunRecorder
  /// The index whose entries the statistics follow; it waits until what they need is known, and then comes next.
  private let observed: Int?
  private let progress: Monitor<Progress>

  /// Prepares to write.
  ///
  /// No connection uses the file of `descriptor` now; afterwards, one can write to it after reading its header again.
  init(
    _ indexes: CollectedIndexes, of schema: SchemaDescription, descriptor: Int32,
    recorder: RunRecorder
  ) throws(SQLiteError) {
    self.schema = schema
    self.indexes = indexes
    self.recorder = recorder
    let observed = schema.indexOfStatistics(among: indexes.indexes)
    self.observed = observed
    // The longest come first, so that both threads end at about the same time.
    let order = indexes.indexes.indices.filter { $0 != observed }.sorted {
      indexes.indexes[$0].bytes > indexes.indexes[$1].bytes
    }
    progress = Monitor(Progress(waiting: order, written: indexes.indexes.map { _ in nil }))
    let folder = TemporaryFolders.disk
    pages = try mapError(
      IndexPages(for: indexes, in: descriptor, restsIn: folder),
      as: { SQLiteError($0, "the indexes cannot be written to the database, or to \(folder)") })
  }

  /// Has all indexes written but the observed one.
  func start(on helper: Helper) {
    for index in indexes.indexes.indices where index != observed {
      helper.add { [self] in _ = writeNext() }
    }
  }

  /// Has the observed index written.
  func computeStatistics(from contents: [FilledBatch], on helper: Helper) {
    progress.with { progress in
      progress.contents = contents
      if let observed { progress.waiting.insert(observed, at: 0) }
    }
    helper.add { [self] in _ = writeNext() }
  }

  /// Abandons the unfinished indexes, and waits for those being written.
  func cancel() {
    progress.with { $0.waiting = [] }
    waitForOthers()
  }

  /// Writes the remaining indexes, and waits for those being written.
  func finish() {
    while writeNext() {}
    waitForOthers()
  }

  /// Adds all indexes to the file, which no connection uses now; fails as `CREATE INDEX` would.
  ///
  /// - Returns: The root pages, and the rows of each table of statistics.
  func addToFile() throws(SQLiteError) -> (roots: [Int], statistics: [[FilledBatch]]) {
    var trees: [IndexPages.Tree] = []
    var statistics: [[FilledBatch]] = []
    for written in progress.with(\.written) {
      guard let written = try written?.get() else {
        throw SQLiteError(.misuse, "an index was not written")
      }
      trees.append(written.tree)
      statistics += written.statistics
    }
    return (
      try mapError(
        pages.append(trees), as: { SQLiteError($0, "the indexes cannot be written") }), statistics
    )
  }

  /// Waits until all indexes are written that were begun.
  private func waitForOthers() { progress.when({ $0.running == 0 }) { _ in } }

  /// Writes the next index; returns false if none is waiting.
  private func writeNext() -> Bool {
    let index = progress.with { progress -> Int? in
      guard !progress.waiting.isEmpty else { return nil }
      progress.running += 1
      return progress.waiting.removeFirst()
    }
    guard let index else { return false }
    let written = write(index)
    progress.with {
      $0.written[index] = written
      $0.running -= 1
    }
    return true
  }

  private func write(_ index: Int) -> Result<Written, SQLiteError> {
    let start = recorder.now
    let table = schema.tables[indexes.indexes[index].table].name
    defer { recorder.record(.index, table: table, from: start) }
    return Result { () throws(SQLiteError) in
      guard index == observed, let statistics = schema.statistics,
        let contents = progress.with({ $0.contents.take() })
      else {
        return (try tree(index), [])
      }
      var tree: Result<IndexPages.Tree, SQLiteError>?
      let computed = statistics.compute(contents) { add in
        precondition(tree == nil, "the entries were passed before")
        tree = withoutActuallyEscaping(add) { add in
          Result { () throws(SQLiteError) in try self.tree(index, observer: add) }
        }
      }
      guard let tree else { preconditionFailure("the entries were not passed") }
      return (try tree.get(), computed)
    }
  }

  private func tree(
    _ place: Int, observer: ((borrowing RowBatch) -> Void)? = nil
  ) throws(SQLiteError) -> IndexPages.Tree {
    try mapError(pages.write(place, of: indexes, observer: observer), as: { error($0, of: place) })
  }

  private func error(_ error: DatabaseError, of place: Int) -> SQLiteError {
    let index = indexes.indexes[place]
    switch error {
    case .damaged: return SQLiteError(.corrupt, "an index cannot be written")
    case .file(let error):
      return SQLiteError(
        error, "an index cannot be written to the database, or to \(TemporaryFolders.disk)")
    case .duplicate:
      let table = schema.tables[index.table]
      let columns = table.indexColumns(index.place)
      return SQLiteError(
        .constraintUnique,
        "UNIQUE constraint failed: \(columns.map { "\(table.name).\($0)" }.joined(separator: ", "))"
      )
    }
  }
}

extension SchemaDescription {
  /// The position of the index whose entries the statistics follow; nil if there are none.
  package func indexOfStatistics(among indexes: [CollectedIndex]) -> Int? {
    guard let statistics else { return nil }
    return indexes.firstIndex { index in
      let table = tables[index.table]
      return haveSameBytes(table.name, statistics.source.name)
        && haveSameBytes(table.indexColumns(index.place), statistics.index)
    }
  }
}

extension SQLiteError {
  /// A system error as SQLite would report it.
  package init(_ error: FileError, _ failure: String) {
    let code: ResultCode =
      switch error.code {
      case ENOSPC, EDQUOT: .full
      case damagedFile: .corrupt
      default: .inputOutput
      }
    self.init(code, "\(failure): \(error.message)")
  }
}
