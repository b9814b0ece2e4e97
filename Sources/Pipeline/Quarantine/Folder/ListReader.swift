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
    let status = try mapError(
      status(of: path, followsLinks: false),
      as: { .failed("cannot be checked:", path, $0, otherwise: .inputMissing) })
    guard let status, status.st_mode & S_IFMT == S_IFLNK else { return }
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
    /// The positions of the columns; nil for one that the file does not have.
    fileprivate let places: [Int?]
    fileprivate let firstField: Int
    fileprivate let names: [String]
    fileprivate let path: String
    fileprivate let line: Int

    private func range(_ field: Int) -> Range<Int>? {
      places[field].map { place in
        let field = allFields[firstField + place]
        return Int(field.start)..<Int(field.end)
      }
    }

    /// The text of a field; nil if the file does not have the column.
    func optionalText(_ field: Int) -> String? {
      range(field).map { String(decoding: bytes[$0], as: UTF8.self) }
    }

    func text(_ field: Int) -> String { optionalText(field) ?? "" }

    func isText(_ text: String, _ field: Int) -> Bool {
      range(field).map { bytes[$0].elementsEqual(text.utf8) } ?? false
    }

    func number(_ field: Int) throws(IngestError) -> Int {
      let digits = bytes.span.extracting(range(field) ?? 0..<0)
      guard !digits.isEmpty else { throw failure(field, "a number") }
      let (value, fault) = parseInteger(digits)
      guard fault == nil, value >= 0, let number = Int(exactly: value) else {
        throw failure(field, "a number")
      }
      return number
    }

    /// Eight hexadecimal digits; nil if the field is empty, or the column missing.
    func checksum(_ field: Int) throws(IngestError) -> UInt32? {
      let digits = text(field)
      let number = digits.utf8.count == 8 ? UInt32(digits, radix: 16) : nil
      guard number != nil || digits.isEmpty else {
        throw failure(field, "eight hexadecimal digits")
      }
      return number
    }

    func failure(_ field: Int, _ expected: String) -> IngestError {
      .listLineInvalid(
        path, line: line, "\(names[field]) is \(text(field).quotedForMessage), expected \(expected)"
      )
    }
  }

  /// Throws for a missing file, or one without these columns; the `optional` ones may be missing.
  func read(
    _ names: [String], optional: [String] = [], _ process: (Row) throws(IngestError) -> Void
  ) throws(IngestError) {
    var batch = RecordBatch()
    var parser = try open()
    let header = try parser.readHeader(&batch)
    let places = (names + optional).map { header.names.firstIndex(of: $0) }
    guard !places.prefix(names.count).contains(nil) else {
      throw .listColumnsInvalid(file.path, names)
    }
    try parser.readRecords(after: header, &batch) { (record, batch) throws(IngestError) in
      guard record.isSound(fieldCount: header.names.count) else {
        throw .listLineInvalid(
          file.path, line: record.line, "not a CSV record of \(header.names.count) fields")
      }
      try process(
        Row(
          bytes: batch.bytes, allFields: batch.fields, places: places,
          firstField: record.firstField, names: names + optional, path: file.path,
          line: record.line))
    }
  }

  private func open() throws(IngestError) -> SourceParser {
    try file.refuseLink()
    return try mapError(
      SourceParser(file, recordLimit: 32 << 20), as: { .listUnopenable(file.path, $0) })
  }
}
