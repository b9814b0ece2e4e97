/// Text that is built in parts, in reused memory.
///
/// Every record may be rejected, so reasons are written as bytes: a `String` for each piece would take longer than loading
/// the record.
package struct TextBuffer {
  private var storage: [UInt8]
  package private(set) var count = 0

  package init(capacity: Int = 256) { storage = [UInt8](repeating: 0, count: capacity) }

  package var bytes: Span<UInt8> {
    @_lifetime(borrow self) get { storage.span.extracting(0..<count) }
  }

  /// The text so far; bytes that are not UTF-8 are replaced.
  package var string: String { String(decoding: storage[..<count], as: UTF8.self) }

  /// Removes everything after the first `count` bytes.
  package mutating func removeAll(after count: Int = 0) { self.count = min(self.count, count) }

  package mutating func append(_ byte: UInt8) {
    makeRoom(for: 1)
    storage[count] = byte
    count += 1
  }

  package mutating func append(_ bytes: Span<UInt8>) {
    makeRoom(for: bytes.count)
    let place = count..<count + bytes.count
    unsafe storage.withUnsafeMutableBytes { storage in
      // Copying byte by byte took a tenth of a run in which every record is rejected.
      unsafe bytes.withUnsafeBytes { bytes in
        unsafe UnsafeMutableRawBufferPointer(rebasing: storage[place]).copyMemory(from: bytes)
      }
    }
    count = place.upperBound
  }

  package mutating func append(_ text: String) { append(text.utf8.span) }

  package mutating func append(_ number: Int) {
    var digits = InlineArray<20, UInt8>(repeating: 0)
    var first = digits.count
    var rest = number.magnitude
    repeat {
      first -= 1
      digits[first] = UInt8(ascii: "0") + UInt8(rest % 10)
      rest /= 10
    } while rest > 0
    if number < 0 { append(UInt8(ascii: "-")) }
    append(digits.span.extracting(first..<digits.count))
  }

  private mutating func makeRoom(for more: Int) {
    guard count + more > storage.count else { return }
    let size = max(storage.count * 2, count + more)
    storage.append(contentsOf: repeatElement(0, count: size - storage.count))
  }
}

extension TextBuffer {
  /// Appends a CSV field (RFC 4180), in quotes if it needs them.
  package mutating func append(field: Span<UInt8>) {
    guard field.needsQuotes else {
      append(field)
      return
    }
    append(UInt8(ascii: "\""))
    var start = 0
    for index in field.indices where field[index] == UInt8(ascii: "\"") {
      append(field.extracting(start...index))
      start = index
    }
    append(field.extracting(start..<field.count))
    append(UInt8(ascii: "\""))
  }

  package mutating func append(field: String) { append(field: field.utf8.span) }

  package mutating func append(fields: [String]) {
    for (place, field) in fields.enumerated() {
      if place > 0 { append(UInt8(ascii: ",")) }
      append(field: field)
    }
  }

  /// Appends bytes in base 64 (RFC 4648, section 4).
  package mutating func append(base64 bytes: Span<UInt8>) {
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8.span
    let size = (bytes.count + 2) / 3 * 4
    makeRoom(for: size)
    var end = count
    count += size
    var room = storage.mutableSpan
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let size = min(3, bytes.count - start)
      var group = 0
      for index in 0..<3 { group = group << 8 | (index < size ? Int(bytes[start + index]) : 0) }
      for index in 0..<4 {
        let letter = letters[group >> (18 - 6 * index) & 63]
        room[end] = index <= size ? letter : UInt8(ascii: "=")
        end += 1
      }
    }
  }
}

extension Span<UInt8> {
  fileprivate var needsQuotes: Bool {
    for index in indices {
      switch self[index] {
      case UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        return true
      default: continue
      }
    }
    return false
  }
}
