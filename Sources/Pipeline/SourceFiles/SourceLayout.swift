package import Facts
package import CSV
package import Schema

/// How the rows of a dump are written, and which of them are its header.
package struct SourceLayout: Equatable, Sendable {
  package let dialect: Dialect
  /// The rows that make up the header; 0 if there is none, and fields have the order of the columns.
  package let headerRows: Int
  /// What joins the texts of several header rows.
  let headerJoin: String
  /// The numbers of the rows that are neither header nor records.
  private(set) var passedRows: [Int]
  /// What ends a record; nil for LF and CRLF.
  private let terminator: [UInt8]?

  /// RFC 4180 with a header.
  package static let usual = SourceLayout()

  private init() {
    dialect = .standard
    headerRows = 1
    headerJoin = " "
    passedRows = []
    terminator = nil
  }

  /// The layout that the description of a table asks for.
  ///
  /// Rows before the last one of the header that are not of the header are passed over. If the header is the first row,
  /// that is the first one that is no comment, and not blank.
  package init(of source: SourceDescription) throws(IngestError) {
    let described = source.dialect
    guard described != SourceDescription.Dialect() else {
      self = .usual
      return
    }
    do throws(DialectError) {
      dialect = try Dialect(
        delimiter: described.delimiter, terminator: described.lineTerminator,
        quote: described.quote, doublesQuotes: described.doublesQuotes, escape: described.escape,
        comment: described.commentPrefix, skipsInitialSpace: described.skipsInitialSpace)
    } catch {
      throw IngestError(
        .data,
        "\(source.table): the dialect of its dump cannot be read: \(error.message). Nothing was read. "
          + "Correct the description.")
    }
    let named = described.headerRows + described.commentRows
    guard named.allSatisfy({ 1...Self.mostRows ~= $0 }) else {
      throw IngestError(
        .data,
        "\(source.table): the rows of the header or of comments are \(named.map(String.init).joined(separator: ", ")), "
          + "where 1 to \(Self.mostRows.grouped) are expected. Nothing was read. Correct the description."
      )
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

  /// The layout of a file that has the same header and some of the records, and nothing else.
  package var ofRecordsAlone: SourceLayout {
    var layout = self
    layout.passedRows = []
    return layout
  }

  /// What has to follow a record, or its last bytes, for the next one not to run into it; empty if that is there.
  package func lineEnd(after bytes: Span<UInt8>) -> [UInt8] {
    guard let terminator else {
      let last = bytes.isEmpty ? nil : bytes[bytes.count - 1]
      guard last != UInt8(ascii: "\n") else { return [] }
      // With a line feed alone, a carriage return that was the record's fault would end its line.
      return Array((last == UInt8(ascii: "\r") ? "\r\n" : "\n").utf8)
    }
    return bytes.count > contentCount(of: bytes) ? [] : terminator
  }

  /// How many of the bytes of a record come before its line end; a carriage return alone is a part of the record, and
  /// its fault.
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

  /// Whether a file that begins with these bytes has a record after its header.
  package func hasRecords(_ bytes: [UInt8]) -> Bool {
    var parser = Parser(recordLimit: 1 << 30, dialect: dialect, headerRows: headerRows)
    var batch = RecordBatch(capacity: max(bytes.count, 1) + 1, records: 100, fields: 100_000)
    _ = batch.fill { room in
      for index in bytes.indices { room[index] = bytes[index] }
      return bytes.count
    }
    do throws(CSVError) {
      try parser.parse(&batch, isLast: true)
    } catch {
      return true
    }
    return batch.records.count > headerRows
  }

  /// What a header must be like, as a sentence.
  var headerAdvice: String {
    self == .usual
      ? "Lines must end in LF or CRLF, and the first one must name the columns."
      : "Check whether the file is written as its description says: delimiter, quotes, line ends and the "
        + "rows of the header."
  }
}
