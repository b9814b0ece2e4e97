/// An artificial catalog in the format of Rebrickable's dumps: twelve related tables.
///
/// The same parameters write the same bytes. All keys are unique, and all foreign keys have parents. The rows include
/// the traps of the real data: IDs that look like numbers, canonically equal names, trailing blanks, children before
/// their parents, and more.
public struct DumpSet: Sendable {
  /// The possible numbers of rows of inventory_parts.
  public static let possibleRows = 1...100_000_000

  /// The format of the files.
  public let era: Era
  private let seed: UInt64
  private let quotesEveryField: Bool
  private let sizes: TableSizes

  /// Describes a set with `rows` rows of inventory_parts, and of the other tables in proportion.
  ///
  /// The catalog is the same in all eras, except for the years of its sets.
  ///
  /// - Parameters:
  ///   - rows: one of `possibleRows`; about 1.5 million make a set of the real size.
  ///   - seed: the random seed.
  ///   - era: the format of the files.
  ///   - quotesEveryField: whether to quote all fields, or only those that need it.
  public init(
    rows: Int, seed: UInt64 = 1, era: Era = .today, quotesEveryField: Bool = false
  ) {
    precondition(Self.possibleRows.contains(rows), "\(rows) rows are not possible")
    self.init(
      sizes: TableSizes(inventoryParts: rows), seed: seed, era: era,
      quotesEveryField: quotesEveryField)
  }

  init(sizes: TableSizes, seed: UInt64, era: Era, quotesEveryField: Bool = false) {
    self.sizes = sizes
    self.seed = seed
    self.era = era
    self.quotesEveryField = quotesEveryField
  }

  /// Writes one file per table, such as `parts.csv.gz`, into a folder.
  ///
  /// The folder is created if missing; files of the same names are overwritten.
  ///
  /// - Parameters:
  ///   - directory: the path of the folder.
  ///   - compressed: whether to write `.csv.gz` rather than `.csv`.
  /// - Throws: `DumpError` when the operating system refuses, or when a table is in the folder with
  ///   the other ending.
  public func write(to directory: String, compressed: Bool = true) throws(DumpError) {
    try createFolder(directory)
    for table in Table.allCases {
      let other = "\(directory)/\(table.rawValue).csv\(compressed ? "" : ".gz")"
      guard !exists(other) else { throw .otherSpellingExists(path: other) }
    }
    let catalog = Catalog(sizes: sizes, seed: seed, era: era)
    for table in Table.allCases {
      let path = "\(directory)/\(table.rawValue).csv\(compressed ? ".gz" : "")"
      let file = try DumpFile(path: path, isCompressed: compressed)
      var rows = RowWriter(era: era, quotesEveryField: quotesEveryField, file: file)
      try catalog.write(table, to: &rows)
      try rows.finish()
    }
  }

  /// Makes the files in memory, uncompressed, in the order of `Table.allCases`.
  func contents() throws(DumpError) -> [[UInt8]] {
    let catalog = Catalog(sizes: sizes, seed: seed, era: era)
    var contents: [[UInt8]] = []
    for table in Table.allCases {
      var rows = RowWriter(era: era, quotesEveryField: quotesEveryField, file: nil)
      try catalog.write(table, to: &rows)
      contents.append(rows.bytes)
    }
    return contents
  }
}
