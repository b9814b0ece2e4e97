package import Text

extension Span<UInt8> {
  /// Whether the whole text in UTF-8 matches.
  package func matches(_ pattern: TextPattern) -> Bool {
    matches(
      pattern.table.span, pattern.columnOfASCII.span, from: pattern.start,
      columnOf: pattern.column)
  }

  /// The same for the tables of a pattern; `columnOf` returns the column of a scalar beyond ASCII.
  @inline(__always)
  func matches(
    _ table: Span<UInt32>, _ columns: Span<UInt8>, from start: Int,
    columnOf: (UInt32) -> UInt8
  ) -> Bool {
    var state = start
    var index = 0
    while index < count {
      let byte = self[index]
      if byte < 0x80 {
        state = Int(table[state + Int(columns[Int(byte)])])
        index += 1
      } else {
        let (scalar, count) = scalar(at: index)
        state = Int(table[state + Int(columnOf(scalar))])
        index += count
      }
    }
    return table[state] == 1
  }

  /// A scalar beyond ASCII in valid UTF-8, and its number of bytes.
  fileprivate func scalar(at index: Int) -> (value: UInt32, count: Int) {
    let first = UInt32(self[index])
    let count = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2
    var value = first & (0x7f >> UInt32(count))
    for place in index + 1..<Swift.min(index + count, self.count) {
      value = value << 6 | UInt32(self[place] & 0x3f)
    }
    return (value, count)
  }
}
