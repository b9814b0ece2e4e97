#if PostgreSQL
  /// Bytes of a COPY on their way to libpq, in memory that is allocated once.
  @safe struct CopyBuffer: ~Copyable {
    /// The bytes that are kept.
    ///
    /// libpq copies them into a buffer of its own, of which it sends what is full; so all that this saves is calls.
    static let capacity = 256 << 10

    private let start = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    private(set) var count = 0

    deinit { unsafe start.deallocate() }

    var room: Int { Self.capacity - count }

    /// The bytes, which stay valid until the next change.
    @unsafe var bytes: UnsafeRawBufferPointer {
      unsafe UnsafeRawBufferPointer(start: start, count: count)
    }

    mutating func removeAll() { count = 0 }

    /// Appends an integer in network byte order; there must be room for it.
    @inline(__always)
    mutating func append<Integer: FixedWidthInteger>(_ value: Integer) {
      let size = MemoryLayout<Integer>.size
      precondition(size <= room, "an integer must fit")
      unsafe start.storeBytes(of: value.bigEndian, toByteOffset: count, as: Integer.self)
      count += size
    }

    /// Appends bytes; there must be room for them.
    @inline(__always)
    mutating func append(_ bytes: Span<UInt8>) {
      precondition(bytes.count <= room, "the bytes must fit")
      unsafe bytes.withUnsafeBytes { bytes in
        guard let source = bytes.baseAddress else { return }
        unsafe (start + count).copyMemory(from: source, byteCount: bytes.count)
      }
      count += bytes.count
    }
  }
#endif
