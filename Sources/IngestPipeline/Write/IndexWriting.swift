import DatabaseFile
import Files
import Glibc
import SQLiteSwiftly

/// Writes the indexes whose entries were taken up, two at a time.
struct IndexWriting: Sendable {
  let schema: SchemaDescription
  let indexes: CollectedIndexes
  /// The file that they go to, which nobody uses meanwhile.
  let descriptor: Int32
  /// For some of the indexes, by their places, what their entries are added up by.
  let uses: [Int: OwnerUses]
  let recorder: RunRecorder

  /// Writes all of them.
  ///
  /// - Returns: The numbers of their root pages, and the statistics of those whose entries were added up.
  /// - Throws: `SQLiteError`, as `CREATE INDEX` would, after which the file is of no use.
  func write() throws(SQLiteError) -> (roots: [Int], results: [Int: AggregateResults]) {
    let pages = try writing { () throws(FileError) in
      try IndexPages(for: indexes, in: descriptor)
    }
    let written = try trees(pages)
    let roots = try writing { () throws(FileError) in try pages.finish(written.map(\.tree)) }
    var results: [Int: AggregateResults] = [:]
    for (place, tree) in written.enumerated() { results[place] = tree.results }
    return (roots, results)
  }

  private typealias Written = (tree: IndexPages.Tree, results: AggregateResults?)

  /// Writes the trees, two at a time.
  private func trees(_ pages: IndexPages) throws(SQLiteError) -> [Written] {
    let order = indexes.indexes.indices.sorted {
      indexes.indexes[$0].bytes > indexes.indexes[$1].bytes
    }
    let written = onTwoThreads("index", pieces: order.count) { write(order[$0], pages) }
    return try zip(order, written).sorted { $0.0 < $1.0 }.map { place, tree throws(SQLiteError) in
      try tree.mapError { self.error($0, of: place) }.get()
    }
  }

  private func writing<Result>(
    _ body: () throws(FileError) -> Result
  ) throws(SQLiteError) -> Result {
    do throws(FileError) {
      return try body()
    } catch {
      throw SQLiteError(error, "the indexes cannot be written")
    }
  }

  private func write(
    _ place: Int, _ pages: IndexPages
  ) -> Result<Written, DatabaseError> {
    let start = recorder.now
    let table = schema.tables[indexes.indexes[place].table].name
    defer { recorder.record(.index, table: table, from: start) }
    return Result { () throws(DatabaseError) in
      try pages.write(place, of: indexes, addingUpBy: uses[place])
    }
  }

  private func error(_ error: DatabaseError, of place: Int) -> SQLiteError {
    let index = indexes.indexes[place]
    switch error {
    case .damaged: return SQLiteError(.corrupt, "an index cannot be written")
    case .file(let error): return SQLiteError(error, "an index cannot be written")
    case .duplicate:
      let table = schema.tables[index.table]
      let columns = (table.uniqueKeys + table.indexes)[index.place]
      return SQLiteError(
        .constraintUnique,
        "UNIQUE constraint failed: \(columns.map { "\(table.name).\($0)" }.joined(separator: ", "))"
      )
    }
  }
}

extension SQLiteError {
  /// The error that SQLite would have made of one of the system's.
  init(_ error: FileError, _ what: String) {
    let code: ResultCode =
      switch error.code {
      case ENOSPC, EDQUOT: .full
      case damagedFile: .corrupt
      default: .inputOutput
      }
    self.init(code, "\(what): \(error.message)")
  }
}
