import Platform
import SQLiteFormat

/// The thread that reads the loaded indexes back while the rest of the file is written.
struct IndexReading: Sendable {
  typealias Found = Result<EntryChecksum, DatabaseError>

  /// The root pages of the indexes.
  let roots: [Int]
  private let worker: Worker<[Found]>

  /// Starts the thread; fails if the system cannot, or cannot read the file.
  ///
  /// The indexes are complete in the file of `descriptor`, and a connection may write to other pages of it. The thread has
  /// no descriptor of its own, since closing one would unlock the file of the connection (fcntl(2)); if the file is closed
  /// after a failure, nobody asks for the result.
  init?(_ indexes: [CollectedIndex], roots: [Int], in descriptor: Int32) {
    guard let header = try? DatabaseHeader(of: descriptor),
      let worker = try? Worker(
        "checker",
        {
          zip(indexes, roots).map { index, root in
            Result { () throws(DatabaseError) in
              try index.storedChecksum(in: descriptor, header, root: root)
            }
          }
        })
    else { return nil }
    self.roots = roots
    self.worker = worker
  }

  /// The checksums of the indexes as stored; waits for the thread.
  func found() -> [Found] { worker.result() }
}
