package import Schema
package import Platform

/// The destination of a run: a new database that replaces the previous one completely, or not at all.
///
/// A run calls these functions once each, in this order, on its own thread. A new database that is neither published nor
/// kept is removed when its destination goes out of scope.
package protocol Destination: ~Copyable, SendableMetatype {
  /// Locks the output, and creates an empty database beside the previous one, in which custom SQL will run.
  ///
  /// - Throws: `IngestError` if that is not permitted, if ingest did not make the output, or if another run holds the
  ///   lock.
  init(
    _ schema: SchemaDescription, _ options: IngestOptions, running sqlFiles: [SQLFile], gate: Gate,
    patience: Patience, recorder: RunRecorder
  ) throws(IngestError)

  /// The run that wrote the previous database.
  ///
  /// - Returns: nil without a previous database, or if it cannot be read; `verify` then warns.
  /// - Throws: `IngestError` if the database is locked, or if the disk fails.
  borrowing func previousRun() throws(IngestError) -> PreviousRun?

  /// The tables of the previous database that have most of these keys; empty if it cannot be read.
  borrowing func previousTables(having keys: [ParentKey]) -> Set<String>

  /// Writes the rows from the ring until it is closed.
  ///
  /// - Parameters:
  ///   - ring: the source of the rows, table by table.
  ///   - waited: set to the seconds spent waiting for rows.
  /// - Throws: `IngestError` if they cannot be written.
  mutating func write(from ring: Ring, waited: inout Double) throws(IngestError)

  /// Completes the database once all rows are written: keys, indexes, derived tables, provenance, and the custom SQL.
  ///
  /// It is unusable after an error.
  mutating func complete(_ outcome: inout IngestOutcome) throws(IngestError)

  /// Verifies the database, counts its rows into `tables`, and compares it with the previous one; nil if there is none.
  ///
  /// `history` is that of the previous one.
  mutating func verify(
    _ tables: inout [TableCounts], after history: History
  ) throws(IngestError) -> CatalogChanges?

  /// Keeps the refused database beside the previous one; returns its path.
  consuming func keep() -> Result<String, IngestError>

  /// Replaces the previous database: it is published once `bytes` has its size, even if a later step fails.
  ///
  /// `verdict` is called after the last step that can produce a warning; a file stores it.
  consuming func publish(
    _ bytes: inout Int?, keeping verdict: () -> CatalogVerdict
  ) throws(IngestError)

  /// Removes a refused database of an earlier run, once a new database is published.
  static func removeKept(
    _ schema: SchemaDescription, _ options: IngestOptions
  ) throws(IngestError)

  /// The current state of an output, by which a run that publishes nothing detects changes.
  static func state(of output: String) -> PreviousDatabase.State

  /// The published database; nil if there is none, or if it is a file.
  static func published(
    _ schema: SchemaDescription, _ options: IngestOptions
  ) throws(IngestError) -> (any PublishedCatalog)?

  /// Checks, without changing anything, that a run could start; throws what it would throw.
  static func dryRun(
    _ schema: SchemaDescription, _ options: IngestOptions, running sqlFiles: [SQLFile],
    patience: Patience, recorder: RunRecorder
  ) throws(IngestError) -> any DryRun
}

/// A run that only compares: it writes nothing.
package protocol DryRun {
  /// As for a destination.
  func previousRun() throws(IngestError) -> PreviousRun?

  func previousTables(having keys: [ParentKey]) -> Set<String>

  /// Counts the changes that loading would make, except those of keys, which require a new database.
  ///
  /// - Returns: The changes; nil without a previous database, or if its structure is unknown.
  /// - Throws: `IngestError` if the database is locked or cannot be read.
  func foreseenChanges(
    _ read: [ReadRows], _ options: IngestOptions, _ recorder: RunRecorder
  ) throws(IngestError) -> CatalogChanges?
}

/// Defaults for a destination that keeps no refused database, or is a file.
extension Destination where Self: ~Copyable {
  package static func removeKept(_: SchemaDescription, _: IngestOptions) {}

  package static func state(of _: String) -> PreviousDatabase.State { .unknown }

  package static func published(
    _: SchemaDescription, _: IngestOptions
  ) -> (any PublishedCatalog)? { nil }
}
