package import Vocabulary
package import CSV
package import Schema
import Text

/// The CSV dialect of a source file, and the rows of its header.
package struct SourceLayout: Equatable, Sendable {
  package private(set) var dialect = Dialect.standard
  /// The number of header rows; 0 if there is none, and fields are in the order of the columns.
  package private(set) var headerRows = 1
  private(set) var headerJoin = " "
  /// The numbers of the rows that are neither header nor records.
  private(set) var passedRows: [Int] = []
  /// The end of a record; nil for LF and CRLF.
  private var terminator: [UInt8]?

  /// RFC 4180 with a header.
  package static let usual = SourceLayout()

  private init() {}

  /// Rows before the last header row are skipped; a header in the first row may come after blank rows and comments.
  package init(of source: SourceDescription) throws(IngestError) {
    let described = source.dialect
    guard described != SourceDescription.Dialect() else { return }
    dialect = try mapError(
      Dialect(
        delimiter: described.delimiter, terminator: described.lineTerminator,
        quote: described.quote, doublesQuotes: described.doublesQuotes, escape: described.escape,
        comment: described.commentPrefix, skipsInitialSpace: described.skipsInitialSpace),
      as: { (error: DialectError) in
        IngestError(
          .data,
          "\(source.table): invalid CSV dialect: \(error.message). \(IngestError.nothingRead)")
      })
    let named = described.headerRows + described.commentRows
    guard named.allSatisfy({ 1...Self.mostRows ~= $0 }) else {
      throw IngestError(
        .data,
        "\(source.table): header or comment rows \(named.map(String.init).joined(separator: ", ")); expected "
          + "numbers from 1 to \(Self.mostRows.grouped). \(IngestError.nothingRead)")
    }
    let comments = Set(described.commentRows)
    let header = Set(described.headerRows)
    headerRows = header.isEmpty ? 0 : max(header.subtracting(comments).count, 1)
    headerJoin = described.headerJoin
    let before = Set(1..<(header.max() ?? 1)).subtracting(header)
    passedRows = comments.union(before).sorted()
    let ends = described.lineTerminator.map { Array($0.utf8) }
    terminator = ends == Array("\r\n".utf8) || ends == Array("\n".utf8) ? nil : ends
  }

  private static let mostRows = 1_000_000

  /// The layout of a file with the same header and some of the records, and nothing else.
  package var ofRecordsAlone: SourceLayout {
    var layout = self
    layout.passedRows = []
    return layout
  }

  /// The line end to append after a record, or its last bytes, before the next record; empty if it has one.
  package func lineEnd(after bytes: Span<UInt8>) -> [UInt8] {
    guard let terminator else {
      let last = bytes.isEmpty ? nil : bytes[bytes.count - 1]
      guard last != UInt8(ascii: "\n") else { return [] }
      // After a lone line feed, a carriage return that was the record's fault would become part of its line end.
      return Array((last == UInt8(ascii: "\r") ? "\r\n" : "\n").utf8)
    }
    return bytes.count > contentCount(of: bytes) ? [] : terminator
  }

  var lastByteOfLine: UInt8 { terminator?.last ?? UInt8(ascii: "\n") }

  /// The bytes of a record before its line end; a lone carriage return is part of the record, and a fault.
  package func contentCount(of bytes: Span<UInt8>) -> Int {
    guard let terminator else {
      guard bytes.count > 0, bytes[bytes.count - 1] == UInt8(ascii: "\n") else {
        return bytes.count
      }
      let hasReturn = bytes.count > 1 && bytes[bytes.count - 2] == UInt8(ascii: "\r")
      return bytes.count - (hasReturn ? 2 : 1)
    }
    let start = bytes.count - terminator.count
    let isEnded =
      start >= 0 && terminator.indices.allSatisfy { terminator[$0] == bytes[start + $0] }
    return isEnded ? start : bytes.count
  }

  var headerAdvice: String {
    self == .usual
      ? "Lines must end in LF or CRLF, and the first line must name the columns."
      : "Check whether the file matches its description: delimiter, quotes, line ends and header rows."
  }
}
