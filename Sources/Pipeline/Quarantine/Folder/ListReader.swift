import Validation
import SourceFiles
package import Facts
import CSV
import Files
import Glibc

extension SourceFolder.File {
  /// Refuses a link among the files that ingest itself has written: what it leads to would be told in
  /// messages, and be loaded.
  package func refuseLink() throws(IngestError) {
    guard let status = try? status(of: path, followsLinks: false),
      status.st_mode & S_IFMT == S_IFLNK
    else { return }
    throw IngestError(
      .data, "\(path): is a link, and no file that ingest has written. Put the file itself there.")
  }
}

/// A CSV file that an earlier run wrote beside rejected records, and that somebody may have edited.
struct ListReader {
  private let file: SourceFolder.File

  init(_ path: String) { file = SourceFolder.File(name: path, path: path) }

  struct Row {
    /// Both belong to the batch in which the record is; there may be tens of millions.
    fileprivate let bytes: [UInt8]
    fileprivate let allFields: [RecordBatch.Field]
    /// Where the fields that were asked for are among all.
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

    /// A field as a number that is not negative.
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
      let found = text(field).quotedForMessage
      return IngestError(
        .data,
        "\(path): line \(line): \(names[field]) is \(found), expected "
          + "\(expected). Only the records themselves can be repaired; restore this file as it was."
      )
    }
  }

  /// Reads some of the columns, record by record.
  ///
  /// - Throws: `IngestError` for a file that is missing or is not a list with these columns.
  func read(
    _ names: [String], _ take: (Row) throws(IngestError) -> Void
  ) throws(IngestError) {
    var batch = RecordBatch()
    var parser = try open()
    let header = try parser.readHeader(&batch)
    let places = names.compactMap { header.names.firstIndex(of: $0) }
    guard places.count == names.count else {
      throw IngestError(
        .data,
        "\(file.path): line 1: the columns are not those that ingest writes, "
          + "\(names.joined(separator: ",")). Restore the file as it was.")
    }
    try parser.readRecords(after: header, &batch) { (record, batch) throws(IngestError) in
      guard record.faults.isEmpty, record.fieldCount == header.names.count else {
        throw IngestError(
          .data,
          "\(file.path): line \(record.line): cannot be read as CSV with \(header.names.count) fields. "
            + "Only the records themselves can be repaired; restore this file as it was.")
      }
      try take(
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
      throw IngestError(
        error.kind,
        "\(file.path): cannot be opened, so the rejected records beside it cannot be replayed: is it "
          + "the folder that a run has left? (\(error.message))")
    }
  }
}
