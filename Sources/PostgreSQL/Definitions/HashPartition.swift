#if PostgreSQL
  /// Finds the partition that a row belongs to if a table is partitioned by the hash of one column.
  ///
  /// The server does the same with what it calls the extended hash functions of `bigint` and `text`: Bob Jenkins's
  /// `lookup3` (<https://burtleburtle.net/bob/c/lookup3.c>), with a seed for partitions
  /// (<https://www.postgresql.org/docs/current/sql-createtable.html>, `PARTITION BY HASH`). Machines of little-endian
  /// order are assumed, as everywhere here.
  package struct HashPartition: Sendable {
    /// How many partitions there are.
    package let count: Int

    package init(count: Int) {
      precondition(count > 0, "there is a partition")
      self.count = count
    }

    /// The partition of rows without a value.
    package static var ofNull: Int { 0 }

    /// The partition of an integer.
    package func number(of value: Int64) -> Int {
      let bits = UInt64(bitPattern: value)
      let high = UInt32(truncatingIfNeeded: bits >> 32)
      // So that an integer has one hash in all its types.
      let low = UInt32(truncatingIfNeeded: bits) ^ (value >= 0 ? high : ~high)
      var state = State(length: 4)
      state.a &+= low
      return partition(state.end())
    }

    /// The partition of a text in UTF-8 that is compared by its bytes.
    package func number(of text: Span<UInt8>) -> Int {
      var state = State(length: text.count)
      var start = 0
      while text.count - start >= 12 {
        state.a &+= Self.word(text, start, 4)
        state.b &+= Self.word(text, start + 4, 4)
        state.c &+= Self.word(text, start + 8, 4)
        state.mix()
        start += 12
      }
      let rest = text.count - start
      state.a &+= Self.word(text, start, min(rest, 4))
      state.b &+= Self.word(text, start + 4, min(rest - 4, 4))
      // The lowest byte is where the length went.
      state.c &+= Self.word(text, start + 8, min(rest - 8, 3)) << 8
      return partition(state.end())
    }

    /// Up to four bytes as a number, the first one the lowest.
    private static func word(_ bytes: Span<UInt8>, _ start: Int, _ count: Int) -> UInt32 {
      var word: UInt32 = 0
      for place in 0..<max(count, 0) { word |= UInt32(bytes[start + place]) << (8 * place) }
      return word
    }

    /// The hash of one column is combined with that of none before it.
    private func partition(_ hash: UInt64) -> Int {
      Int((hash &+ 0x49a0_f4dd_15e5_a8e3) % UInt64(count))
    }

    /// What `lookup3` keeps in three words.
    private struct State {
      private static let seed: UInt64 = 0x7a5b_2236_7996_dcfd

      var a: UInt32
      var b: UInt32
      var c: UInt32

      init(length: Int) {
        let start = 0x9e37_79b9 &+ UInt32(truncatingIfNeeded: length) &+ 3_923_095
        (a, b, c) = (start, start, start)
        a &+= UInt32(Self.seed >> 32)
        b &+= UInt32(truncatingIfNeeded: Self.seed)
        mix()
      }

      mutating func mix() {
        a = (a &- c) ^ rotated(c, 4)
        c &+= b
        b = (b &- a) ^ rotated(a, 6)
        a &+= c
        c = (c &- b) ^ rotated(b, 8)
        b &+= a
        a = (a &- c) ^ rotated(c, 16)
        c &+= b
        b = (b &- a) ^ rotated(a, 19)
        a &+= c
        c = (c &- b) ^ rotated(b, 4)
        b &+= a
      }

      consuming func end() -> UInt64 {
        c = (c ^ b) &- rotated(b, 14)
        a = (a ^ c) &- rotated(c, 11)
        b = (b ^ a) &- rotated(a, 25)
        c = (c ^ b) &- rotated(b, 16)
        a = (a ^ c) &- rotated(c, 4)
        b = (b ^ a) &- rotated(a, 14)
        c = (c ^ b) &- rotated(b, 24)
        return UInt64(b) << 32 | UInt64(c)
      }

      private func rotated(_ word: UInt32, _ bits: UInt32) -> UInt32 {
        word << bits | word >> (32 - bits)
      }
    }
  }
#endif
