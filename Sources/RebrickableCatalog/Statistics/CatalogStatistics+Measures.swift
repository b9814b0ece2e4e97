import SQLiteSwiftly

extension CatalogStatistics {
  /// The measures of a part in a color, of a part, or of a color.
  struct Measures {
    var numSets: Int64 = 0
    var minYear = Int64.max
    var maxYear = Int64.min
    var numParts = Total()
    var numSpares = Total()
    /// The number of its parts in colors that sets use.
    var members: Int64 = 0

    @inline(__always)
    mutating func addSet(of year: Int64) {
      numSets &+= 1
      minYear = min(minYear, year)
      maxYear = max(maxYear, year)
    }

    mutating func addPieces(of other: Measures) {
      numParts.add(other.numParts)
      numSpares.add(other.numSpares)
    }
  }

  struct Group {
    var latest = Measures()
    /// What older versions of sets add to the measures.
    var added = Measures()
    /// The sets that have one of its parts in a color only in older versions.
    var addedSets: Set<Int> = []
    /// Whether any set has it, including as a spare.
    var isUsed = false

    var ever: Measures {
      var ever = latest
      ever.numSets += added.numSets
      ever.minYear = min(ever.minYear, added.minYear)
      ever.maxYear = max(ever.maxYear, added.maxYear)
      ever.members += added.members
      ever.addPieces(of: added)
      return ever
    }

    /// Adds a part in a color, except for its sets, which are added one by one.
    mutating func add(_ pair: Group) {
      latest.addPieces(of: pair.latest)
      added.addPieces(of: pair.added)
      if pair.latest.numSets > 0 {
        latest.members += 1
      } else if pair.added.numSets > 0 {
        added.members += 1
      }
      isUsed = isUsed || pair.isUsed
    }
  }

  /// A number of pieces, or `inexact`, the least integer, after an overflow: in one word, since there is one for each set.
  struct Total {
    private var value: Int64 = 0

    private static let inexact = Int64.min

    @inline(__always)
    mutating func add(_ quantity: Int64, times: Int64) {
      guard times != SetContents.Use.unknown, value != Self.inexact else {
        return value = Self.inexact
      }
      let (product, isTooLarge) = quantity.multipliedReportingOverflow(by: times)
      let (sum, isSumTooLarge) = value.addingReportingOverflow(product)
      value = isTooLarge || isSumTooLarge ? Self.inexact : sum
    }

    mutating func add(_ other: Total) { add(other, minus: Total()) }

    mutating func add(_ larger: Total, minus smaller: Total) {
      let areExact = larger.value != Self.inexact && smaller.value != Self.inexact
      add(larger.value &- smaller.value, times: areExact ? 1 : SetContents.Use.unknown)
    }

    mutating func raise(to other: Total) {
      let areExact = value != Self.inexact && other.value != Self.inexact
      value = areExact ? max(value, other.value) : Self.inexact
    }

    var exact: Int64? { value == Self.inexact ? nil : value }
  }
}

/// The rows of a table, one cell after another.
struct StatisticsRows: ~Copyable {
  private static let fullCells = 8192

  private let columns: Int
  private var batches: [FilledBatch] = []
  private var values: [Int64] = []
  private var classes: [UInt8] = []
  private var text: [UInt8] = []

  init(columns: Int) { self.columns = columns }

  mutating func append(_ value: Int64?) {
    values.append(value ?? 0)
    classes.append(value == nil ? RowBatch.StorageClass.null : RowBatch.StorageClass.integer)
  }

  /// Appends the first cell of a row.
  mutating func append(text bytes: [UInt8]) {
    if values.count + columns > Self.fullCells { endBatch() }
    let start = UInt32(text.count)
    text += bytes
    values.append(RowBatch.value(ofTextAt: start, UInt32(text.count)))
    classes.append(RowBatch.StorageClass.text)
  }

  mutating func append(_ group: CatalogStatistics.Group, withMembers: Bool = false) {
    append(group.latest, withMembers: withMembers)
    append(group.ever, withMembers: withMembers)
  }

  private mutating func append(_ measures: CatalogStatistics.Measures, withMembers: Bool) {
    if withMembers { append(measures.members) }
    append(measures.numSets)
    append(measures.numSets > 0 ? measures.minYear : nil)
    append(measures.numSets > 0 ? measures.maxYear : nil)
    append(measures.numParts.exact)
    append(measures.numSpares.exact)
  }

  private mutating func endBatch() {
    guard !values.isEmpty else { return }
    batches.append(
      FilledBatch(RowBatch(columns: columns, values: values, classes: classes, text: text)))
    (values, classes, text) = ([], [], [])
  }

  consuming func result() -> [FilledBatch] {
    endBatch()
    return batches
  }
}
