import CZlib

/// The fields of a gzip member's header (RFC 1952, section 2.3).
///
/// They are untrusted: never use the name as a path.
public struct GzipHeader: Equatable, Sendable {
  /// The modification time of the data, in seconds since 1970 in UTC; nil if unknown.
  public let timeStamp: UInt32?
  /// The bytes of the file's name, at most 255; nil if it has none.
  public let name: [UInt8]?

  /// Creates a header from its fields.
  public init(timeStamp: UInt32?, name: [UInt8]?) {
    self.timeStamp = timeStamp
    self.name = name
  }
}

/// The memory that zlib writes a header's fields into during decompression.
@safe final class GzipHeaderFields {
  private static let nameCapacity = 256
  let header = UnsafeMutablePointer<gz_header>.allocate(capacity: 1)
  private let name = UnsafeMutablePointer<UInt8>.allocate(capacity: nameCapacity)

  init() {
    unsafe name.initialize(repeating: 0, count: Self.nameCapacity)
    unsafe header.initialize(to: gz_header())
    unsafe header.pointee.name = name
    unsafe header.pointee.name_max = UInt32(Self.nameCapacity - 1)
  }

  deinit {
    unsafe header.deallocate()
    unsafe name.deallocate()
  }

  /// The fields read so far.
  var values: GzipHeader {
    guard unsafe header.pointee.done == 1 else { return GzipHeader(timeStamp: nil, name: nil) }
    let seconds = UInt32(truncatingIfNeeded: unsafe header.pointee.time)
    // zlib sets its pointer to nil if the header has no name.
    let hasName = unsafe header.pointee.name != nil
    let bytes = unsafe UnsafeBufferPointer(start: name, count: Self.nameCapacity)
    return GzipHeader(
      timeStamp: seconds == 0 ? nil : seconds,
      name: hasName ? unsafe Array(bytes.prefix { $0 != 0 }) : nil)
  }
}
