import SQLiteSwiftly

/// The requirements on a column's field, as plain numbers, so that checking a record needs no retain.
struct ColumnRule {
  /// The index of the field in a record, or -1 if the source file lacks the column.
  var field = -1
  let kind: Kind
  let isNullable: Bool
  let domain: Domain
  private(set) var bounds = Int64.min...Int64.max
  let mostBytes: Int
  /// The digits of a hexadecimal number.
  private(set) var digits = 0
  /// The key sets, one of which must contain the value; empty without a foreign key.
  let parents: Range<Int>

  enum Kind { case integer, boolean, real, text }

  enum Domain { case any, bounded, singleLine, hexadecimal, listed }

  init(
    _ column: ColumnDescription, of table: TableDescription, mostBytes: Int, parents: Range<Int>
  ) {
    isNullable = !table.requires(column)
    self.mostBytes = mostBytes
    self.parents = parents
    switch column.type {
    case .integer: kind = .integer
    case .boolean: kind = .boolean
    case .text: kind = .text
    case .real: kind = .real
    case .blob: preconditionFailure("source files cannot have the type of \(column.name)")
    }
    switch column.domain {
    case nil: domain = .any
    case .atLeast(let minimum):
      bounds = minimum...Int64.max
      domain = .bounded
    case .within(let range):
      bounds = range
      domain = .bounded
    case .singleLine: domain = .singleLine
    case .hexadecimalDigits(let count):
      digits = count
      domain = .hexadecimal
    case .oneOf: domain = .listed
    // A `FieldReader` checks it.
    default: domain = .any
    }
  }

  var storageClass: UInt8 {
    switch kind {
    case .integer, .boolean: RowBatch.StorageClass.integer
    case .real: RowBatch.StorageClass.real
    case .text: RowBatch.StorageClass.text
    }
  }

  /// The bits of the token of a value in a composite key; 0 for text without a foreign key, which has no token.
  func tokenBits(_ keys: borrowing KeyRegistry) -> Int {
    if !parents.isEmpty { return keys.tokenBits(parents) }
    return switch kind {
    case .integer:
      bounds.lowerBound < 0 ? 64 : Int64.bitWidth - bounds.upperBound.leadingZeroBitCount
    case .real: 64
    case .boolean: 1
    case .text: 0
    }
  }
}

extension [ColumnRule] {
  func column(ofField field: Int) -> Int { firstIndex { $0.field == field } ?? -1 }
}
