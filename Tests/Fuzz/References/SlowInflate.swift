/// Deflate data (RFC 1951), decoded bit by bit from the text of the RFC, without tables.
struct SlowInflate {
  /// Why there is no more.
  enum Failure: Error { case corrupt, truncated, tooLarge }

  private let input: ArraySlice<UInt8>
  private let outputLimit: Int
  private var bitsRead = 0
  private(set) var output: [UInt8] = []

  init(_ input: ArraySlice<UInt8>, outputLimit: Int) {
    self.input = input
    self.outputLimit = outputLimit
  }

  /// The bytes that were read, the last of them perhaps in part.
  var bytesRead: Int { (bitsRead + 7) / 8 }

  /// Decodes all blocks.
  mutating func run() throws(Failure) {
    var isLast = false
    while !isLast {
      isLast = try bits(1) == 1
      switch try bits(2) {
      case 0: try stored()
      case 1: try compressed(Self.fixedLiterals, Self.fixedDistances)
      case 2:
        let (literals, distances) = try dynamicCodes()
        try compressed(literals, distances)
      default: throw .corrupt
      }
    }
  }

  private mutating func bits(_ count: Int) throws(Failure) -> Int {
    var value = 0
    for index in 0..<count {
      guard bitsRead / 8 < input.count else { throw .truncated }
      let byte = input[input.startIndex + bitsRead / 8]
      value |= (Int(byte) >> (bitsRead % 8) & 1) << index
      bitsRead += 1
    }
    return value
  }

  private mutating func append(_ byte: UInt8) throws(Failure) {
    guard output.count < outputLimit else { throw .tooLarge }
    output.append(byte)
  }

  private mutating func stored() throws(Failure) {
    bitsRead = bytesRead * 8
    let length = try bits(16)
    guard try bits(16) == length ^ 0xffff else { throw .corrupt }
    for _ in 0..<length { try append(UInt8(try bits(8))) }
  }

  // MARK: - Codes (sections 3.2.2 and 3.2.7)

  /// A Huffman code, given by the lengths of its words.
  struct Code {
    /// How many words have each length.
    var counts = [Int](repeating: 0, count: 16)
    /// The symbols in the order of their words.
    var symbols: [Int] = []

    init(_ lengths: [Int]) {
      for length in lengths where length > 0 { counts[length] += 1 }
      symbols = (1...15).flatMap { length in lengths.indices.filter { lengths[$0] == length } }
    }

    /// How much of the space of all words is left: 0 for a complete code, less for too many words.
    var left: Int { (1...15).reduce(1 << 15) { $0 - counts[$1] << (15 - $1) } }
    /// Whether it can be used: complete, or a single word of one bit, or none at all.
    var isAllowedForDistances: Bool {
      left == 0 || symbols.isEmpty || (symbols.count == 1 && counts[1] == 1)
    }
  }

  private static let fixedLiterals = Code(
    (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 })
  private static let fixedDistances = Code([Int](repeating: 5, count: 32))
  private static let lengthOrder = [
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
  ]

  private mutating func symbol(_ code: Code) throws(Failure) -> Int {
    var word = 0
    var first = 0
    var index = 0
    for length in 1...15 {
      // No word is as long as this: what was read so far begins none.
      guard code.counts[length...].contains(where: { $0 > 0 }) || length == 1 else {
        throw .corrupt
      }
      word |= try bits(1)
      let count = code.counts[length]
      if word - first < count { return code.symbols[index + word - first] }
      index += count
      first = (first + count) << 1
      word <<= 1
    }
    throw .corrupt
  }

  private mutating func dynamicCodes() throws(Failure) -> (Code, Code) {
    let literals = try bits(5) + 257
    let distances = try bits(5) + 1
    let words = try bits(4) + 4
    guard literals <= 286, distances <= 30 else { throw .corrupt }
    var lengths = [Int](repeating: 0, count: 19)
    for index in 0..<words { lengths[Self.lengthOrder[index]] = try bits(3) }
    let lengthCode = Code(lengths)
    // zlib takes a code without words for one whose words say that there is no word, too, and
    // refuses the block at its end.
    guard lengthCode.left == 0 || lengthCode.symbols.isEmpty else { throw .corrupt }
    lengths = []
    while lengths.count < literals + distances {
      let symbol = try lengthCode.symbols.isEmpty ? bits(1) * 0 : symbol(lengthCode)
      switch symbol {
      case ..<16: lengths.append(symbol)
      case 16:
        // zlib reads the count before it misses a length to repeat.
        let count = try bits(2) + 3
        guard let last = lengths.last else { throw .corrupt }
        lengths += Array(repeating: last, count: count)
      case 17: lengths += Array(repeating: 0, count: try bits(3) + 3)
      default: lengths += Array(repeating: 0, count: try bits(7) + 11)
      }
    }
    // The last run may not reach over the end, and a block must be able to end.
    guard lengths.count == literals + distances, lengths[256] > 0 else { throw .corrupt }
    let literalCode = Code(Array(lengths[..<literals]))
    let distanceCode = Code(Array(lengths[literals...]))
    let isSingle = literalCode.symbols.count == 1 && literalCode.counts[1] == 1
    guard literalCode.left == 0 || isSingle, distanceCode.isAllowedForDistances else {
      throw .corrupt
    }
    return (literalCode, distanceCode)
  }

  // MARK: - Blocks (section 3.2.5)

  private mutating func compressed(_ literals: Code, _ distances: Code) throws(Failure) {
    while true {
      let symbol = try symbol(literals)
      guard symbol != 256 else { return }
      if symbol < 256 {
        try append(UInt8(symbol))
      } else {
        let length = try length(symbol)
        let distance = try distance(symbol: self.symbol(distances))
        guard distance <= output.count else { throw .corrupt }
        for _ in 0..<length { try append(output[output.count - distance]) }
      }
    }
  }

  private mutating func length(_ symbol: Int) throws(Failure) -> Int {
    switch symbol {
    case 257..<265: return symbol - 254
    case 265..<285:
      let extra = (symbol - 261) / 4
      return 3 + (4 + (symbol - 261) % 4) << extra + (try bits(extra))
    case 285: return 258
    default: throw .corrupt
    }
  }

  private mutating func distance(symbol: Int) throws(Failure) -> Int {
    switch symbol {
    case ..<4: return symbol + 1
    case 4..<30:
      let extra = symbol / 2 - 1
      return 1 + (2 + symbol % 2) << extra + (try bits(extra))
    default: throw .corrupt
    }
  }
}
