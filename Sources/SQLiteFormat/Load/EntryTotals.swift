/// The checksum and the sizes of all entries of an index, computed as they arrive.
struct EntryTotals: Sendable {
  private(set) var checksum = EntryChecksum()
  private(set) var sizes: EntrySizes

  /// The values of one entry, in order.
  struct Entry {
    fileprivate var hash = EntryHash()
    /// The bytes of the serial types and of the values in its record.
    fileprivate var (types, body) = (0, 0)

    @inline(__always)
    mutating func add(_ value: Int64) {
      hash.add(value)
      types &+= 1
      body &+= RecordFormat.serialType(of: value).bytes
    }

    @inline(__always)
    mutating func add(textAt place: Range<Int>, of text: Span<UInt8>) {
      hash.add(textAt: place, of: text)
      types &+= RecordFormat.varintBytes(RecordFormat.serialType(ofTextOf: place.count))
      body &+= place.count
    }

    @inline(__always)
    mutating func addNull() {
      hash.addNull()
      types &+= 1
    }
  }

  init(usableBytes: Int) { sizes = EntrySizes(usableBytes: usableBytes) }

  @inline(__always)
  mutating func add(_ entry: Entry) {
    sizes.add(payload: RecordFormat.headerBytes(types: entry.types) &+ entry.body)
    checksum.add(entry.hash)
  }
}
