@testable import SQLiteFormat

extension ByteBuffer {
  /// Makes a buffer with these bytes.
  init(_ bytes: [UInt8]) {
    self.init(count: bytes.count)
    for (place, byte) in bytes.enumerated() { self[place] = byte }
  }

  /// Copies of the bytes at `range`.
  func bytes(_ range: Range<Int>) -> [UInt8] { range.map { self[$0] } }
}
