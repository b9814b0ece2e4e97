import CSV
import Foundation
import TestSupport
import Testing

struct RandomParserTests {
  /// A failure names the seed that shows it; more seeds are tried with other settings of these.
  private static let firstSeed = setting("CSV_TEST_SEED") ?? 1
  private static let seeds = setting("CSV_TEST_SEEDS") ?? 20_000

  private static func setting(_ name: String) -> UInt64? {
    ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
  }

  @Test func `random text reads as a slow reader reads it`() {
    let mismatch = firstMismatch(among: Self.seeds) { input, drive throws(CSVError) in
      try parse(input, drive)
    }
    #expect(mismatch == nil)
  }

  /// The test above can fail: it detects a parser that mishandles cuts.
  @Test func `a mistake at the cuts is found`() {
    let mismatch = firstMismatch(among: 200) { input, drive throws(CSVError) in
      var drive = drive
      drive.takesEveryBlockForLast = true
      return try parse(input, drive)
    }
    #expect(mismatch != nil)
  }

  private func firstMismatch(
    among count: UInt64, _ read: ([UInt8], Drive) throws(CSVError) -> Reading
  ) -> String? {
    for seed in Self.firstSeed..<Self.firstSeed + count {
      var random = SeededGenerator(seed: seed)
      let input = randomText(&random)
      let drive = randomDrive(&random)
      let expected = result { () throws(CSVError) in
        try ReferenceReader(
          input, recordLimit: drive.recordLimit, fieldLimit: drive.fieldLimit
        ).read()
      }
      let got = result { () throws(CSVError) in try read(input, drive) }
      guard got != expected || !isAccounted(got, input) else { continue }
      return "CSV_TEST_SEED=\(seed) \(input) \(drive): got \(got), expected \(expected)"
    }
    return nil
  }

  private func result(_ read: () throws(CSVError) -> Reading) -> Result<Reading, CSVError> {
    do throws(CSVError) { return .success(try read()) } catch { return .failure(error) }
  }

  private func isAccounted(_ result: Result<Reading, CSVError>, _ input: [UInt8]) -> Bool {
    guard case .success(let reading) = result else { return true }
    return reading.accounts(for: input)
  }

  private func randomText(_ random: inout SeededGenerator) -> [UInt8] {
    let alphabet: [[UInt8]] = [
      [97], [44], [34], [10], [13, 10], [34, 34], [32], Array("abcdefg".utf8), [0xc3, 0xa9], [13],
      [0], [0xff], [0xef, 0xbb, 0xbf],
    ]
    // Without the last few, more records are sound and longer.
    let letters = alphabet.prefix([8, 9, 10, 13].randomElement(using: &random) ?? 8)
    // Long enough now and then for several windows of 64 bytes.
    let limit = Int.random(in: 0..<10, using: &random) == 0 ? 300 : 30
    let count = Int.random(in: 0...limit, using: &random)
    return (0..<count).flatMap { _ in letters.randomElement(using: &random) ?? [] }
  }

  private func randomDrive(_ random: inout SeededGenerator) -> Drive {
    Drive(
      capacity: Int.random(in: 1...(Bool.random(using: &random) ? 12 : 400), using: &random),
      records: Int.random(in: 1...4, using: &random),
      fieldLimit: Int.random(in: 1...4, using: &random),
      moreFields: Int.random(in: 0...4, using: &random),
      recordLimit: Bool.random(using: &random) ? 1000 : Int.random(in: 1...12, using: &random),
      exchanges: Bool.random(using: &random), fillsAlways: Bool.random(using: &random))
  }
}
