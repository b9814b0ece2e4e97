/// What a ZIP archive holds, read slowly and without zlib, as a reader that believes in the directory would.
///
/// It takes more than the strict rules allow: whatever they allow it has to read in the same way.
struct SlowZipReader {
  /// The names of the files, each with its bytes; nil where something cannot be read.
  private(set) var files: [(name: [UInt8], bytes: [UInt8]?)] = []
  private let file: [UInt8]

  /// Reads the archive; a file in it may have up to `outputLimit` bytes.
  init(_ file: [UInt8], outputLimit: Int) {
    self.file = file
    guard let end = (0..<file.count).last(where: isEnd) else { return }
    let isWide = end >= 76 && hasBytes([0x50, 0x4b, 6, 7], at: end - 20)
    let wide = end - 76
    guard let size = isWide ? number(8, wide + 40) : number(4, end + 12),
      let start = isWide ? number(8, wide + 48) : number(4, end + 16)
    else { return }
    let directory = (isWide ? wide : end) - size
    var place = directory
    while place >= 0, place < directory + size, hasBytes([0x50, 0x4b, 1, 2], at: place) {
      guard let next = read(at: place, shift: directory - start, outputLimit) else { return }
      place = next
    }
  }

  private func isEnd(_ place: Int) -> Bool {
    hasBytes([0x50, 0x4b, 5, 6], at: place)
      && number(2, place + 20).map { place + 22 + $0 == file.count } ?? false
  }

  private func hasBytes(_ bytes: [UInt8], at place: Int) -> Bool {
    place >= 0 && place <= file.count && file[place...].starts(with: bytes)
  }

  /// A number of so many bytes, the lowest first; nil if they are not there, or if it is too large.
  private func number(_ count: Int, _ place: Int) -> Int? {
    guard place >= 0, place + count <= file.count else { return nil }
    let number = file[place..<place + count].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return number < 1 << 60 ? Int(number) : nil
  }

  /// Reads an entry of the directory, and returns where the next one begins.
  private mutating func read(at place: Int, shift: Int, _ outputLimit: Int) -> Int? {
    guard let nameCount = number(2, place + 28), let extraCount = number(2, place + 30),
      let commentCount = number(2, place + 32), let method = number(2, place + 10),
      let crc32 = number(4, place + 16)
    else { return nil }
    let nameEnd = place + 46 + nameCount
    guard nameEnd + extraCount <= file.count else { return nil }
    let name = Array(file[place + 46..<nameEnd])
    let next = nameEnd + extraCount + commentCount
    var wide = wideNumbers(nameEnd..<nameEnd + extraCount)
    let numbers = [24, 20, 42].map { offset -> Int? in
      let short = number(4, place + offset)
      return short == 0xffff_ffff ? (wide.isEmpty ? nil : wide.removeFirst()) : short
    }
    guard let size = numbers[0], let compressedSize = numbers[1], let offset = numbers[2] else {
      return nil
    }
    guard name.last != UInt8(ascii: "/") else { return next }
    let bytes = data(at: offset + shift, method, compressedSize, outputLimit)
    let isSound = bytes.map { SlowGzipReader.crc32($0[...]) == UInt32(crc32) && $0.count == size }
    files.append((name, isSound ?? false ? bytes : nil))
    return next
  }

  /// The numbers of 64 bits in an extra field.
  private func wideNumbers(_ extra: Range<Int>) -> [Int?] {
    var place = extra.lowerBound
    while place + 4 <= extra.upperBound, let kind = number(2, place),
      let count = number(2, place + 2)
    {
      if kind == 1 { return (0..<count / 8).map { number(8, place + 4 + 8 * $0) } }
      place += 4 + count
    }
    return []
  }

  private func data(at place: Int, _ method: Int, _ count: Int, _ outputLimit: Int) -> [UInt8]? {
    guard let nameCount = number(2, place + 26), let extraCount = number(2, place + 28) else {
      return nil
    }
    let start = place + 30 + nameCount + extraCount
    guard start + count <= file.count else { return nil }
    let stored = file[start..<start + count]
    if method == 0 { return Array(stored) }
    var inflate = SlowInflate(stored, outputLimit: outputLimit)
    guard method == 8, (try? inflate.run()) != nil else { return nil }
    return inflate.output
  }
}
