import Platform
import SQLiteFormat

/// Reads the loaded indexes back on a helper's thread while the rest of the file is written.
struct IndexReading: Sendable {
  typealias Found = Result<EntryChecksum, DatabaseError>

  /// The root pages of the indexes.
  let roots: [Int]
  private let results: Monitor<[Found?]>

  /// Starts reading; fails if the header of the file cannot be read.
  ///
  /// The indexes are complete in the file of `descriptor`, and a connection may write to other pages of it. The helper has
  /// no descriptor of its own, since closing one would unlock the file of the connection (fcntl(2)); if the file is closed
  /// after a failure, nobody asks for the result.
  init?(_ indexes: [CollectedIndex], roots: [Int], in descriptor: Int32, by helper: Helper) {
    guard let header = try? DatabaseHeader(of: descriptor) else { return nil }
    self.roots = roots
    let results = Monitor([Found?](repeating: nil, count: roots.count))
    self.results = results
    for (place, (index, root)) in zip(indexes, roots).enumerated() {
      helper.add {
        let found = Found { () throws(DatabaseError) in
          try index.storedChecksum(in: descriptor, header, root: root)
        }
        results.with { $0[place] = found }
      }
    }
  }

  /// The checksums of the indexes as stored, once the helper has finished.
  func found() -> [Found] { results.with { $0.map { $0 ?? .failure(.damaged) } } }
}
