/// What became of the repairs of one file.
///
/// `records` is the sum of the others.
package struct RepairAccount: Equatable, Sendable {
  /// The file's name in its folder.
  package let file: String
  package let kind: RepairKind
  /// The bytes of the file, and their CRC-32.
  package let size: Int
  package let crc32: UInt32
  /// The records in it.
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

  /// The account of a file whose table has no dump: nothing of it applies.
  init(unread file: RepairFile) {
    self.init(file)
    inapplicable = records
  }

  init(_ file: RepairFile) {
    self.init(
      file: file.file.name, kind: file.kind, size: file.size, crc32: file.crc32,
      records: file.records.count)
  }
}
