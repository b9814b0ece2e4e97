import SQLiteSwiftly
package import Schema
package import Threads

/// Where a run writes: a new catalog that takes the place of the old one as a whole, or not at all.
///
/// A run does what is here in this order, each once, on the thread that it was started on. A new catalog that is
/// neither published nor kept is removed when its destination goes out of scope.
package protocol Destination: ~Copyable, SendableMetatype {
  /// Locks the output, and creates an empty catalog beside the previous one.
  ///
  /// - Throws: `IngestError` if that may not be, if the output is not ours to replace, or if another run holds the lock.
  init(
    _ schema: SchemaDescription, _ options: IngestOptions, gate: Gate, patience: Patience,
    recorder: RunRecorder
  ) throws(IngestError)

  /// The run that wrote the previous database.
  ///
  /// - Returns: nil if there is none, or if the database cannot be read: `verify` warns of that.
  /// - Throws: `IngestError` if the database is locked, or if the disk fails.
  borrowing func previousRun() throws(IngestError) -> PreviousRun?

  /// Writes the rows that come out of the ring, until it is closed.
  ///
  /// - Parameters:
  ///   - ring: where the rows come from, table by table.
  ///   - waited: gets the seconds in which no rows came.
  /// - Throws: `IngestError` if they cannot be written.
  mutating func write(from ring: Ring, waited: inout Double) throws(IngestError)

  /// Completes the catalog, all rows of which are written: keys and indexes, what is derived, where it came
  /// from, and what the operator's own SQL makes.
  ///
  /// It is of no use after an error.
  mutating func complete(
    _ outcome: inout IngestOutcome, running sqlFiles: [SQLFile]
  ) throws(IngestError)

  /// Makes sure that the catalog is sound and has every row, which the accounts get counted, and compares it
  /// with the one that is there; nil if there is none.
  mutating func verify(_ accounts: inout [TableCounts]) throws(IngestError) -> CatalogChanges?

  /// Keeps the catalog, which is not to be published, beside the one that is there; returns where.
  consuming func keep() -> Result<String, IngestError>

  /// Puts the catalog into the place of the old one: only once `bytes` has its size is it there, be it that
  /// something fails after that.
  ///
  /// `verdict` is asked when all was done that can be told of before; a file keeps it.
  consuming func publish(
    _ bytes: inout Int?, keeping verdict: () -> CatalogVerdict
  ) throws(IngestError)

  /// Removes what an earlier run has kept, when a new catalog is in its place.
  static func removeKept(
    _ schema: SchemaDescription, _ options: IngestOptions
  ) throws(IngestError)

  /// What is at an output, for a run that publishes nothing to tell whether it is still there.
  static func look(at output: String) -> PreviousDatabase.Look

  /// Throws, in a dry run, what a run would throw when it begins, and changes nothing.
  static func check(
    _ schema: SchemaDescription, _ options: IngestOptions, patience: Patience
  ) throws(IngestError)

  /// The run that wrote the previous database, for a dry run; as `previousRun()`.
  static func previousRun(
    _ schema: SchemaDescription, _ options: IngestOptions, patience: Patience
  ) throws(IngestError) -> PreviousRun?

  /// Counts what would differ if what was read were loaded; of keys only building a catalog can tell.
  ///
  /// - Returns: What would differ; nil if there is no catalog, or if it cannot be made sense of.
  /// - Throws: `IngestError` if the catalog is locked or fails to be read.
  static func foreseenChanges(
    _ schema: SchemaDescription, _ read: [ReadRows], _ options: IngestOptions,
    patience: Patience, recorder: RunRecorder
  ) throws(IngestError) -> CatalogChanges?
}

/// A destination that cannot be looked at beforehand, which has no dry run, and keeps nothing that is in the way.
extension Destination where Self: ~Copyable {
  package static func removeKept(_: SchemaDescription, _: IngestOptions) {}

  package static func look(at _: String) -> PreviousDatabase.Look { .unknown }

  package static func check(_: SchemaDescription, _: IngestOptions, patience _: Patience) {}

  package static func previousRun(
    _: SchemaDescription, _: IngestOptions, patience _: Patience
  ) -> PreviousRun? { nil }

  package static func foreseenChanges(
    _: SchemaDescription, _: [ReadRows], _: IngestOptions, patience _: Patience,
    recorder _: RunRecorder
  ) -> CatalogChanges? { nil }
}
