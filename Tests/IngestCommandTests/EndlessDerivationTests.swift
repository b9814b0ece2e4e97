import TestSupport
import Testing

/// Source files whose records refer to each other in countless ways.
@Suite struct EndlessDerivationTests {
  /// Ten sets in each of fourteen layers; each set contains all sets of the next layer.
  @Test func `sets that multiply within sets are a data error`() throws {
    let command = try Command()
    let layers = (1...14).map { layer in (0..<10).map { "\(layer)0\($0)-1" } }
    let sets = layers.joined()
    let inside = zip(layers, layers.dropFirst()).flatMap { outer, inner in
      outer.flatMap { set in inner.map { (set: set, inner: $0) } }
    }
    let numbers = Dictionary(uniqueKeysWithValues: zip(sets, 1...))
    let dumps = try command.makeDumps([
      "themes.csv": Array("id,name,parent_id\n1,Boxes,\n".utf8),
      "sets.csv": text(
        of: "set_num,name,year,theme_id,num_parts", sets.map { "\($0),Box,2020,1,0" }),
      "inventories.csv": text(of: "id,version,set_num", sets.map { "\(numbers[$0] ?? 0),1,\($0)" }),
      "inventory_sets.csv": text(
        of: "inventory_id,set_num,quantity",
        inside.map { "\(numbers[$0.set] ?? 0),\($0.inner),2" }),
    ])
    try command.putCatalog()
    let result = try command.load(
      dumps, "--allow-missing", "all", "--max-shrink", "100%", status: 65)
    #expect(
      result.errors.contains(
        "ingest: derivation-endless: set_inventories: its rows grow without bound, because the "
          + "records of sets, inventories, inventory_sets, inventory_minifigs refer to one another in too many "
          + "ways. Nothing was published. Check these source files for records nested many times over, and "
          + "download them again.\n"), "\(result)")
    #expect(try command.bytesOfCatalog() == FixtureCatalog.today.contents)
    #expect(try command.names() == ["catalog.sqlite", "dumps"])
  }

  private func text(of header: String, _ lines: [String]) -> [UInt8] {
    Array(([header] + lines).map { $0 + "\n" }.joined().utf8)
  }
}
