package import Threads

/// Where a run writes: a new catalogue that takes the place of the old one as a whole, or not at all.
///
/// A run does what is here in this order, each once, on the thread that it was started on. A new catalogue that is
/// neither published nor kept is removed when its destination goes out of scope.
package protocol Destination: ~Copyable {
  /// Writes the rows that come out of the ring, until it is closed; `waited` gets the seconds in which none came.
  mutating func write(from ring: Ring, waited: inout Double) throws(IngestError)

  /// Completes the catalogue, all rows of which are written: keys and indexes, what is derived, where it came
  /// from, and what the operator's own SQL makes.
  ///
  /// It is of no use after an error.
  mutating func complete(
    _ outcome: inout IngestOutcome, running sqlFiles: [SQLFile]
  ) throws(IngestError)

  /// Makes sure that the catalogue is sound and has every row, which the accounts get counted, and compares it
  /// with the one that is there; nil if there is none.
  mutating func verify(_ accounts: inout [TableAccount]) throws(IngestError) -> CatalogChanges?

  /// Keeps the catalogue, which is not to be published, beside the one that is there; returns where.
  consuming func keep() -> Result<String, IngestError>

  /// Puts the catalogue into the place of the old one: only once `bytes` has its size is it there, be it that
  /// something fails after that.
  ///
  /// `verdict` is asked when all was done that can be told of before; a file keeps it.
  consuming func publish(
    _ bytes: inout Int?, keeping verdict: () -> CatalogVerdict
  ) throws(IngestError)
}
