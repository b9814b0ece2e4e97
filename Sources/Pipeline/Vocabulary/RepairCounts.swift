/// The counts of the repairs in one file; `records` is the sum of the others.
package struct RepairCounts: Equatable, Sendable {
  package let file: String
  package let kind: RepairKind
  package let size: Int
  package let crc32: UInt32
  package let records: Int
  /// Repairs that removed, replaced or added a record, even if the new one was rejected.
  package var applied = 0
  /// Repairs that the source file already contains.
  package var needless = 0
  /// Repairs that do not apply: the source file lacks their record, or has another one with the key.
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
  /// Removes a record of the source file.
  case leaveOut = "leave-out"
  /// Replaces the record of the source file with the same key.
  case replace
  /// Adds a record that the source file lacks.
  case add
}
