import Facts
import Threads
package import SQLiteFormat
package import Files
import Glibc
package import SQLiteSwiftly
package import Schema

/// Writes the indexes whose entries were taken up: on a thread of its own, while the file gets what SQLite
/// writes, and in the end on the caller's as well.
struct IndexWriting: Sendable {
  /// Who uses what is added up, by the places of indexes.
  typealias Uses = [Int: OwnerUses]

  fileprivate typealias Written = (tree: IndexPages.Tree, results: AggregateResults?)

  fileprivate struct Progress {
    /// How many indexes have been begun with.
    var begun = 0
    /// Nil until it is known.
    var uses: Uses?
    /// For each index, what it came to.
    var written: [Result<Written, SQLiteError>?]
  }

  private let schema: SchemaDescription
  private let indexes: CollectedIndexes
  private let pages: IndexPages
  private let recorder: RunRecorder
  /// The indexes in the order in which they are begun with.
  private let order: [Int]
  /// How many of these, the last ones, are added up, for which they may have to wait.
  private let added: Int
  private let progress: Monitor<Progress>
  /// Nil if the system makes no thread.
  private var worker: Worker<Void>?

  /// Begins.
  ///
  /// Nobody uses the file of `descriptor` now; afterwards it may be written by who reads its header again.
  init(
    _ indexes: CollectedIndexes, of schema: SchemaDescription, descriptor: Int32,
    recorder: RunRecorder
  ) throws(SQLiteError) {
    self.schema = schema
    self.indexes = indexes
    self.recorder = recorder
    let added = Set(schema.aggregates.compactMap { schema.place(of: $0, among: indexes.indexes) })
    self.added = added.count
    // The longest come first, so that no thread is left alone with one.
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

  /// Gives up what is not finished, and waits for the end of the thread.
  func cancel() {
    progress.with {
      $0.begun = order.count
      $0.uses = $0.uses ?? [:]
    }
    worker?.result()
  }

  /// Writes what is left, and puts everything into the file, which nobody uses now; fails as `CREATE INDEX` would.
  ///
  /// Returns the numbers of the root pages, and the statistics of those whose entries were added up.
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

  /// Writes one index after the other, as long as there are some that no thread has begun with.
  private func writeTrees() {
    while true {
      let turn = progress.with { progress in
        defer { progress.begun += 1 }
        return progress.begun
      }
      guard turn < order.count else { return }
      let place = order[turn]
      let written = write(place, addingUp: turn >= order.count - added)
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

  private func write(_ place: Int, addingUp: Bool) -> Result<Written, SQLiteError> {
    let start = recorder.now
    let table = schema.tables[indexes.indexes[place].table].name
    defer { recorder.record(.index, table: table, from: start) }
    return Result { () throws(SQLiteError) in
      guard addingUp else { return (try self.tree(place), nil) }
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

/// The thread that adds up the entries of an index while another one writes them.
private struct Statistics {
  /// The keys on their way to it.
  let keys: HandOff<KeyBlock>
  private let worker: Worker<AggregateResults?>

  /// Begins, and waits until it is known by what the entries are added up.
  init(
    of place: Int, _ progress: Monitor<IndexWriting.Progress>
  ) throws(SQLiteError) {
    let keys = HandOff<KeyBlock>()
    self.keys = keys
    do throws(IngestError) {
      worker = try startWorker("statistics") {
        // Who sends must not wait for a thread that has given up.
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

  /// Waits for what the entries come to; nil if they cannot be added up.
  func finish() -> AggregateResults? {
    keys.close()
    return worker.result()
  }
}

extension SchemaDescription {
  /// Which of the indexes has the entries that an aggregate adds up.
  package func place(of aggregate: AggregateDescription, among indexes: [CollectedIndex]) -> Int? {
    indexes.firstIndex { index in
      let table = tables[index.table]
      return haveSameBytes(table.name, aggregate.source)
        && haveSameBytes(table.indexColumns(index.place), aggregate.index)
    }
  }
}

extension SQLiteError {
  /// The error that SQLite would have made of one of the system's.
  package init(_ error: FileError, _ what: String) {
    let code: ResultCode =
      switch error.code {
      case ENOSPC, EDQUOT: .full
      case damagedFile: .corrupt
      default: .inputOutput
      }
    self.init(code, "\(what): \(error.message)")
  }
}
