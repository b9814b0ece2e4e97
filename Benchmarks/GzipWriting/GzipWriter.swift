import CZlib

/// Compresses bytes into one gzip member (RFC 1952), in memory; the product only decompresses.
///
/// The header has no file name and no time stamp, so equal input produces equal output.
@safe package struct GzipWriter: ~Copyable {
  // zlib stores a pointer back to the stream, so it must not move.
  private let stream: UnsafeMutablePointer<z_stream>
  private var compressed: [UInt8] = []

  /// Begins a member; `level` is zlib's, from 0 (stored) to 9 (smallest).
  package init(level: Int32 = 9) {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    let code = unsafe deflateInit2_(
      stream, level, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    precondition(code == Z_OK, "zlib refused level \(level), or is out of memory")
  }

  deinit {
    unsafe deflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// Compresses more bytes.
  package mutating func write(_ bytes: Span<UInt8>) {
    deflate(bytes, flush: Z_NO_FLUSH)
  }

  /// Finishes the member and returns its bytes.
  package consuming func finish() -> [UInt8] {
    deflate([UInt8]().span, flush: Z_FINISH)
    return compressed
  }

  private mutating func deflate(_ bytes: Span<UInt8>, flush: Int32) {
    precondition(bytes.count <= Int(UInt32.max), "zlib counts in 32 bits")
    var output = [UInt8](repeating: 0, count: 64 << 10)
    let (stream, room) = unsafe (stream, output.count)
    unsafe bytes.withUnsafeBufferPointer { input in
      // zlib does not write through the pointer, which is not const for historical reasons.
      unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
      unsafe stream.pointee.avail_in = UInt32(input.count)
      repeat {
        let written = unsafe output.withUnsafeMutableBufferPointer { output in
          unsafe stream.pointee.next_out = output.baseAddress
          unsafe stream.pointee.avail_out = UInt32(room)
          unsafe CZlib.deflate(stream, flush)
          return unsafe room - Int(stream.pointee.avail_out)
        }
        compressed += output[..<written]
      } while unsafe stream.pointee.avail_out == 0
    }
  }
}
