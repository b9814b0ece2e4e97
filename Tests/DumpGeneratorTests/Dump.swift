import Testing

@testable import DumpGenerator

/// A dump set, parsed.
///
/// Fields are bytes: two that are equal only for Unicode must not be taken for one. The reader is as
/// plain as can be, and shares nothing with the project's CSV module.
struct Dump {
  typealias Field = [UInt8]

  private var records: [Table: [[Field]]] = [:]

  init(_ set: DumpSet) throws {
    for (table, bytes) in zip(Table.allCases, try set.contents()) {
      records[table] = try Self.records(in: bytes, lineEnd: Array(set.era.lineEnd.utf8))
    }
  }

  func header(of table: Table) -> [String] {
    (records[table]?.first ?? []).map { String(decoding: $0, as: UTF8.self) }
  }

  func rows(of table: Table) -> ArraySlice<[Field]> { records[table]?.dropFirst() ?? [] }

  /// The values of some columns, row by row.
  func values(_ table: Table, _ columns: [String]) throws -> [[Field]] {
    let header = header(of: table)
    let indices = try columns.map { try #require(header.firstIndex(of: $0)) }
    return rows(of: table).map { row in indices.map { row[$0] } }
  }

  /// The values of one column, row by row.
  func values(_ table: Table, _ column: String) throws -> [Field] {
    try values(table, [column]).map { $0[0] }
  }

  /// Splits at line ends and commas outside quotes.
  private static func records(in bytes: [UInt8], lineEnd: Field) throws -> [[Field]] {
    var records: [[Field]] = []
    var record: [Field] = [[]]
    var isInsideQuotes = false
    for byte in bytes {
      if byte == UInt8(ascii: "\"") {
        isInsideQuotes.toggle()
        record[record.count - 1].append(byte)
      } else if byte == UInt8(ascii: ","), !isInsideQuotes {
        record.append([])
      } else {
        record[record.count - 1].append(byte)
      }
      guard byte == UInt8(ascii: "\n") else { continue }
      try #require(
        !isInsideQuotes && record[record.count - 1].suffix(lineEnd.count) == lineEnd[...])
      record[record.count - 1].removeLast(lineEnd.count)
      records.append(record.map(unquoted))
      record = [[]]
    }
    try #require(record == [[]], "the last record has a line end")
    return records
  }

  private static func unquoted(_ field: Field) -> Field {
    let quote = UInt8(ascii: "\"")
    guard field.first == quote else { return field }
    var text: Field = []
    var isSecond = false
    for byte in field.dropFirst().dropLast() {
      isSecond = byte == quote && !isSecond
      if !isSecond { text.append(byte) }
    }
    return text
  }
}

/// The bytes of a text.
func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
