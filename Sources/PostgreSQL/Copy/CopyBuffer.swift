#if PostgreSQL
  /// Bytes of a COPY to send, in memory that is allocated once.
  @safe struct CopyBuffer: ~Copyable {
    /// The capacity in bytes.
    ///
    /// libpq copies the bytes into its own buffer before sending, so this only saves calls.
    static let capacity = 256 << 10

    private let start = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    private(set) var count = 0

    deinit { unsafe start.deallocate() }

    var space: Int { Self.capacity - count }

    /// The bytes, which are valid until the next change.
    @unsafe var bytes: UnsafeRawBufferPointer {
      unsafe UnsafeRawBufferPointer(start: start, count: count)
    }

    mutating func removeAll() { count = 0 }

    /// Appends an integer in network byte order; there must be space for it.
    @inline(__always)
    mutating func append<Integer: FixedWidthInteger>(_ value: Integer) {
      let size = MemoryLayout<Integer>.size
      precondition(size <= space, "an integer must fit")
      unsafe start.storeBytes(of: value.bigEndian, toByteOffset: count, as: Integer.self)
      count += size
    }

    /// Appends bytes; there must be space for them.
    @inline(__always)
    mutating func append(_ bytes: Span<UInt8>) {
      precondition(bytes.count <= space, "the bytes must fit")
      unsafe bytes.withUnsafeBytes { bytes in
        guard let source = bytes.baseAddress else { return }
        unsafe (start + count).copyMemory(from: source, byteCount: bytes.count)
      }
      count += bytes.count
    }
  }
#endif
