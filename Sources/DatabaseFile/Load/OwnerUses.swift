/// Who uses which owner of rows, and how many times; see `AggregateDescription`.
package struct OwnerUses: Sendable {
  /// One user of an owner.
  ///
  /// It is small, as a slot is: owners come in no order, so that each takes a line of the cache or two.
  struct Use {
    /// The user's place among all users.
    let user: Int
    /// How many times it uses the owner; `unknown` if nobody can tell.
    let times: Int64

    static let unknown = Int64.min
  }

  /// An owner in the hash table, and where its uses are.
  private struct Slot {
    var owner: Int64 = 0
    var first: UInt32 = 0
    var count: UInt32 = 0
  }

  /// The names of the users, in their order.
  private(set) var users: [String] = []
  /// For each user a number, such as a year.
  private(set) var numbers: [Int64] = []
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
        numbers.append(row.number)
      }
      let slot = slot(of: row.owner)
      slots[slot].owner = row.owner
      slots[slot].count += 1
      placed.append((slot, Use(user: users.count - 1, times: row.times ?? Use.unknown)))
    }
    var next: UInt32 = 0
    for slot in slots.indices {
      slots[slot].first = next
      next += slots[slot].count
    }
    // Each use goes to the place after those of its owner that came before it.
    var free = slots.map(\.first)
    uses = [Use](repeating: Use(user: 0, times: 0), count: rows.count)
    for (slot, use) in placed {
      uses[Int(free[slot])] = use
      free[slot] += 1
    }
  }

  /// The places of the uses of an owner.
  @inline(__always)
  func places(of owner: Int64) -> Range<Int> {
    let found = slots[slot(of: owner)]
    return Int(found.first)..<Int(found.first &+ found.count)
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
