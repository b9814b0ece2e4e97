import Foundation
import Testing

@testable import SQLiteSwiftly

private typealias ResultCode = SQLiteError.ResultCode

struct ResultCodeTests {
  static let header = "/usr/include/sqlite3.h"

  /// The result codes that the system's header defines: names and numbers.
  private func definitions() throws -> [String: Int32] {
    let text = try String(contentsOfFile: Self.header, encoding: .utf8)
    let primary = try #require(text.firstRange(of: "#define SQLITE_OK "))
    let end = try #require(text.firstRange(of: "/* end-of-error-codes */"))
    var codes: [String: Int32] = [:]
    let section = text[primary.lowerBound..<end.lowerBound]
    for match in section.matches(of: #/\#define (SQLITE_\w+) +(\d+) /#) {
      codes[String(match.1)] = Int32(match.2)
    }
    for match in text.matches(of: #/\#define (SQLITE_\w+) +\((SQLITE_\w+) *\| *\((\d+)<<8\)\)/#) {
      let (kind, number) = (codes[String(match.2)], Int32(match.3))
      codes[String(match.1)] = try #require(kind) | (try #require(number) << 8)
    }
    return codes
  }

  @Test(
    "X-13 each code of the system's header has its number and its name",
    .enabled(if: FileManager.default.fileExists(atPath: header)))
  func names() throws {
    let codes = try definitions()
    // The number of codes in SQLite 3.37, which shows that the header was read.
    #expect(codes.count >= 31 + 70 && codes["SQLITE_CONSTRAINT_UNIQUE"] == 2067)
    for (name, number) in codes {
      let code = ResultCode(rawValue: number)
      #expect(code.name == name && "\(code)" == name)
      #expect(code.primary.rawValue == number & 0xff && name.hasPrefix(code.primary.name))
    }
  }

  @Test("X-13 no two codes share a name") func distinctNames() {
    let names = ResultCode.names
    #expect(Set(names.values).count == names.count)
    for (code, name) in names { #expect(name.hasPrefix(ResultCode.names[code.primary] ?? "?")) }
  }

  @Test(
    "X-13 a code without a name shows its number",
    arguments: [
      (19 | 99 << 8, "SQLITE_CONSTRAINT_25363"), (99, "SQLITE_CODE_99"),
      (99 | 1 << 8, "SQLITE_CODE_355"), (-1, "SQLITE_CODE_-1"),
    ] as [(Int32, String)])
  func unknown(number: Int32, name: String) {
    #expect(ResultCode(rawValue: number).name == name)
  }

  @Test(
    arguments: [
      (.error, 1), (.busy, 5), (.outOfMemory, 7), (.readOnly, 8), (.interrupted, 9),
      (.inputOutput, 10), (.corrupt, 11), (.full, 13), (.cannotOpen, 14), (.constraint, 19),
      (.mismatch, 20), (.misuse, 21), (.range, 25), (.notADatabase, 26), (.busySnapshot, 517),
      (.inputOutputSync, 1034), (.constraintUnique, 2067), (.constraintPrimaryKey, 1555),
      (.constraintForeignKey, 787),
    ] as [(SQLiteError.ResultCode, Int32)])
  func `codes are SQLite's`(code: SQLiteError.ResultCode, number: Int32) {
    #expect(code.rawValue == number)
  }
}
