import Validation
import SourceFiles
package import Facts
import CSV
import Files
import Glibc

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
    /// The indices of the requested fields.
    fileprivate let places: [Int]
    fileprivate let firstField: Int
    fileprivate let names: [String]
    fileprivate let path: String
    fileprivate let line: Int

    private func range(_ field: Int) -> Range<Int> {
      let field = allFields[firstField + places[field]]
      return Int(field.start)..<Int(field.end)
    }

    func text(_ field: Int) -> String { String(decoding: bytes[range(field)], as: UTF8.self) }

    func isText(_ text: String, _ field: Int) -> Bool {
      bytes[range(field)].elementsEqual(text.utf8)
    }

    /// The value of a field as a nonnegative number.
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

  /// Passes some columns of each record to `process`.
  ///
  /// - Throws: `IngestError` for a missing file, or one without these columns.
  func read(
    _ names: [String], _ process: (Row) throws(IngestError) -> Void
  ) throws(IngestError) {
    var batch = RecordBatch()
    var parser = try open()
    let header = try parser.readHeader(&batch)
    let places = names.compactMap { header.names.firstIndex(of: $0) }
    guard places.count == names.count else { throw .listColumnsInvalid(file.path, names) }
    try parser.readRecords(after: header, &batch) { (record, batch) throws(IngestError) in
      guard record.faults.isEmpty, record.fieldCount == header.names.count else {
        throw .listLineInvalid(
          file.path, line: record.line, "not a CSV record of \(header.names.count) fields")
      }
      try process(
        Row(
          bytes: batch.bytes, allFields: batch.fields, places: places,
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
