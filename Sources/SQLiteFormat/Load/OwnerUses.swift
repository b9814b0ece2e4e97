/// The users of each owner of rows, with the number of uses; see `AggregateDescription`.
///
/// Owners are ascending within a group, so their data is in this order in memory: most reads are
/// near previous ones.
package struct OwnerUses: Sendable {
  struct Use {
    private let userNumber: UInt32
    /// The number of the user's version: 0 if the user has no older ones, negative for an older one.
    let version: Int32
    /// The number of times it uses the owner, or `unknown`.
    let times: Int64

    init(user: Int, version: Int32, times: Int64) {
      (userNumber, self.version, self.times) = (UInt32(user), version, times)
    }

    /// The user's number, from 0.
    @inline(__always)
    var user: Int { Int(userNumber) }

    static let unknown = Int64.min
  }

  struct User {
    let name: String
    /// A number, such as a year.
    let number: Int64
    /// The numbers of its versions, the current one first; empty if it has no older ones.
    let versions: Range<Int>
  }

  /// A slot in the hash table of pages: owners that differ only in their last bits.
  private struct Slot {
    var page: Int64 = 0
    /// The position of the page's owners in `starts`; `free` if the slot is empty.
    var first = free

    static let free = UInt32.max
  }

  private static let pageBits: Int64 = 6
  private static let pageOwners = 1 << pageBits

  private(set) var users: [User] = []
  /// The numbers of the users in the order of their names.
  private(set) var order: [Int] = []
  /// The end of the numbers of versions, which begin with 1.
  private(set) var versionsEnd = 1
  /// The uses of all owners, sorted by owner.
  private var uses: [Use] = []
  /// The start of the uses of each owner of a page, and of the end of the page.
  private var starts: [UInt32] = []
  private var slots: [Slot] = []
  private var shift: UInt64 = 0

  /// The rows are sorted by user; the version is nil for the current one.
  package init(
    _ rows: [(owner: Int64, user: String, number: Int64, times: Int64?, version: Int64?)]
  ) {
    var names: [Int] = []
    var firstRows: [Int] = []
    for (place, row) in rows.enumerated() {
      if firstRows.last.map({ !rows[$0].user.utf8.elementsEqual(row.user.utf8) }) ?? true {
        firstRows.append(place)
      }
      names.append(firstRows.count - 1)
    }
    let versions = numberVersions(rows.map(\.version), ofUsersFrom: firstRows)
    let places = rows.enumerated().map { (owner: $1.owner, place: $0) }.sorted {
      ($0.owner, $0.place) < ($1.owner, $1.place)
    }
    var numbers = [Int?](repeating: nil, count: firstRows.count)
    uses.reserveCapacity(rows.count)
    for (_, place) in places {
      let (name, row) = (names[place], rows[place])
      let user = numbers[name] ?? users.count
      if user == users.count {
        numbers[name] = user
        users.append(
          User(name: row.user, number: row.number, versions: versions.ofUsers[name] ?? 0..<0))
      }
      uses.append(
        Use(user: user, version: versions.ofRows[place], times: row.times ?? Use.unknown))
    }
    order = numbers.compactMap(\.self)
    addPages(places.map(\.owner))
  }

  /// Numbers the versions of the users that have older ones: for each row, and for each of these
  /// users.
  private mutating func numberVersions(
    _ versions: [Int64?], ofUsersFrom firstRows: [Int]
  ) -> (ofRows: [Int32], ofUsers: [Int: Range<Int>]) {
    var ofRows = [Int32](repeating: 0, count: versions.count)
    var ofUsers: [Int: Range<Int>] = [:]
    for (name, rows) in zip(firstRows, firstRows.dropFirst() + [versions.count]).enumerated() {
      let rows = rows.0..<rows.1
      guard rows.contains(where: { versions[$0] != nil }) else { continue }
      let current = versionsEnd
      versionsEnd += 1
      var older: [Int64: Int] = [:]
      for row in rows {
        guard let version = versions[row] else {
          ofRows[row] = Int32(current)
          continue
        }
        let number = older[version] ?? versionsEnd
        older[version] = number
        versionsEnd = max(versionsEnd, number + 1)
        ofRows[row] = -Int32(number)
      }
      ofUsers[name] = current..<versionsEnd
    }
    return (ofRows, ofUsers)
  }

  /// Creates the pages for owners in ascending order, one for each use.
  private mutating func addPages(_ owners: [Int64]) {
    var pages: [Int64] = []
    var place = 0
    while place < owners.count {
      let page = owners[place] >> Self.pageBits
      pages.append(page)
      for owner in 0..<Self.pageOwners {
        starts.append(UInt32(place))
        let value = page << Self.pageBits | Int64(owner)
        while place < owners.count, owners[place] == value { place += 1 }
      }
      starts.append(UInt32(place))
    }
    var bits: UInt64 = 4
    while 1 << bits < 2 * pages.count { bits += 1 }
    shift = 64 - bits
    slots = [Slot](repeating: Slot(), count: 1 << bits)
    for (number, page) in pages.enumerated() {
      slots[slot(of: page)] = Slot(page: page, first: UInt32(number * (Self.pageOwners + 1)))
    }
  }

  @inline(__always)
  func places(of owner: Int64) -> Range<Int> {
    let found = slots[slot(of: owner &>> Self.pageBits)]
    guard found.first != Slot.free else { return 0..<0 }
    let start = Int(found.first) &+ Int(owner) & (Self.pageOwners &- 1)
    return Int(starts[start])..<Int(starts[start &+ 1])
  }

  @inline(__always)
  subscript(place: Int) -> Use { uses[place] }

  /// The slot of a page in the hash table, or its future slot (Knuth, The Art of Computer
  /// Programming, volume 3, section 6.4: multiplicative hashing, linear probing).
  @inline(__always)
  private func slot(of page: Int64) -> Int {
    var slot = Int((UInt64(bitPattern: page) &* 0x9e37_79b9_7f4a_7c15) &>> shift)
    while slots[slot].first != Slot.free, slots[slot].page != page {
      slot = (slot &+ 1) & (slots.count &- 1)
    }
    return slot
  }
}
