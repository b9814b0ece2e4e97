import Vocabulary
import Testing

/// The most bytes of a record bound the values of a catalog that is compared, and not what it consists of.
@Suite struct RecordLimitTests {
  @Test(arguments: [20, 40, 1000])
  func `a catalog of short records is replaced, and its rejects are replayed`(limit: Int) throws {
    let workplace = try Workplace()
    try workplace.write("nodes.csv", "name,parent\nlea\nleaf,roo,a\nc,c\n")
    for replayed in [nil, workplace.output + ".rejects"] {
      let outcome = load(workplace, Family.schema, limit: .records(1000), allowedMissing: .all) {
        $0.recordLimit = limit
        $0.replayedFolder = replayed
      }
      #expect(outcome.error == nil, "\(String(describing: outcome.error))")
      #expect(outcome.report?.tables.map(\.inserted) == [1, 0, 0, 0])
    }
  }
}
