import Vocabulary
package import Platform
package import SQLiteFormat
import Glibc
package import SQLiteSwiftly
package import Schema

/// Writes the indexes whose entries were collected: on its own thread while SQLite writes to the file, and in the end
/// also on the caller's.
struct IndexWriting: Sendable {
  /// The uses of the owners of aggregated rows, by the positions of indexes.
  typealias Uses = [Int: OwnerUses]

  fileprivate typealias Written = (tree: IndexPages.Tree, results: AggregateResults?)

  fileprivate struct Progress {
    var begun = 0
    var uses: Uses?
    /// The result of each index; nil until it is written.
    var written: [Result<Written, SQLiteError>?]
  }

  private let schema: SchemaDescription
  private let indexes: CollectedIndexes
  private let pages: IndexPages
  private let recorder: RunRecorder
  /// The positions of the indexes, in the order of writing.
  private let order: [Int]
  /// The number of indexes with aggregated entries, which come last since they may have to wait.
  private let added: Int
  private let progress: Monitor<Progress>
  /// Nil if the system cannot start a thread.
  private var worker: Worker<Void>?

  /// Starts writing.
  ///
  /// No connection uses the file of `descriptor` now; afterwards, one can write to it after reading its header again.
  init(
    _ indexes: CollectedIndexes, of schema: SchemaDescription, descriptor: Int32,
    recorder: RunRecorder
  ) throws(SQLiteError) {
    self.schema = schema
    self.indexes = indexes
    self.recorder = recorder
    let added = Set(schema.aggregates.compactMap { schema.place(of: $0, among: indexes.indexes) })
    self.added = added.count
    // The longest come first, so that both threads end at about the same time.
    order = indexes.indexes.indices.sorted {
      added.contains($0) == added.contains($1)
        ? indexes.indexes[$0].bytes > indexes.indexes[$1].bytes : added.contains($1)
    }
    progress = Monitor(Progress(written: order.map { _ in nil }))
    pages = try Self.writing(TemporaryFolders.disk) { () throws(FileError) in
      try IndexPages(for: indexes, in: descriptor, treesIn: TemporaryFolders.disk)
    }
    worker = nil
    worker = try? Worker("index") { [self] in writeTrees() }
  }

  func add(_ uses: Uses) { progress.with { $0.uses = uses } }

  /// Abandons the unfinished indexes, and waits for the thread.
  func cancel() {
    progress.with {
      $0.begun = order.count
      $0.uses = $0.uses ?? [:]
    }
    worker?.result()
  }

  /// Writes the remaining indexes, and adds all of them to the file, which no connection uses now; fails as
  /// `CREATE INDEX` would.
  ///
  /// - Returns: The root pages, and the statistics of the aggregated entries.
  func finish() throws(SQLiteError) -> (roots: [Int], results: [Int: AggregateResults]) {
    writeTrees()
    worker?.result()
    let written = progress.with(\.written)
    var trees: [IndexPages.Tree] = []
    var results: [Int: AggregateResults] = [:]
    for (place, written) in written.enumerated() {
      guard let written else { throw SQLiteError(.misuse, "an index was not written") }
      let (tree, result) = try written.get()
      trees.append(tree)
      results[place] = result
    }
    return (
      try Self.writing(nil) { () throws(FileError) in try pages.finish(trees) }, results
    )
  }

  /// Writes one index after another, until all have been begun.
  private func writeTrees() {
    while true {
      let turn = progress.with { progress in
        defer { progress.begun += 1 }
        return progress.begun
      }
      guard turn < order.count else { return }
      let place = order[turn]
      let written = write(place, aggregating: turn >= order.count - added)
      progress.with { $0.written[place] = written }
    }
  }

  private static func writing<Result>(
    _ folder: String?, _ body: () throws(FileError) -> Result
  ) throws(SQLiteError) -> Result {
    do throws(FileError) {
      return try body()
    } catch {
      throw SQLiteError(error, "the indexes cannot be written\(folder.map { " to \($0)" } ?? "")")
    }
  }

  private func write(_ place: Int, aggregating: Bool) -> Result<Written, SQLiteError> {
    let start = recorder.now
    let table = schema.tables[indexes.indexes[place].table].name
    defer { recorder.record(.index, table: table, from: start) }
    return Result { () throws(SQLiteError) in
      guard aggregating else { return (try self.tree(place), nil) }
      let statistics = try Statistics(of: place, progress)
      let written = Result { () throws(SQLiteError) in
        try self.tree(place) { _ = statistics.keys.send($0) }
      }
      let results = statistics.finish()
      let tree = try written.get()
      guard let results else { throw error(.damaged, of: place) }
      return (tree, results)
    }
  }

  private func tree(
    _ place: Int, passing pass: ((consuming KeyBlock) -> Void)? = nil
  ) throws(SQLiteError) -> IndexPages.Tree {
    do throws(DatabaseError) {
      return try pages.write(place, of: indexes, passing: pass)
    } catch {
      throw self.error(error, of: place)
    }
  }

  private func error(_ error: DatabaseError, of place: Int) -> SQLiteError {
    let index = indexes.indexes[place]
    switch error {
    case .damaged: return SQLiteError(.corrupt, "an index cannot be written")
    case .file(let error):
      return SQLiteError(error, "an index cannot be written to \(TemporaryFolders.disk)")
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

/// The thread that aggregates the entries of an index while another thread writes them.
private struct Statistics {
  let keys: HandOff<KeyBlock>
  private let worker: Worker<AggregateResults?>

  /// Starts the thread, which waits until the uses of the owners are known.
  init(
    of place: Int, _ progress: Monitor<IndexWriting.Progress>
  ) throws(SQLiteError) {
    let keys = HandOff<KeyBlock>()
    self.keys = keys
    do throws(IngestError) {
      worker = try startWorker("statistics") {
        // The sender must not wait for a thread that has failed.
        defer { keys.close() }
        guard let uses = progress.when({ $0.uses != nil }, { $0.uses?[place] }) else { return nil }
        var aggregation = Aggregation(uses)
        while let block = keys.receive() {
          guard aggregation.add(block) else { return nil }
        }
        return aggregation.finish()
      }
    } catch {
      throw SQLiteError(.outOfMemory, error.message)
    }
  }

  /// Waits for the statistics; nil if the entries cannot be aggregated.
  func finish() -> AggregateResults? {
    keys.close()
    return worker.result()
  }
}

extension SchemaDescription {
  /// The position of the index with the entries of an aggregate.
  package func place(of aggregate: AggregateDescription, among indexes: [CollectedIndex]) -> Int? {
    indexes.firstIndex { index in
      let table = tables[index.table]
      return haveSameBytes(table.name, aggregate.source)
        && haveSameBytes(table.indexColumns(index.place), aggregate.index)
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
