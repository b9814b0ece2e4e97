/// A set of files like those of 2017: eight tables, with parts in inventory_parts that parts does not have, and
/// repairs that add them.
enum MissingParents {
  /// The missing parts, and the records that refer to them.
  private static let parts = 17
  private static let records = 182
  /// The number of valid records before each record without a part.
  private static let distance = 7

  /// The tables that did not exist in 2017.
  private static let later = [
    "part_relationships.csv", "elements.csv", "minifigs.csv", "inventory_minifigs.csv",
  ]

  /// Creates the compressed source files below `dumps/`, and the repairs below `repairs/`.
  static func files(rows: Int) throws(DumpError) -> FileSet {
    var dumps = try FileSet(of: DumpSet(rows: rows, era: .june2020))
    for name in later { dumps[name] = nil }
    // The number of the part's material came in 2019.
    dumps.changeLines(of: "parts.csv") { $0 = $0.map { $0.withoutLastField() } }
    removeMinifigs(from: &dumps)
    addOrphans(to: &dumps)
    var files = FileSet()
    for name in dumps.names {
      files["dumps/" + name] = dumps[name]
      files.compress("dumps/" + name)
    }
    files["repairs/parts.add.csv"] = repairs
    files["repairs/README.md"] = Array(readme.utf8)
    return files
  }

  /// Removes the inventories of minifigs, and all that is in them.
  private static func removeMinifigs(from dumps: inout FileSet) {
    var gone: Set<String> = []
    dumps.changeLines(of: "inventories.csv") { lines in
      lines.removeAll { line in
        guard line.fields[2].hasPrefix("fig-") else { return false }
        gone.insert(line.fields[0])
        return true
      }
    }
    for name in ["inventory_parts.csv", "inventory_sets.csv"] {
      dumps.changeLines(of: name) { $0.removeAll { gone.contains($0.fields[0]) } }
    }
  }

  /// Inserts records into inventory_parts with a missing part, and the inventory and color of the preceding record.
  private static func addOrphans(to dumps: inout FileSet) {
    dumps.changeLines(of: "inventory_parts.csv") { lines in
      for record in (0..<records).reversed() {
        let place = (record + 1) * distance
        let before = lines[place].fields
        let fields = [before[0], number(record % parts), before[2], "\(1 + record % 4)", "f"]
        lines.insert(Array((fields.joined(separator: ",") + "\n").utf8)[...], at: place + 1)
      }
    }
  }

  private static func number(_ part: Int) -> String { "9995\(part < 10 ? "0" : "")\(part)" }

  private static var repairs: [UInt8] {
    let lines = (0..<parts).map { "\(number($0)),Brick without a record no. \($0 + 1),11\n" }
    return Array(("part_num,name,part_cat_id\n" + lines.joined()).utf8)
  }

  private static let readme = """
    The parts that inventory_parts refers to and that parts.csv does not have.

    """
}

/// A line of CSV that ends in LF.
extension ArraySlice<UInt8> {
  /// Its fields, none of which is in quotes.
  fileprivate var fields: [String] {
    dropLast().split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// The line without its last field, which is not in quotes.
  fileprivate func withoutLastField() -> ArraySlice<UInt8> {
    let end = lastIndex(of: UInt8(ascii: ",")) ?? endIndex - 1
    return (self[..<end] + Array("\n".utf8))[...]
  }
}
