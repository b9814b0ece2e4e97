import Foundation
import Testing

@testable import DumpGenerator

struct FixtureTests {
  @Test func `the fixtures match the generator`() throws {
    // Those of other families are not the generator's.
    let others = ["gtfs/", "datapackage/", "camera-traps/", "values/"]
    let kept = try contentsOfFolder(fixtures).filter { name, _ in
      !others.contains { name.hasPrefix($0) }
    }
    let made = try withFolder { path in
      try Fixtures.write(to: path)
      return try contentsOfFolder(path)
    }
    #expect(made.keys.sorted() == kept.keys.sorted())
    let different = made.filter { $1 != kept[$0] }.keys.sorted()
    #expect(different.isEmpty, "run generate-dumps --fixtures; another zlib compresses otherwise")
    #expect(kept.values.reduce(0) { $0 + $1.count } < 400_000)
  }

  @Test func `every fault has a set of its own, and is described`() throws {
    let path = URL(filePath: fixtures + "/broken/expected.json")
    let json = try JSONSerialization.jsonObject(with: Data(contentsOf: path))
    let expected = try #require(json as? [String: [String: Any]])
    let codes = """
      file-missing file-unreadable file-ambiguous not-gzip gzip-truncated gzip-corrupt \
      gzip-trailing-data encoding-unsupported header-missing column-missing column-duplicate \
      unterminated-quote wrong-field-count stray-quote text-after-quote bare-carriage-return \
      invalid-utf8 nul-byte record-too-long missing-value not-an-integer integer-out-of-range \
      not-a-boolean not-allowed wrong-format key-too-long duplicate-key missing-parent column-unknown \
      column-absent file-unknown blank-line mixed-line-ends column-order boolean-spellings \
      value-unknown mixed-generations no-final-newline
      """
    #expect(expected.keys.sorted() == codes.split(separator: " ").map(String.init).sorted())
    let folders = try FileManager.default.contentsOfDirectory(atPath: fixtures + "/broken")
    #expect(folders.sorted() == (expected.keys + ["expected.json"]).sorted())
    let exits = expected.mapValues { $0["exit"] as? Int }
    #expect(exits["file-missing"] == 66 && exits["gzip-corrupt"] == 65)
    #expect(exits["stray-quote"] == 65 && exits["blank-line"] == 0)
  }

  @Test(arguments: Fault.ofFiles + Fault.ofRecords + Fault.warnings)
  func `exactly one file differs from the valid set`(fault: Fault) throws {
    let sound = try FileSet(of: DumpSet(sizes: .tiny, seed: 1, era: .today))
    var broken = sound
    fault.damage(&broken)
    let names = Table.allCases.map { "\($0.rawValue).csv" }
    let different = names.filter { sound[$0] != broken[$0] }
    switch fault.code {
    case "file-ambiguous", "file-unknown": #expect(different.isEmpty)
    case "mixed-generations": #expect(different == ["themes.csv", "sets.csv"])
    default:
      let table = try #require(fault.file.split(separator: ".").first)
      #expect(different == ["\(table).csv"])
    }
  }

  @Test(arguments: Fault.ofRecords.filter { $0.code != "record-too-long" })
  func `a faulty record is the only one in a valid set`(fault: Fault) throws {
    let sound = try FileSet(of: DumpSet(sizes: .tiny, seed: 1, era: .today))
    var broken = sound
    fault.damage(&broken)
    let line = try #require(fault.line)
    broken.changeLines(of: fault.file) { $0.remove(at: line - 1) }
    #expect(broken[fault.file] == sound[fault.file])
  }
}

extension Fault: CustomTestStringConvertible {
  /// The code stands for the fault in the names of test cases.
  public var testDescription: String { code }
}
