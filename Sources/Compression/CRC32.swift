import CZlib
package import Platform

/// The checksum of gzip (RFC 1952, section 8), computed in steps.
public struct CRC32: Equatable, Sendable {
  /// The checksum of all bytes so far; 0 for none.
  public private(set) var value: UInt32 = 0

  /// Creates the checksum of no bytes.
  public init() {}

  /// Computes the checksum of a file.
  package init(of file: borrowing FileReader) throws(FileError) {
    for offset in stride(from: 0, to: file.size, by: 256 << 10) {
      let bytes = try file.bytes(256 << 10, at: offset)
      append(bytes.span)
    }
  }

  /// Adds `bytes`, in time linear in their number.
  public mutating func append(_ bytes: Span<UInt8>) {
    value = unsafe bytes.withUnsafeBytes { bytes in
      UInt32(
        truncatingIfNeeded: unsafe crc32_z(
          UInt(value), bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
          bytes.count))
    }
  }

  /// Adds bytes whose checksum and number are known.
  mutating func append(_ checksum: UInt32, ofBytes count: Int) {
    value = UInt32(truncatingIfNeeded: crc32_combine(UInt(value), UInt(checksum), count))
  }
}
