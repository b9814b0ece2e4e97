import Text

/// A sample of a table's rows: those whose keys have the smallest hashes, so that each night samples the same keys
/// (Cohen and Kaplan, “Summarizing data using bottom-k sketches”, 2007).
///
/// Of long values, and those with control characters, there is the beginning, with a checksum.
package struct RowSample: Equatable, Sendable {
  package struct Column: Equatable, Sendable {
    package let name: String
    package let type: String
    /// Whether rows are recognized by it.
    package let isKey: Bool

    package init(name: String, type: String, isKey: Bool) {
      self.name = name
      self.type = type
      self.isKey = isKey
    }
  }

  package struct Row: Equatable, Sendable {
    package let hash: UInt64
    /// The place of its values, with a tab after each but the last.
    package let place: Range<Int>
  }

  /// The most rows of a sample, and the most bytes of its values.
  package static let (mostRows, mostBytes) = (4096, 768 << 10)
  /// The value for NULL, and the mark before a checksum: control characters, which no value has.
  static let (null, cut) = (UInt8(1), UInt8(2))
  /// The most columns by which a message names a row.
  static let mostKeys = 4
  /// The most bytes of the values of all samples of a night.
  package static let mostBytesOfNight = 2400 << 10

  package let columns: [Column]
  /// In the order of their hashes, each of which occurs once.
  package private(set) var rows: [Row]
  package let bytes: [UInt8]
  /// Whether these are all rows of the table.
  package private(set) var isComplete: Bool
  /// The texts of each column that were encoded twice, in all rows of the table.
  package let encodedTwice: [SampleChanges.Kind]

  /// The hashes up to this one are of sampled rows.
  var lastHash: UInt64 { isComplete ? .max : rows.last?.hash ?? 0 }

  fileprivate var size: Int { rows.reduce(0) { $0 + $1.place.count } }

  /// Keeps as many rows as fit into `most` bytes.
  mutating func shorten(toBytes most: Int) {
    var size = 0
    let count = rows.firstIndex { row in
      size += row.place.count
      return size > most
    }
    if let count { shorten(toRows: count) }
  }

  mutating func shorten(toRows most: Int) {
    guard rows.count > most else { return }
    rows.removeLast(rows.count - most)
    isComplete = false
  }
}

extension [RowSample] {
  /// Shortens the largest samples until all of them fit into the bytes for a night.
  package mutating func fit() {
    var (rest, share) = (RowSample.mostBytesOfNight, 0)
    let sizes = map(\.size).sorted()
    for (index, size) in sizes.enumerated() {
      share = rest / (sizes.count - index)
      guard size <= share else { break }
      rest -= size
    }
    for index in indices { self[index].shorten(toBytes: share) }
  }
}

/// The form in which a database stores a sample: a line for each row, with the distance from the hash before in
/// hexadecimal digits, and its values.
extension RowSample {
  package var text: String {
    var text: [UInt8] = []
    text.reserveCapacity(size + rows.count * 16)
    var hash: UInt64 = 0
    for row in rows {
      text += String(row.hash - hash, radix: 16).utf8
      text.append(UInt8(ascii: "\t"))
      text += bytes[row.place]
      text.append(UInt8(ascii: "\n"))
      hash = row.hash
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Reads a stored sample; nil if no run has stored this text.
  package init?(_ text: String, columns: [Column], isComplete: Bool, encodedTwice: [Int]) {
    let bytes = Array(text.utf8)
    var (rows, hash, start) = ([Row](), UInt64(0), 0)
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      guard rows.count < Self.mostRows, line.startIndex == start,
        let tab = line.firstIndex(of: UInt8(ascii: "\t")), tab - start <= 16,
        let distance = UInt64(String(decoding: line[..<tab], as: UTF8.self), radix: 16),
        distance > 0 || rows.isEmpty,
        case let (next, isOver) = hash.addingReportingOverflow(distance), !isOver,
        line[(tab + 1)...].count(where: { $0 == UInt8(ascii: "\t") }) == columns.count - 1
      else { return nil }
      rows.append(Row(hash: next, place: tab + 1..<line.endIndex))
      (hash, start) = (next, line.endIndex + 1)
    }
    guard start == bytes.count else { return nil }
    self.init(
      columns: columns, rows: rows, bytes: bytes, isComplete: isComplete,
      encodedTwice: encodedTwice.map { SampleChanges.Kind(keys: $0) })
  }
}
