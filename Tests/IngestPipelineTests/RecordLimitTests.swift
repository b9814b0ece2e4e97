import Foundation
import Vocabulary
import Testing

/// The most bytes of a record bound the values of a catalog that is compared, and not what it consists of.
@Suite struct RecordLimitTests {
  @Test(arguments: [20, 40, 1000])
  func `a catalog of short records is replaced, and its rejects are repaired`(limit: Int) throws {
    let workplace = try Workplace()
    try workplace.write("nodes.csv", "name,parent\nlea\nleaf,roo,a\nc,c\n")
    func load() -> Outcome {
      IngestPipelineTests.load(workplace, Family.schema, allowedMissing: .all) {
        $0.recordLimit = limit
        if FileManager.default.fileExists(atPath: workplace.repairs) {
          $0.repairsFolder = workplace.repairs
        }
      }
    }
    let first = load()
    #expect(first.error == nil && first.whole.rejected == 2)
    try workplace.kept.write("nodes.csv", "name,parent\nx,\n")
    try repair(workplace, recordLimit: limit)
    let outcome = load()
    #expect(outcome.error == nil)
    #expect(outcome.report?.tables.map(\.inserted) == [2, 0, 0, 0])
    #expect(outcome.whole.rejected == 0)
  }
}
