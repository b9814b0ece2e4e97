package import SQLiteSwiftly

/// A published database that a run may find up to date.
package protocol PublishedCatalog {
  /// The version of its schema.
  var version: Int32 { get }
  var bytes: Int { get }

  /// Reads the tables with its provenance.
  func reading<Result>(
    _ body: (Connection) throws(SQLiteError) -> Result
  ) throws(IngestError) -> Result

  /// Throws the reason if another program has changed it since it was published.
  func checkIsUnmodified() throws(IngestError)

  /// Throws the reason if a crash of the machine might lose it.
  func checkIsOnDisk() throws(IngestError)
}

extension IngestError {
  /// The reason why a database is not up to date.
  package static func changed(_ reason: String) -> IngestError { IngestError(.data, reason) }
}
