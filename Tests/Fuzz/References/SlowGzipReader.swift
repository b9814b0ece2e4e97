/// What a gzip file holds by the strict rules, read slowly and without zlib.
struct SlowGzipReader {
  /// What became of a file.
  enum Verdict: Equatable {
    case sound
    case notGzip, truncated(offset: Int), corrupt, trailingData(offset: Int)
    /// There is more in it than is compared.
    case tooLarge
  }

  private let file: [UInt8]
  private var offset = 0
  private(set) var verdict = Verdict.sound
  private(set) var bytes: [UInt8] = []
  private(set) var members = 0
  /// Of the first member's header: the time stamp, and the name without its NUL.
  private(set) var timeStamp: UInt32 = 0
  private(set) var name: [UInt8]?

  /// Reads the file; what it holds may have up to `outputLimit` bytes.
  init(_ file: [UInt8], outputLimit: Int) {
    self.file = file
    verdict = read(outputLimit)
  }

  private mutating func read(_ outputLimit: Int) -> Verdict {
    repeat {
      let rest = file[offset...]
      guard !rest.isEmpty, rest.first != 0x1f || rest.count > 1 else {
        return .truncated(offset: file.count)
      }
      guard rest.starts(with: [0x1f, 0x8b]) else {
        guard members > 0 else { return .notGzip }
        // Zeros may follow, up to the end.
        let place = rest.first == 0 ? rest.firstIndex { $0 != 0 } : offset
        return place.map { .trailingData(offset: $0) } ?? .sound
      }
      do throws(SlowInflate.Failure) {
        try readMember(outputLimit)
      } catch {
        switch error {
        case .corrupt: return .corrupt
        case .truncated: return .truncated(offset: file.count)
        case .tooLarge: return .tooLarge
        }
      }
      members += 1
    } while offset < file.count
    return .sound
  }

  /// Takes some bytes as a number, the lowest first.
  private mutating func number(bytes count: Int) throws(SlowInflate.Failure) -> UInt32 {
    guard offset + count <= file.count else { throw .truncated }
    defer { offset += count }
    return file[offset..<offset + count].reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  private mutating func readMember(_ outputLimit: Int) throws(SlowInflate.Failure) {
    try readHeader()
    var inflate = SlowInflate(file[offset...], outputLimit: outputLimit - bytes.count)
    try inflate.run()
    offset += inflate.bytesRead
    bytes += inflate.output
    guard try number(bytes: 4) == Self.crc32(inflate.output[...]) else { throw .corrupt }
    guard try number(bytes: 4) == UInt32(truncatingIfNeeded: inflate.output.count) else {
      throw .corrupt
    }
  }

  /// Section 2.3 of RFC 1952.
  private mutating func readHeader() throws(SlowInflate.Failure) {
    let start = offset
    offset += 2
    let method = try number(bytes: 2)
    guard method & 0xff == 8 else { throw .corrupt }
    let flags = method >> 8
    guard flags & 0xe0 == 0 else { throw .corrupt }
    let timeStamp = try number(bytes: 4)
    _ = try number(bytes: 2)
    if flags & 4 != 0 {
      let length = try number(bytes: 2)
      for _ in 0..<length { _ = try number(bytes: 1) }
    }
    let name = flags & 8 != 0 ? try text() : nil
    if flags & 16 != 0 { _ = try text() }
    let headerCRC = Self.crc32(file[start..<offset]) & 0xffff
    if flags & 2 != 0, try number(bytes: 2) != headerCRC { throw .corrupt }
    if members == 0 { (self.timeStamp, self.name) = (timeStamp, name) }
  }

  private mutating func text() throws(SlowInflate.Failure) -> [UInt8] {
    var text: [UInt8] = []
    while true {
      let byte = UInt8(try number(bytes: 1))
      guard byte != 0 else { return text }
      text.append(byte)
    }
  }

  /// Section 8 of RFC 1952, without its table.
  static func crc32(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    var value = ~UInt32(0)
    for byte in bytes {
      value ^= UInt32(byte)
      for _ in 0..<8 { value = value >> 1 ^ (value & 1 == 1 ? 0xedb8_8320 : 0) }
    }
    return ~value
  }
}
