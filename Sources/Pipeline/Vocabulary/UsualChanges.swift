import SQLiteSwiftly

/// The rule by which a change since the last accepted night is unusual, and all its numbers.
package enum UsualChanges {
  /// The accepted nights whose changes are usual.
  package static let nights = 30
  /// With fewer known nights, the first limit applies.
  package static let fewestNights = 3
  /// The multiple of the largest share of one day that is usual, and what each further day of the data's time adds to it.
  package static let (multiple, further) = (5.0, 1.0)
  /// The most days that add to it.
  package static let mostDays = 30.0

  /// The limits of a kind of change, in percent of the keys before, and the fewest keys reported.
  package struct Limits: Sendable {
    let first: Double
    package let floor: Double
    package let fewestKeys: Int
  }

  package static func limits(of kind: ChangeShare.Kind) -> Limits {
    switch kind {
    case .changed: Limits(first: 3, floor: 0.5, fewestKeys: 5)
    case .removed: Limits(first: 3, floor: 0.1, fewestKeys: 5)
    case .added: Limits(first: 10, floor: 2, fewestKeys: 10)
    }
  }

  /// The limit for changes that were usual every night, in percent of the keys of up to `nights` nights ago.
  package static let slow = Limits(first: 5, floor: 5, fewestKeys: 20)

  /// With a larger share of other keys, in percent, values are not compared.
  package static let mostRenumbered = 10.0
  /// The smallest share of rows without a warning, in percent of the rows before.
  package static let fewestRows = 90
  /// The smallest rise in the share of NULLs with a warning, in percentage points.
  package static let nullsRise = 10.0
  /// The share of rows with one value from which a changed column is constant, and the largest such share before, in
  /// percent.
  package static let (constantPercent, variedPercent) = (98.0, 90.0)
}

extension History {
  /// The share of keys that may change in this way within `days`, in percent.
  package func usualPercent(
    _ kind: ChangeShare.Kind, _ column: String, of table: String, days: Double
  ) -> Double {
    let known = runs.reversed().lazy.compactMap { $0.table(table)?.shares }
      .prefix(UsualChanges.nights).map { shares in
        shares.first { $0.kind == kind && haveSameBytes($0.column, column) }?.percent ?? 0
      }
    let limits = UsualChanges.limits(of: kind)
    guard known.count >= UsualChanges.fewestNights, let largest = known.max() else {
      return limits.first
    }
    return max(limits.floor, largest * (UsualChanges.multiple + UsualChanges.further * (days - 1)))
  }
}
