import Validation
import SourceFiles
package import Vocabulary
import CSV
import Platform
import Glibc
import Text

extension SourceFolder.File {
  /// Refuses a link in place of a file written by ingest: its target would be quoted in messages, and loaded.
  package func refuseLink() throws(IngestError) {
    guard let status = try? status(of: path, followsLinks: false),
      status.st_mode & S_IFMT == S_IFLNK
    else { return }
    throw .listLinked(path)
  }
}

/// A CSV file that an earlier run wrote beside rejected records, and that may have been edited.
struct ListReader {
  private let file: SourceFolder.File

  init(_ path: String) { file = SourceFolder.File(name: path, path: path) }

  struct Row {
    /// The bytes and fields of the whole batch, which may be tens of millions.
    fileprivate let bytes: [UInt8]
    fileprivate let allFields: [RecordBatch.Field]
    fileprivate let places: [Int]
    /// The position of the optional field; nil if the file does not have it.
    fileprivate let optionalPlace: Int?
    fileprivate let firstField: Int
    fileprivate let names: [String]
    fileprivate let path: String
    fileprivate let line: Int

    private func range(_ field: Int) -> Range<Int> {
      let field = allFields[firstField + places[field]]
      return Int(field.start)..<Int(field.end)
    }

    func text(_ field: Int) -> String { String(decoding: bytes[range(field)], as: UTF8.self) }

    /// The optional field; nil in a file without it.
    var optionalText: String? {
      optionalPlace.map { place in
        let field = allFields[firstField + place]
        return String(decoding: bytes[Int(field.start)..<Int(field.end)], as: UTF8.self)
      }
    }

    func isText(_ text: String, _ field: Int) -> Bool {
      bytes[range(field)].elementsEqual(text.utf8)
    }

    func number(_ field: Int) throws(IngestError) -> Int {
      let digits = bytes.span.extracting(range(field))
      guard !digits.isEmpty else { throw failure(field, "a number") }
      let (value, fault) = parseInteger(digits)
      guard fault == nil, value >= 0, let number = Int(exactly: value) else {
        throw failure(field, "a number")
      }
      return number
    }

    func failure(_ field: Int, _ expected: String) -> IngestError {
      .listLineInvalid(
        path, line: line, "\(names[field]) is \(text(field).quotedForMessage), expected \(expected)"
      )
    }
  }

  /// Throws for a missing file, or one without these columns; the column `optional` may be missing.
  func read(
    _ names: [String], optional: String? = nil, _ process: (Row) throws(IngestError) -> Void
  ) throws(IngestError) {
    var batch = RecordBatch()
    var parser = try open()
    let header = try parser.readHeader(&batch)
    let places = names.compactMap { header.names.firstIndex(of: $0) }
    guard places.count == names.count else { throw .listColumnsInvalid(file.path, names) }
    try parser.readRecords(after: header, &batch) { (record, batch) throws(IngestError) in
      guard record.isSound(fieldCount: header.names.count) else {
        throw .listLineInvalid(
          file.path, line: record.line, "not a CSV record of \(header.names.count) fields")
      }
      try process(
        Row(
          bytes: batch.bytes, allFields: batch.fields, places: places,
          optionalPlace: optional.flatMap(header.names.firstIndex),
          firstField: record.firstField, names: names, path: file.path, line: record.line))
    }
  }

  private func open() throws(IngestError) -> SourceParser {
    try file.refuseLink()
    do throws(IngestError) {
      return try SourceParser(file, recordLimit: 32 << 20)
    } catch {
      throw .listUnopenable(file.path, error)
    }
  }
}

package struct ManifestEntry: Equatable {
  /// The start of the first line of a manifest, by which it is recognized.
  static let mark = "table,file,size,crc32,bytes,records,rejected,replaced"
  static let header = [mark, keptColumn, encodingColumn].joined(separator: ",")
  /// The column with the checksum of the table's rejected records, missing in manifests of earlier versions.
  static let keptColumn = "kept_crc32"
  /// The column with the encoding of the source file, missing as well.
  static let encodingColumn = "encoding"
  private static let ownEncoding = "utf-8"

  let table: String
  let file: String
  let size: Int
  /// The CRC-32 of the decompressed bytes; nil if the run did not reach their end.
  let crc32: UInt32?
  let bytes: Int
  /// The records that were read, rejected, and replaced by fixed ones.
  let records: Int
  let rejected: Int
  let replaced: Int
  /// The CRC-32 of the file with the table's rejected records; nil if there is none.
  var keptCRC32: UInt32?
  /// The encoding of the source file, whose rejected records are in UTF-8; nil if it is not recorded.
  let encoding: String?

  init(_ source: SourceCounts, table: String, keptCRC32: UInt32?) {
    self.table = table
    self.keptCRC32 = keptCRC32
    encoding = source.encoding ?? Self.ownEncoding
    file = source.name
    size = source.size
    crc32 = source.isComplete ? source.crc32 : nil
    bytes = source.bytes
    records = source.records
    rejected = source.rejected.records
    replaced = source.replaced.records
  }

  init(_ row: ListReader.Row) throws(IngestError) {
    table = row.text(0)
    file = row.text(1)
    size = try row.number(2)
    let digits = row.text(3)
    let number = digits.utf8.count == 8 ? UInt32(digits, radix: 16) : nil
    guard number != nil || digits.isEmpty else { throw row.failure(3, "eight hexadecimal digits") }
    crc32 = number
    bytes = try row.number(4)
    records = try row.number(5)
    rejected = try row.number(6)
    replaced = try row.number(7)
    encoding = row.optionalText
  }

  /// Whether a source file was read in the same encoding, as far as that is recorded.
  func hasEncoding(of source: SourceCounts) -> Bool {
    encoding == nil || encoding == source.encoding ?? Self.ownEncoding
  }

  func append(to text: inout TextBuffer) {
    text.append(fields: [table, file])
    text.append(",\(size),\(crc32?.hexadecimal ?? ""),\(bytes),\(records),\(rejected),\(replaced),")
    text.append("\(keptCRC32?.hexadecimal ?? ""),\(encoding ?? "")\n")
  }
}
