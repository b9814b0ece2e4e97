import Testing

@testable import DataPackage

/// A description comes from elsewhere: none may take hours, or all of the memory.
///
/// Without bounds, each of these took more than ten seconds or 256 MiB, or filled the log.
@Suite struct HostileDescriptionTests {
  /// The only fault of a description, which is found soon.
  private func fault(in text: String) throws -> DescriptionFault {
    // Without bounds these take minutes and hours.
    let error = #expect(throws: DataPackageError.self) {
      try DataPackage.read(Array(text.utf8), named: "d")
    }
    let fault = try #require(error?.faults.first)
    #expect(fault.message.utf8.count < 1000)
    return fault
  }

  private func described(fields: [String], _ resource: String = "", _ package: String = "")
    -> String
  {
    #"{"resources": [{"name": "t", "path": "t.csv", "schema": {"fields": ["#
      + fields.joined(separator: ",") + "]}\(resource)}]\(package)}"
  }

  private func texts(_ count: Int) -> String {
    "[" + (0..<count).map { "\"v\($0)\"" }.joined(separator: ",") + "]"
  }

  private func field(_ properties: String) -> String { #"{"name": "f", "# + properties + "}" }

  @Test func `a property name has a limited length`() throws {
    let name = String(repeating: "n", count: 1 << 20)
    let fault = try fault(in: "{\"\(name)\": {" + #""a": 1, "a": 2"# + "}}")
    #expect(fault.code == .descriptionNotJSON && fault.column == 2)
    #expect(fault.problem == "a name of 1048576 bytes" && fault.expectation == "at most 1000")
  }

  @Test func `a number has a limited number of digits`() throws {
    let fault = try fault(in: "[" + String(repeating: "1", count: 1 << 20) + "]")
    #expect(fault.problem == "a number of 1048576 characters" && fault.column == 2)
  }

  @Test(arguments: ["ingest", "constraints", "nothing"])
  func `an object has few properties`(name: String) throws {
    let members = (0..<100_000).map { "\"x\($0)\": 0" }.joined(separator: ",")
    let text =
      switch name {
      case "ingest": described(fields: [field(#""type": "any""#)], "", ", \"ingest\": {\(members)}")
      case "constraints": described(fields: [field("\"constraints\": {\(members)}")])
      default: "{\(members)}"
      }
    let fault = try fault(in: text)
    let pointers = [
      "ingest": "/ingest", "constraints": "/resources/0/schema/fields/0/constraints", "nothing": "",
    ]
    #expect(fault.pointer == pointers[name])
    #expect(fault.problem == "100000 properties")
  }

  /// All names of two changed letters are looked at.
  @Test func `misspelled names are detected quickly`() throws {
    let letters = "abcdefghijklmnopqrstuvwxyz"
    let members = letters.flatMap { first in letters.map { "\"\(first)\($0)mpression\": 0" } }
    let fields = (0..<3).map { "{\"name\": \"f\($0)\", \(members.joined(separator: ","))}" }
    let fault = try fault(in: described(fields: fields, ",\(members.joined(separator: ","))"))
    #expect(fault.code == .propertyMisspelt)
  }

  @Test(
    arguments: [
      ("\"name\"", "/resources/0/name"), ("\"path\"", "/resources/0/path"),
      ("\"format\"", "/resources/0/format"),
    ])
  func `texts are short`(property: String, pointer: String) throws {
    let long = "\"" + String(repeating: "é", count: 1 << 20) + "\""
    let members = ["\"name\"", "\"path\"", "\"format\""].map {
      "\($0): \($0 == property ? long : $0 == "\"format\"" ? "\"csv\"" : "\"t.csv\"")"
    }
    let fault = try fault(
      in: "{\"resources\": [{\(members.joined(separator: ",")), "
        + #""schema": {"fields": [{"name": "f"}]}}]}"#)
    #expect(fault.pointer == pointer && fault.problem == "a string of 2097152 bytes")
  }

  /// Where too much is said about a field.
  @Test(
    arguments: [
      (#""type": "string", "constraints": {"enum": LIST}"#, 10_001, "constraints/enum"),
      (#""type": "string", "categories": LIST"#, 10_001, "categories"),
      (#""type": "boolean", "trueValues": LIST"#, 101, "trueValues"),
      (#""missingValues": LIST"#, 101, "missingValues"),
      (#""ingest": {"knownValues": LIST}"#, 10_001, "ingest/knownValues"),
    ])
  func `lists are short`(properties: String, count: Int, pointer: String) throws {
    let fault = try fault(
      in: described(fields: [field(properties.replacing("LIST", with: texts(count)))]))
    #expect(fault.pointer == "/resources/0/schema/fields/0/" + pointer)
    #expect(fault.problem == "\(count) values")
    #expect(fault.expectation == "at most \(count - 1)")
  }

  @Test func `key unions are few`() throws {
    let fault = try fault(
      in: described(
        fields: [field(#""type": "any""#)], "",
        #", "ingest": {"keyUnions": ["# + Array(repeating: "{}", count: 11).joined(separator: ",")
          + "]}"))
    #expect(fault.pointer == "/ingest/keyUnions" && fault.expectation == "at most 10")
  }

  @Test func `separators are short`() throws {
    let long = String(repeating: "\u{301}", count: 100_000)
    let fault = try fault(
      in: described(fields: [
        field(#""type": "integer", "constraints": {"minimum": "1"}, "groupChar": ""# + long + "\"")
      ]))
    #expect(fault.pointer == "/resources/0/schema/fields/0/groupChar")
  }

  @Test func `unknown directives of a time pattern are reported once`() throws {
    let fault = try fault(
      in: described(fields: [
        field(#""type": "date", "format": ""# + String(repeating: "%Q", count: 100) + "\"")
      ]))
    #expect(fault.problem.hasSuffix(" contains %Q, which is unknown"))
  }

  /// A value in few bytes can stand for many.
  @Test(
    arguments: [
      (#""type": "boolean", "trueValues": ["L"]"#, "true"),
      (#""missingValues": ["L"]"#, "null"),
    ])
  func `records are not larger as CSV than a description`(field: String, value: String) throws {
    let rows = Array(repeating: "[\(value)]", count: 100).joined(separator: ",")
    let long = String(repeating: "z", count: 4096)
    let text = described(
      fields: [self.field(field.replacing("L", with: long))], #", "data": [["f"], "# + rows + "]"
    ).replacing(#""path": "t.csv", "#, with: "")
    let findings = Findings(ignoresUnsupported: false)
    findings.recordBytesLeft = 10_000
    let package = try #require(findings.read(Array(text.utf8), of: "d"))
    let properties = try #require(Properties(package, expected: "an object"))
    _ = PackageReader(
      properties: properties, companions: CompanionFile(folder: nil), needsPlaces: false
    ).read()
    let fault = try #require(findings.error?.faults.first)
    #expect(fault.problem == "the inline records are too large as CSV")
    #expect(fault.pointer == "/resources/0/data/3")
  }

  @Test(arguments: [("[V]", "/resources/0/data/0"), (#"[{M}]"#, "/resources/0/data")])
  func `records have no more fields than a table`(data: String, pointer: String) throws {
    let members = (0..<2001).map { "\"v\($0)\": 0" }.joined(separator: ",")
    let data = data.replacing("V", with: texts(2001)).replacing("M", with: members)
    let fault = try fault(
      in: described(fields: [#"{"name": "f"}"#], ", \"data\": " + data)
        .replacing(#""path": "t.csv", "#, with: ""))
    #expect(fault.problem == "2001 names" && fault.pointer == pointer)
  }
}
