/// Who uses which owner of rows, and how many times; see `AggregateDescription`.
package struct OwnerUses: Sendable {
  /// One user of an owner.
  struct Use {
    /// The user's place among all users.
    let user: Int
    /// A number of the user, such as a year.
    let number: Int64
    /// How many times it uses the owner; nil if nobody can tell.
    let times: Int64?
  }

  /// An owner in the hash table, and where its uses are.
  private struct Slot {
    var owner: Int64 = 0
    var first = 0
    var count = 0
  }

  /// The names of the users, in their order.
  package private(set) var users: [String] = []
  /// The uses of all owners, those of an owner one after the other.
  private var uses: [Use] = []
  private var slots: [Slot]
  private let shift: UInt64

  /// Takes over the uses, sorted by the user.
  package init(_ rows: [(owner: Int64, user: String, number: Int64, times: Int64?)]) {
    var bits: UInt64 = 4
    while 1 << bits < 2 * rows.count { bits += 1 }
    shift = 64 - bits
    slots = [Slot](repeating: Slot(), count: 1 << bits)
    var placed: [(slot: Int, use: Use)] = []
    placed.reserveCapacity(rows.count)
    for row in rows {
      if users.last.map({ !$0.utf8.elementsEqual(row.user.utf8) }) ?? true {
        users.append(row.user)
      }
      let slot = slot(of: row.owner)
      slots[slot].owner = row.owner
      slots[slot].count += 1
      placed.append((slot, Use(user: users.count - 1, number: row.number, times: row.times)))
    }
    var next = 0
    for slot in slots.indices {
      slots[slot].first = next
      next += slots[slot].count
    }
    // Each use goes to the place after those of its owner that came before it.
    var free = slots.map(\.first)
    uses = [Use](repeating: Use(user: 0, number: 0, times: nil), count: rows.count)
    for (slot, use) in placed {
      uses[free[slot]] = use
      free[slot] += 1
    }
  }

  /// The places of the uses of an owner.
  @inline(__always)
  func places(of owner: Int64) -> Range<Int> {
    let found = slots[slot(of: owner)]
    return found.first..<found.first &+ found.count
  }

  @inline(__always)
  subscript(place: Int) -> Use { uses[place] }

  /// Where an owner is in the hash table, or would be (Knuth, The Art of Computer Programming, volume 3,
  /// section 6.4: multiplicative hashing, linear probing).
  @inline(__always)
  private func slot(of owner: Int64) -> Int {
    var slot = Int((UInt64(bitPattern: owner) &* 0x9e37_79b9_7f4a_7c15) &>> shift)
    while slots[slot].count > 0, slots[slot].owner != owner {
      slot = (slot &+ 1) & (slots.count &- 1)
    }
    return slot
  }
}
