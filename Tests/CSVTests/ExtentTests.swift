import CSV
import Foundation
import TestSupport
import Testing

/// Where a bad record ends, and whether that is certain, held against the definition by itself.
struct ExtentTests {
  @Test func `extents of all short texts are as defined`() throws {
    let letters = Array("a\",\r\n".utf8)
    var texts: [[UInt8]] = [[]]
    var mismatches: [String] = []
    var doubtful = 0
    for _ in 1...(LongTests.areOn ? 7 : 5) {
      texts = texts.flatMap { text in letters.map { text + [$0] } }
      for text in texts {
        for record in try parse(text).records
        where !record.faults.isEmpty && record.faults != .unterminatedQuote {
          let expected = Extent(ofRecordAt: record.offset, in: text)
          let got = Extent(end: record.offset + record.length, isCertain: record.extentIsCertain)
          if got != expected { mismatches.append("\(text.debugText): \(got), not \(expected)") }
          doubtful += record.extentIsCertain ? 0 : 1
        }
      }
    }
    #expect(mismatches.first == nil, "\(mismatches.count) mismatches")
    #expect(doubtful > 100)
  }

  @Test(arguments: [
    ("1,a\"b\"c\n", true), ("1,a\"b\"c\r\n", true), ("1,a\"b\"c\rd,\n", false),
    ("1,a\"b\"c\r", false), ("1,a\"b\n2\n", false), ("1,a\"b\n", true),
    ("1,\"a\"b,\"\r\"\n", false),
    ("1,\"a\rb\"c\n", true), ("1,\"a\rb\",c\rd\n", false), ("1,a\r", false),
  ])
  func `a record's extent`(text: String, isCertain: Bool) throws {
    let record = try #require(try parse(Array(text.utf8)).records.first)
    #expect(!record.faults.isEmpty)
    #expect(record.extentIsCertain == isCertain)
  }
}

/// The extent of a record that is not sound CSV, as Rejects.md defines it.
private struct Extent: Equatable {
  let end: Int
  let isCertain: Bool

  init(end: Int, isCertain: Bool) {
    self.end = end
    self.isCertain = isCertain
  }

  /// Works it out by trying every reading.
  init(ofRecordAt start: Int, in text: [UInt8]) {
    let fault = Self.firstFault(of: text, from: start)
    // One reading ignores quotes after the fault, the other counts them all.
    let lineEnds = text.indices.filter { $0 >= fault && text[$0] == 10 }
    let byLines = lineEnds.first.map { $0 + 1 } ?? text.count
    let byQuotes =
      lineEnds.first { text[start..<$0].count { $0 == 34 }.isMultiple(of: 2) }.map { $0 + 1 }
      ?? text.count
    let loneReturns = (fault..<byLines).filter { index in
      text[index] == 13 && (index + 1 == text.count || text[index + 1] != 10)
    }
    end = byLines
    isCertain = byLines == byQuotes && loneReturns.isEmpty
  }

  /// Where the longest beginning ends that a record of RFC 4180 can have.
  private static func firstFault(of text: [UInt8], from start: Int) -> Int {
    let sound = /(?:(?:"(?:[^"]|"")*"|[^",\r\n]*),)*(?:"(?:[^"]|"")*"|[^",\r\n]*)/
    let rest = String(decoding: text[start...], as: UTF8.self)
    let match = rest.matchingWithUnicodeScalars(sound)
    return start + match
  }
}

extension String {
  /// The bytes at the beginning that match; a grapheme would hold CR and LF together.
  fileprivate func matchingWithUnicodeScalars(_ pattern: Regex<Substring>) -> Int {
    prefixMatch(of: pattern.matchingSemantics(.unicodeScalar))?.output.utf8.count ?? 0
  }
}

extension [UInt8] {
  fileprivate var debugText: String { String(decoding: self, as: UTF8.self).debugDescription }
}
