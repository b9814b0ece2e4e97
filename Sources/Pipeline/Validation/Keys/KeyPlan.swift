/// A plan for combining the values of a key's columns into one key of a `KeySet`.
struct KeyPlan {
  let set: Int
  /// The indices of the key's columns among those of all keys of the table.
  let columns: Range<Int>
  let form: Form
  /// Whether any of the columns can be NULL; such a key equals no other.
  let canBeNull: Bool

  enum Form {
    case integer
    case text
    /// Several columns whose tokens always fit into 64 bits.
    case packed
    /// Several columns whose tokens mostly fit into 64 bits; the other keys are composed.
    case mostlyPacked
    case composed
  }

  struct Column {
    let index: Int
    let isText: Bool
    let isReal: Bool
    let isNullable: Bool
    /// The bits of the largest token; 0 for text without a foreign key, which has none.
    let bits: Int
    var packedBits = 0
    /// The set of the column's texts, for text without a foreign key in a packed key; their ordinals are the tokens.
    var texts: Int?

    fileprivate var isOpen: Bool { bits == 0 || bits > KeyPlan.mostSharedBits }
  }

  /// Plans the key of `keyColumns`, at `columns` among those of all keys, and sets their bits.
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

  /// The most bits of a token of unknown size, and of a token of a text: with more, there would be no groups.
  private static let mostSharedBits = 32
  private static let mostTextBits = 23
  /// With fewer, few keys would fit.
  private static let fewestSharedBits = 8

  /// Sets the bits of each column; tokens of unknown size share the remaining bits equally.
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
