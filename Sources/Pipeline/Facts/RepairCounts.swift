/// What became of the repairs of one file.
///
/// `records` is the sum of the others.
package struct RepairCounts: Equatable, Sendable {
  package let file: String
  package let kind: RepairKind
  package let size: Int
  package let crc32: UInt32
  package let records: Int
  /// Those that were left out, or loaded or rejected in the place of others or beside them.
  package var applied = 0
  /// Those that the dump has made needless: it is as they would make it.
  package var needless = 0
  /// Those that do not apply: the dump does not have what they are about, or has another record with the
  /// key.
  package var inapplicable = 0

  package init(file: String, kind: RepairKind, size: Int, crc32: UInt32, records: Int) {
    self.file = file
    self.kind = kind
    self.size = size
    self.crc32 = crc32
    self.records = records
  }
}

package enum RepairKind: String, CaseIterable, Sendable {
  /// Takes a record of the dump out.
  case leaveOut = "leave-out"
  /// Loads a record in place of the dump's with the same key.
  case replace
  /// Loads a record that the dump does not have.
  case add
}
