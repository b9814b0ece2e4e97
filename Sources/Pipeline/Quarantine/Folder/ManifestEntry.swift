import Facts

/// The entry of one source file in the manifest of a rejects folder.
package struct ManifestEntry: Equatable {
  /// The start of the first line of a manifest, by which it is recognized.
  static let mark = "table,file,size,crc32,bytes,records,rejected,replaced"
  static let header = mark + "," + keptColumn
  /// The column with the checksum of the table's rejected records, missing in manifests of earlier versions.
  static let keptColumn = "kept_crc32"

  let table: String
  let file: String
  /// The stored size of the file.
  let size: Int
  /// The CRC-32 of the decompressed bytes; nil if the run did not reach their end.
  let crc32: UInt32?
  let bytes: Int
  /// The numbers of records that were read, rejected, and replaced by fixed ones.
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
