@testable import Text
import Testing
@testable import DataPackage
@testable import SQLiteSwiftly

/// No regular expression takes long to be read, however it is made.
@Suite struct HostilePatternTests {
  private func faults(of patterns: [String]) throws -> [DescriptionFault] {
    let fields = patterns.enumerated().map { place, pattern in
      "{\"name\": \"f\(place)\", \"type\": \"string\", \"constraints\": {\"pattern\": "
        + JSON(pattern).written(as: .line) + "}}"
    }
    let text =
      #"{"resources": [{"name": "t", "path": "t.csv", "schema": {"fields": ["#
      + fields.joined(separator: ",") + "]}}]}"
    // Without bounds these take minutes and hours.
    var faults: [DescriptionFault] = []
    do throws(DataPackageError) {
      _ = try DataPackage.read(Array(text.utf8), named: "d")
    } catch {
      faults = error.faults
    }
    #expect(faults.allSatisfy { $0.message.utf8.count < 1000 })
    return faults
  }

  @Test(
    arguments: [
      "(a|aa){1000}", "((((a{1000}){1000}){1000}){1000}){1000}",
      "(((((){10000}){10000}){10000}){10000}){10000}", "((((|a){10000}){10000})b){10000}",
      String(repeating: "(", count: 4000),
    ])
  func `a pattern that grows is refused`(pattern: String) throws {
    let faults = try faults(of: [pattern])
    #expect(faults.map(\.code) == [.constraintInvalid])
  }

  @Test func `a long pattern is refused`() throws {
    let class_ = (0..<100_000).compactMap { Unicode.Scalar(0x10000 + 2 * $0) }.map { String($0) }
    let faults = try faults(of: ["[" + class_.joined() + "]"])
    #expect(faults.map(\.problem) == ["a string of 400002 bytes"])
    #expect(TextPattern.faults(in: String(repeating: "a", count: 5001)).count == 1)
  }

  /// Sets of hundreds of ranges each, all of them different.
  @Test func `large classes are read quickly`() throws {
    let digits = Array("0123456789").map { String($0) }
    let sets = (1..<300).map { number in
      #"[\p{L}"# + digits.indices.filter { number >> $0 & 1 == 1 }.map { digits[$0] }.joined() + "]"
    }
    #expect(try faults(of: [sets.joined()]) == [])
  }

  /// One set of many states is found again and again.
  @Test func `a repeated set of states counts each time`() throws {
    let letters = "abcdefghijklmnopqrstuvwxyz"
    let faults = try faults(of: [
      "([\(letters)]?){600}(" + letters.map { "\($0)" }.joined(separator: "|") + ")*"
    ])
    #expect(faults.map(\.code) == [.constraintInvalid])
  }

  @Test func `patterns are bounded together`() throws {
    let long = (0..<20).map { place in String(repeating: "ab", count: 2000) + "\(place)" }
    let faults = try faults(of: long.map { "[\($0)]" })
    #expect(faults.first?.problem.hasPrefix("the patterns of the description are too many") == true)
    #expect(faults.first?.pointer == "/resources/0/schema/fields/16/constraints/pattern")
  }
}
