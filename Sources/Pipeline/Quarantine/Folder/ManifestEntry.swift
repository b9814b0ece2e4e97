import Facts

/// What the list of dumps beside rejected records says of one that was read.
package struct ManifestEntry: Equatable {
  /// What the first line of such a list begins with, by which it is recognised.
  static let mark = "table,file,size,crc32,bytes,records,rejected,replaced"
  static let header = mark + "," + keptColumn
  /// The column with the checksum of the table's rejected records; earlier versions did not write it.
  static let keptColumn = "kept_crc32"

  let table: String
  let file: String
  /// The size of the file as it is stored.
  let size: Int
  /// The CRC-32 of the decompressed bytes; nil if the run did not get to their end.
  let crc32: UInt32?
  let bytes: Int
  /// The records that were read, those of them that were rejected, and those that repaired ones
  /// replace.
  let records: Int
  let rejected: Int
  let replaced: Int
  /// The CRC-32 of the file with the table's rejected records; nil if there is none.
  var keptCRC32: UInt32?

  init(_ source: SourceCounts, table: String, keptCRC32: UInt32?) {
    self.table = table
    self.keptCRC32 = keptCRC32
    file = source.name
    size = source.size
    crc32 = source.isComplete ? source.crc32 : nil
    bytes = source.bytes
    records = source.records
    rejected = source.rejected.records
    replaced = source.replaced.records
  }

  func append(to text: inout TextBuffer) {
    for name in [table, file] {
      text.append(field: name)
      text.append(UInt8(ascii: ","))
    }
    text.append(size)
    text.append(UInt8(ascii: ","))
    text.append(crc32?.hexadecimal ?? "")
    for number in [bytes, records, rejected, replaced] {
      text.append(UInt8(ascii: ","))
      text.append(number)
    }
    text.append(UInt8(ascii: ","))
    text.append(keptCRC32?.hexadecimal ?? "")
    text.append(UInt8(ascii: "\n"))
  }
}
