import Glibc

/// Converts text in another encoding to UTF-8, with iconv(3) of the C library.
///
/// Any byte that the encoding does not have is an error: nothing is replaced or left out.
@safe package struct TextDecoder: ~Copyable {
  private let handle: iconv_t

  /// The most bytes of a character in a known encoding, with escape sequences before it.
  package static let longestCharacter = 64

  /// Fails for an encoding that the C library does not support.
  package init?(of encoding: String) {
    // After a slash, iconv takes instructions to replace or skip characters.
    let isName = encoding.utf8.allSatisfy {
      0x30...0x3a ~= $0 || 0x41...0x5a ~= $0 || 0x61...0x7a ~= $0 || "-_.()+".utf8.contains($0)
    }
    guard isName, !encoding.isEmpty else { return nil }
    guard let handle = unsafe iconv_open("UTF-8", encoding),
      unsafe handle != iconv_t(bitPattern: -1)
    else { return nil }
    unsafe self.handle = handle
  }

  deinit { unsafe iconv_close(handle) }

  /// The C library's name of an encoding, which may be spelled as in Python; nil if it is unknown.
  package static func knownName(of encoding: String) -> String? {
    let spellings = [
      encoding, encoding.replacing("_", with: "-"), encoding.filter { !"-_ ".contains($0) },
    ]
    return spellings.first { TextDecoder(of: $0) != nil }
  }

  /// Converts characters up to the end of the input or of the room for output, an incomplete character, or an invalid
  /// one; returns the numbers of bytes.
  package func decode(
    _ input: Span<UInt8>, into output: inout MutableSpan<UInt8>
  ) -> (read: Int, written: Int) {
    let handle = unsafe handle
    return unsafe input.withUnsafeBytes { input in
      unsafe output.withUnsafeMutableBytes { output in
        // iconv does not change the input, although its parameter is not declared constant.
        var next = unsafe UnsafeMutableRawPointer(mutating: input.baseAddress)?
          .assumingMemoryBound(to: CChar.self)
        var room = unsafe output.baseAddress?.assumingMemoryBound(to: CChar.self)
        var (rest, free) = (input.count, output.count)
        _ = unsafe iconv(handle, &next, &rest, &room, &free)
        return (input.count - rest, output.count - free)
      }
    }
  }

  /// Writes the character that the decoder still holds at the end of the text; returns its length in bytes.
  package func flush(into output: inout MutableSpan<UInt8>) -> Int {
    let handle = unsafe handle
    return unsafe output.withUnsafeMutableBytes { output in
      var room = unsafe output.baseAddress?.assumingMemoryBound(to: CChar.self)
      var free = output.count
      _ = unsafe iconv(handle, nil, nil, &room, &free)
      return output.count - free
    }
  }
}
