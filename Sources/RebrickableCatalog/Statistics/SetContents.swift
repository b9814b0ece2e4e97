import SQLiteSwiftly
import Schema

/// The sets that have each inventory, and how often.
///
/// In the index of parts and colors, the inventories of a color ascend. Their data is in this order in memory, so most
/// reads are near previous ones.
struct SetContents: Sendable {
  struct Use {
    private let setNumber: UInt32
    /// The number of the set's version: 0 if the set has no older ones, negative for an older one.
    let version: Int32
    /// How often it has the inventory, or `unknown`.
    let quantity: Int64

    init(set: Int, version: Int32, quantity: Int64) {
      (setNumber, self.version, self.quantity) = (UInt32(set), version, quantity)
    }

    /// The number of the set, from 0.
    @inline(__always)
    var set: Int { Int(setNumber) }

    static let unknown = Int64.min
    static let placeholder = Use(set: 0, version: 0, quantity: 0)
  }

  struct Set {
    let setNum: String
    let year: Int64
    /// The numbers of its versions, the latest first; empty if it has no older ones.
    var versions = 0..<0
  }

  /// A slot in the hash table of pages: inventories that differ only in their last bits.
  private struct Slot {
    var page: Int64 = 0
    /// The position of the page's inventories in `starts`; `free` if the slot is empty.
    var first = free

    static let free = UInt32.max
  }

  private static let pageBits: Int64 = 6
  private static let pageInventories = 1 << pageBits

  private(set) var sets: [Set] = []
  /// The numbers of the sets in the order of their set numbers.
  private(set) var order: [Int] = []
  /// The end of the numbers of versions, which begin with 1.
  private(set) var versionsEnd = 1
  /// The uses of all inventories, sorted by inventory.
  private var uses: [Use] = []
  /// The start of the uses of each inventory of a page, and of the end of the page.
  private var starts: [UInt32] = []
  private var slots: [Slot] = []
  private var shift: UInt64 = 0

  /// The contents of all sets, in the derived tables; the latest version comes first.
  static let query: StatisticsDescription.Contents = (
    [
      ColumnDescription("inventory_id", .integer), ColumnDescription("set_num", .text),
      ColumnDescription("year", .integer), ColumnDescription("quantity", .integer),
      ColumnDescription("version", .integer),
    ],
    SQL(
      generated: """
        (\(StatisticsQueries.setContents.query.text)) AS contents
        ORDER BY contents.set_num, contents.version IS NOT NULL, contents.version
        """)
  )

  /// `rows` are those of `query`.
  init(_ rows: [FilledBatch]) {
    var named: [(set: Set, number: Int?)] = []
    var places: [(inventory: Int64, name: Int, version: Int32, quantity: Int64)] = []
    var last: Int64?
    for batch in rows {
      let batch = batch.rows
      for row in 0..<batch.rows {
        func number(_ column: Int) -> Int64? {
          let cell = row * batch.columns + column
          return batch.classes[cell] == RowBatch.StorageClass.null ? nil : batch.values[cell]
        }
        let (start, count) = RowBatch.textPlace(batch.values[row * batch.columns + 1])
        let setNum = batch.text[start..<start + count]
        if named.last.map({ !$0.set.setNum.utf8.elementsEqual(setNum) }) ?? true {
          let set = Set(setNum: String(decoding: setNum, as: UTF8.self), year: number(2) ?? 0)
          named.append((set, nil))
          last = nil
        }
        let name = named.count - 1
        let version = number(4)
        if version != last {
          last = version
          // The first older version also numbers the latest, whose rows precede it.
          let versions = named[name].set.versions
          let start = versions.isEmpty ? versionsEnd : versions.lowerBound
          versionsEnd += versions.isEmpty ? 2 : 1
          named[name].set.versions = start..<versionsEnd
        }
        places.append(
          (
            number(0) ?? 0, name, version == nil ? 0 : Int32(1 - versionsEnd),
            number(3) ?? Use.unknown
          ))
      }
    }
    places.sort { ($0.inventory, $0.name) < ($1.inventory, $1.name) }
    for place in places {
      let (set, number) = named[place.name]
      if number == nil {
        named[place.name].number = sets.count
        sets.append(set)
      }
      let isLatest = place.version == 0 && !set.versions.isEmpty
      uses.append(
        Use(
          set: number ?? sets.count - 1,
          version: isLatest ? Int32(set.versions.lowerBound) : place.version,
          quantity: place.quantity))
    }
    order = named.compactMap(\.number)
    addPages(places.map(\.inventory))
  }

  /// Creates the pages for inventories in ascending order, one for each use.
  private mutating func addPages(_ inventories: [Int64]) {
    var pages: [Int64] = []
    var place = 0
    while place < inventories.count {
      let page = inventories[place] >> Self.pageBits
      pages.append(page)
      for inventory in 0..<Self.pageInventories {
        starts.append(UInt32(place))
        let value = page << Self.pageBits | Int64(inventory)
        while place < inventories.count, inventories[place] == value { place += 1 }
      }
      starts.append(UInt32(place))
    }
    var bits: UInt64 = 4
    while 1 << bits < 2 * pages.count { bits += 1 }
    shift = 64 - bits
    slots = [Slot](repeating: Slot(), count: 1 << bits)
    for (number, page) in pages.enumerated() {
      slots[slot(of: page)] = Slot(page: page, first: UInt32(number * (Self.pageInventories + 1)))
    }
  }

  /// The positions of the uses of an inventory.
  @inline(__always)
  func places(of inventory: Int64) -> Range<Int> {
    let found = slots[slot(of: inventory &>> Self.pageBits)]
    guard found.first != Slot.free else { return 0..<0 }
    let start = Int(found.first) &+ Int(inventory) & (Self.pageInventories &- 1)
    return Int(starts[start])..<Int(starts[start &+ 1])
  }

  @inline(__always)
  subscript(place: Int) -> Use { uses[place] }

  /// The slot of a page in the hash table, or its future slot (Knuth, The Art of Computer Programming, volume 3,
  /// section 6.4: multiplicative hashing, linear probing).
  @inline(__always)
  private func slot(of page: Int64) -> Int {
    var slot = Int((UInt64(bitPattern: page) &* 0x9e37_79b9_7f4a_7c15) &>> shift)
    while slots[slot].first != Slot.free, slots[slot].page != page {
      slot = (slot &+ 1) & (slots.count &- 1)
    }
    return slot
  }
}
