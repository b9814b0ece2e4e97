/// How the values of a key's columns become one key of a `KeySet`.
struct KeyPlan {
  /// The set that has the keys of the records before.
  let set: Int
  /// The place of the key's columns among those of all keys of the table.
  let columns: Range<Int>
  let form: Form
  /// Whether any of the columns can be NULL; such a key is equal to no other.
  let canBeNull: Bool

  enum Form {
    case integer
    case text
    /// Several columns whose tokens fit into 64 bits together.
    case packed
    /// Several columns whose tokens fit into 64 bits together in most records; the others are composed.
    case mostlyPacked
    case composed
  }

  /// A column of a key, and the bits of the token that stands for its value.
  struct Column {
    let index: Int
    let isText: Bool
    let isReal: Bool
    let isNullable: Bool
    /// As many as the largest token needs; 0 for text of its own, which has none.
    let bits: Int
    /// As many as a token gets in a packed key.
    var packedBits = 0
    /// For text of its own in a packed key, the set of the column's texts, whose ordinals are its tokens.
    var texts: Int?

    fileprivate var isOpen: Bool { bits == 0 || bits > KeyPlan.mostSharedBits }
  }

  /// Plans the key of `keyColumns`, which will be at `columns` among those of all keys, and gives them their
  /// bits.
  init(set: Int, columns: Range<Int>, _ keyColumns: inout [Column]) {
    self.set = set
    self.columns = columns
    canBeNull = keyColumns.contains(where: \.isNullable)
    if keyColumns.count == 1 {
      form = keyColumns[0].isText ? .text : .integer
    } else {
      form = Self.packedForm(&keyColumns)
    }
  }

  var isText: Bool { form == .text || form == .composed }

  /// The most bits of a token that needs an unknown number of them, and of one that stands for a text: of more,
  /// there would be no groups.
  private static let mostSharedBits = 32
  private static let mostTextBits = 23
  /// With fewer, few keys would fit.
  private static let fewestSharedBits = 8

  /// Gives each column the bits of its tokens, those that may need many an equal share of what is left; and
  /// returns what becomes of them.
  private static func packedForm(_ columns: inout [Column]) -> Form {
    let known = columns.reduce(0) { $1.isOpen ? $0 : $0 + $1.bits }
    let open = columns.count(where: \.isOpen)
    let share = open == 0 ? 0 : (63 - known) / open
    guard open == 0 ? known <= 64 : share >= fewestSharedBits, !columns.contains(where: \.isReal)
    else { return .composed }
    for index in columns.indices {
      let column = columns[index]
      columns[index].packedBits =
        !column.isOpen ? column.bits : min(share, column.bits == 0 ? mostTextBits : mostSharedBits)
    }
    return open == 0 ? .packed : .mostlyPacked
  }
}
