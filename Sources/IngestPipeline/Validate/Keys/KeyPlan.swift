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
    /// One integer column: its value.
    case integer
    /// One text column: its bytes.
    case text
    /// Several columns whose tokens fit into 64 bits together.
    case packed
    /// Several columns, their tokens and texts in sequence.
    case composed
  }

  /// A column of a key, and the bits of the token that stands for its value; 0 for text of its own.
  struct Column {
    let index: Int
    let isText: Bool
    let isNullable: Bool
    let bits: Int
  }

  /// Plans the key of `keyColumns`, which will be at `columns` among those of all keys.
  init(set: Int, columns: Range<Int>, _ keyColumns: [Column]) {
    self.set = set
    self.columns = columns
    canBeNull = keyColumns.contains(where: \.isNullable)
    let bits = keyColumns.reduce(0) { $0 + $1.bits }
    if keyColumns.count == 1 {
      form = keyColumns[0].isText ? .text : .integer
    } else {
      form = bits > 64 || keyColumns.contains { $0.bits == 0 } ? .composed : .packed
    }
  }

  /// Whether the key is a byte string.
  var isText: Bool { form == .text || form == .composed }
}
