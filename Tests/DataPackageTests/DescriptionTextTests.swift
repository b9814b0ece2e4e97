import Testing

@testable import DataPackage

@Suite struct DescriptionTextTests {
  @Test(
    arguments: [
      ("", 1, 1, "the end of the file"),
      ("{\n  \"a\": 1,\n}", 3, 1, "'}'"),
      ("{\"a\" 1}", 1, 6, "'1'"),
      ("[1 2]", 1, 4, "'2'"),
      ("[01]", 1, 2, "a number that begins with 0"),
      ("[1.]", 1, 4, "']'"),
      ("[-]", 1, 3, "']'"),
      ("[1e+]", 1, 5, "']'"),
      ("[+1]", 1, 2, "'+'"),
      ("[nul]", 1, 2, "'n'"),
      ("['a']", 1, 2, "'''"),
      ("[\"a", 1, 4, "the end of the file in a text"),
      ("[\"a\nb\"]", 1, 4, "a control character in a text"),
      ("[\"\\x\"]", 1, 4, "an unknown escape in a text"),
      ("[\"\\u12g4\"]", 1, 5, "'1'"),
      ("[\"\\ud800\"]", 1, 9, "half of a surrogate pair in a text"),
      ("[\"\\ud800\\u0041\"]", 1, 15, "half of a surrogate pair in a text"),
      ("{} x", 1, 4, "'x' after the end"),
      ("// no\n{}", 1, 1, "'/'"),
    ])
  func `a syntax error is reported with line and column`(
    text: String, line: Int, column: Int, problem: String
  ) throws {
    let error = try #require(throws: DataPackageError.self) {
      try DataPackage.read(Array(text.utf8), named: "d")
    }
    let fault = try #require(error.faults.first)
    #expect(fault.code == .descriptionNotJSON)
    #expect(fault.line == line && fault.column == column, "\(fault.message)")
    #expect(fault.problem == problem)
  }

  @Test func `bytes that are not UTF-8 are reported`() throws {
    let error = try #require(throws: DataPackageError.self) {
      try DataPackage.read(Array("{\n\"a\": \"".utf8) + [0xFF] + Array("\"}".utf8), named: "d")
    }
    let fault = try #require(error.faults.first)
    #expect(error.faults.count == 1 && fault.line == 2 && fault.column == 7)
  }

  @Test func `a duplicate name is reported`() throws {
    let text = #"{"resources": [{"name": "a", "x/y~": {"b": 1, "b": 2}}]}"#
    let error = try #require(throws: DataPackageError.self) {
      try DataPackage.read(Array(text.utf8), named: "d")
    }
    #expect(error.faults.contains { $0.pointer == "/resources/0/x~1y~0/b" })
  }

  /// Neither depth nor size can take the stack, hours, or more memory than a description may.
  @Test(
    arguments: [
      (String(repeating: "[", count: 1 << 20), "too many nested brackets"),
      (#"{"resources": ["# + String(repeating: "0,", count: 2000) + "0]}", "2001 resources"),
      (
        #"{"resources": [{"name": "a", "schema": {"fields": ["#
          + String(repeating: #"{"name": "a"},"#, count: 2000) + #"{"name":"b"}]}}]}"#,
        "2001 fields"
      ),
    ])
  func `hostile descriptions are refused`(text: String, problem: String) throws {
    let error = try #require(throws: DataPackageError.self) {
      try DataPackage.read(Array(text.utf8), named: "d")
    }
    #expect(error.faults.first?.problem == problem)
  }

  @Test func `no more faults are kept than are read`() throws {
    let text =
      #"{"resources": ["# + String(repeating: "0,", count: 999) + "0], \"ingest\": {"
      + (0..<500).map { "\"x\($0)\": 0" }.joined(separator: ",") + "}}"
    let error = try #require(throws: DataPackageError.self) {
      try DataPackage.read(Array(text.utf8), named: "d")
    }
    #expect(error.faults.count == 1000 && error.unlisted == 500)
  }
}
