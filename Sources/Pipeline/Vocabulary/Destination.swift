package import SQLiteSwiftly
package import Schema
package import Platform

/// Where a run writes: a new database, which replaces the previous one completely, or not at all.
///
/// Opening it begins a session whose states are types. A step ends a state and returns the next one, so that steps in
/// another order do not compile. If a state ends before its database is published or kept, the database is removed.
package protocol Destination: Sendable {
  associatedtype Session: OpenSession, ~Copyable

  /// Locks the output, and creates an empty database beside the previous one.
  ///
  /// - Throws: `IngestError` if that is not permitted, if ingest did not make the output, or if another run holds the
  ///   lock.
  func open(for run: RunContext) throws(IngestError) -> Session

  /// Checks that `open` would succeed, without changing anything; throws what it would throw.
  ///
  /// - Returns: The previous database, with which a dry run compares.
  func check(for run: RunContext) throws(IngestError) -> any PreviousDatabase

  /// Removes a refused database of an earlier run, once a new database is published.
  func removeKept(_ run: RunContext) throws(IngestError)

  /// The current state of the output, by which a run that publishes nothing detects changes.
  var state: OutputState { get }

  /// The published database; nil if there is none, or if a file cannot be read.
  func published(_ schema: SchemaDescription) throws(IngestError) -> (any PublishedDatabase)?
}

/// What all parts of a run share.
package struct RunContext: Sendable {
  package let schema: SchemaDescription
  package let options: IngestOptions
  /// The custom SQL, which runs on the complete tables.
  package let sqlFiles: [SQLFile]
  package let gate: Gate
  package let patience: Patience
  package let recorder: RunRecorder

  package init(
    _ schema: SchemaDescription, _ options: IngestOptions, running sqlFiles: [SQLFile], gate: Gate,
    patience: Patience, recorder: RunRecorder
  ) {
    self.schema = schema
    self.options = options
    self.sqlFiles = sqlFiles
    self.gate = gate
    self.patience = patience
    self.recorder = recorder
  }
}

/// The database that a run replaces, while it exists.
package protocol PreviousDatabase {
  /// The run that wrote it.
  ///
  /// - Returns: nil without a previous database, or if it cannot be read; verifying then warns.
  /// - Throws: `IngestError` if the database is locked, or if the disk fails.
  func previousRun() throws(IngestError) -> PreviousRun?

  /// The tables that have most of these keys; empty if it cannot be read.
  func previousTables(having keys: [ParentKey]) -> Set<String>

  /// Tables as they are in the previous database, as if `run` had recorded them: for a database of an earlier version.
  ///
  /// - Returns: Those that can be read.
  func sampled(_ tables: [TableDescription], asOf run: Int) -> [Baseline]

  /// Counts the changes that loading these rows would make, except those of keys, which require a new database.
  ///
  /// - Returns: The changes; nil without a previous database, or if its structure is unknown.
  /// - Throws: `IngestError` if the database is locked or cannot be read.
  func foreseenChanges(
    _ read: [ReadRows], in run: RunContext
  ) throws(IngestError) -> DatabaseChanges?
}

/// A session with an empty database.
package protocol OpenSession: ~Copyable {
  associatedtype Written: WrittenSession, ~Copyable

  var previous: any PreviousDatabase { get }

  /// Writes the rows from the ring, table by table, until it has no more.
  ///
  /// A failure is kept with the session, since the lock is held until the reader of the source files has ended.
  consuming func write(from ring: Ring) -> Written
}

/// A session that has written all rows, or has failed to.
package protocol WrittenSession: ~Copyable {
  associatedtype Complete: CompleteSession, ~Copyable

  /// Why the rows could not be written; nil if they were.
  var failure: IngestError? { get }

  /// Adds keys, indexes, derived tables, provenance, and what the custom SQL makes.
  ///
  /// - Throws: `IngestError`, which is `failure` if there is one.
  consuming func complete(_ outcome: inout IngestOutcome) throws(IngestError) -> Complete
}

/// A session whose database is complete, but not checked.
package protocol CompleteSession: ~Copyable {
  associatedtype Verified: VerifiedSession, ~Copyable

  /// Verifies the database, counts its rows into `tables`, and compares it with the previous one.
  consuming func verify(_ tables: inout [TableCounts]) throws(IngestError) -> Verified
}

/// A session whose database can be published.
package protocol VerifiedSession: ~Copyable {
  /// The differences from the previous database; nil if there is none.
  var changes: DatabaseChanges? { get }

  /// Keeps the refused database beside the previous one; returns its path.
  consuming func keep() -> Result<String, IngestError>

  /// Replaces the previous database: it is published once `bytes` has its size, even if a later step fails.
  ///
  /// `outcome` is called after the last step that can produce a warning; the database stores it.
  consuming func publish(
    _ bytes: inout Int?, keeping outcome: () -> IngestOutcome
  ) throws(IngestError)
}

/// A server whose databases have recorded them from the first.
extension PreviousDatabase {
  package func sampled(_: [TableDescription], asOf _: Int) -> [Baseline] { [] }
}

/// Defaults for a destination that keeps no refused database.
extension Destination {
  package func removeKept(_: RunContext) {}

  package var state: OutputState { .unknown }
}
