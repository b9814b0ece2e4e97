import Platform
import Glibc

/// An index in a file, parsed by the file format independently of the tested code
/// (<https://www.sqlite.org/fileformat2.html#b_tree_pages>).
struct IndexFile {
  let bytes: [UInt8]
  let pageBytes: Int
  let usableBytes: Int
  /// The numbers of the pages.
  private(set) var interiors: [Int] = []
  private(set) var leaves: [Int] = []
  private(set) var overflows: [Int] = []
  /// The offsets of the numbers of children.
  private(set) var children: [Int] = []
  /// For each byte whether it means something.
  private(set) var isUsed: [Bool]
  /// The records in their order.
  private(set) var records: [[UInt8]] = []
  /// The places of those that are above the leaves.
  private(set) var dividers: [Int] = []

  init(_ path: String, root: Int) throws {
    let descriptor = try openFile(path, O_RDONLY)
    defer { close(descriptor) }
    bytes = try descriptor.bytes(1 << 26, at: 0)
    let size = Int(bytes[16]) << 8 | Int(bytes[17])
    pageBytes = size == 1 ? 65536 : size
    usableBytes = pageBytes - Int(bytes[20])
    isUsed = [Bool](repeating: false, count: bytes.count)
    read(root)
  }

  var pages: [Int] { (interiors + leaves + overflows).sorted() }

  /// The offset of a page.
  func offset(_ page: Int) -> Int { (page - 1) * pageBytes }

  /// The bytes of a page.
  func page(_ number: Int) -> [UInt8] { Array(bytes[offset(number)..<offset(number + 1)]) }

  private mutating func use(_ range: Range<Int>) { for offset in range { isUsed[offset] = true } }

  private func number(_ count: Int, at offset: Int) -> Int {
    bytes[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
  }

  private mutating func read(_ page: Int) {
    let start = offset(page)
    let isLeaf = bytes[start] == 10
    if isLeaf { leaves.append(page) } else { interiors.append(page) }
    let headerBytes = isLeaf ? 8 : 12
    let cells = number(2, at: start + 3)
    use(start..<start + headerBytes + 2 * cells)
    for cell in 0..<cells {
      var place = start + number(2, at: start + headerBytes + 2 * cell)
      if !isLeaf {
        use(place..<place + 4)
        children.append(place)
        read(number(4, at: place))
        place += 4
        dividers.append(records.count)
      }
      readCell(place)
    }
    guard !isLeaf else { return }
    children.append(start + 8)
    read(number(4, at: start + 8))
  }

  private mutating func readCell(_ start: Int) {
    var place = start
    var size = 0
    repeat {
      size = size << 7 | Int(bytes[place] & 0x7f)
      place += 1
    } while bytes[place - 1] > 0x7f
    // The letters are those of the file format.
    let (u, p) = (usableBytes, size)
    let x = (u - 12) * 64 / 255 - 23
    let m = (u - 12) * 32 / 255 - 23
    let k = m + (p - m) % (u - 4)
    let local = p <= x ? p : k <= x ? k : m
    use(start..<place + local)
    var record = bytes[place..<place + local]
    if local < size {
      use(place + local..<place + local + 4)
      var next = number(4, at: place + local)
      while next != 0 {
        overflows.append(next)
        let count = min(size - record.count, usableBytes - 4)
        use(offset(next)..<offset(next) + 4 + count)
        record += bytes[offset(next) + 4..<offset(next) + 4 + count]
        next = number(4, at: offset(next))
      }
    }
    records.append(Array(record))
  }
}
