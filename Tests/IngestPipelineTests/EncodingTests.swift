@testable import Vocabulary
import Foundation
import Schema
import Testing
@testable import SourceFiles
import Text

/// Source files in other encodings than UTF-8, and the size and digest that a description states.
@Suite struct EncodingTests {
  private static func workplace(_ content: Data) throws -> Workplace {
    let workplace = try Places.workplace([:])
    try write(content, to: workplace)
    return workplace
  }

  private static func write(_ content: Data, to workplace: Workplace) throws {
    let folder = URL(fileURLWithPath: workplace.path + "/dumps")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try content.write(to: folder.appending(path: "places.csv"))
  }

  private static func schema(_ encoding: String) -> SchemaDescription {
    Places.schema { $0.encoding = encoding }
  }

  /// The second record is rejected; its text has characters of one to three bytes in UTF-8.
  private static let text = "id,name,note\n1,Zürich,–\nx,Łódź–é,\n3,Köln,\n"

  @Test(arguments: [
    ("UTF-16", String.Encoding.utf16), ("UTF-16LE", .utf16LittleEndian),
    ("UTF-32", .utf32), ("WINDOWS-1250", .windowsCP1250),
  ])
  func `rejected records are kept in UTF-8 and repaired`(
    name: String, encoding: String.Encoding
  ) throws {
    let workplace = try Self.workplace(#require(Self.text.data(using: encoding)))
    let first = load(workplace, Self.schema(name))
    #expect(first.error == nil && first.rejected == ["places.csv:3 not-an-integer id"])
    #expect(try workplace.places == ["1|'Zürich'|'–'", "3|'Köln'|-"])
    let reason = try #require(try workplace.kept.reasons("places").first)
    let bytes = Array(Self.text.utf8)[reason.bytes]
    #expect(String(decoding: bytes, as: UTF8.self) == "x,Łódź–é,\n")
    #expect(try workplace.kept.records("places") == "id,name,note\nx,Łódź–é,\n")
    #expect(try workplace.kept.manifest.map { $0["encoding"] } == [name])
    try workplace.kept.write("places.csv", "id,name,note\n2,Łódź,\n")
    try repair(workplace, Self.schema(name))
    let second = loadRepaired(workplace, Self.schema(name))
    #expect(second.error == nil && second.rejected.isEmpty)
    #expect(try workplace.places == ["1|'Zürich'|'–'", "2|'Łódź'|-", "3|'Köln'|-"])
  }

  @Test func `a record that is too long is kept in UTF-8`() throws {
    let long = String(repeating: "é", count: 3000)
    let text = "id,name,note\n1,a,\n2,\(long),\n3,c,\n"
    let workplace = try Self.workplace(#require(text.data(using: .utf16BigEndian)))
    let outcome = load(workplace, Self.schema("UTF-16BE"), recordLimit: 1000)
    #expect(outcome.rejected == ["places.csv:3 record-too-long id"])
    #expect(try workplace.kept.records("places") == "id,name,note\n2,\(long),\n")
  }

  @Test func `a source file in another encoding is refused`() throws {
    let text = "id,name,note\nx,€,\n"
    let workplace = try Self.workplace(#require(text.data(using: .windowsCP1252)))
    #expect(load(workplace, Self.schema("WINDOWS-1252")).rejects.count == 1)
    try workplace.kept.write("places.csv", "id,name,note\n1,€,\n")
    let error = #expect(throws: IngestError.self) {
      try repair(workplace, Self.schema("ISO-8859-1"))
    }
    #expect(error?.code == .run(.quarantineStale))
    #expect(
      error?.message.contains("it was read as \"WINDOWS-1252\", not as \"ISO-8859-1\"") == true)
  }

  @Test(arguments: [
    (
      "WINDOWS-1252",
      Data("id,name,note\n1,a,\n2,\u{81},\n".unicodeScalars.map { UInt8($0.value) }), 3, 20
    ),
    ("UTF-16LE", Data("i\0d\0\n\0".utf8) + Data([0, 0xdc, 0x0a, 0]), 2, 6),
    ("WINDOWS-1252", Data("\u{feff}id,name,note\n1,Mü,\n".utf8), 1, 0),
    ("GB18030", Data("\u{feff}id,name,note\n1,a,\n".utf8), 1, 0),
    ("UTF-8", Data([0x69, 0xff]), 0, 0),
  ])
  func `bytes that the encoding does not have are refused with their place`(
    encoding: String, content: Data, line: Int, offset: Int
  ) throws {
    let outcome = load(try Self.workplace(content), Self.schema(encoding))
    guard line > 0 else { return #expect(outcome.error?.code != nil) }
    #expect(outcome.error?.code == .file(.encodingMismatch))
    let message = outcome.error?.message ?? ""
    #expect(message.contains("places.csv: line \(line): not \(encoding)"), "\(message)")
    #expect(message.contains(" at byte \(offset) "), "\(message)")
  }

  @Test func `the mark of UTF-16 names the encoding to describe`() throws {
    let workplace = try Self.workplace(#require("id,name,note\n".data(using: .utf16)))
    let outcome = load(workplace, Places.schema { _ in })
    #expect(outcome.error?.code == .file(.encodingUnsupported))
    #expect(outcome.error?.message.contains("set encoding to \"utf-16\"") == true)
  }

  /// Sizes around the ends of blocks, by Python's hashlib.
  @Test(arguments: [
    (
      0, "d41d8cd98f00b204e9800998ecf8427e",
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    ),
    (
      55, "a3c81137436036ad8b477da25301a150",
      "8af594de0e003fdee5c8bb088216c824349b4137070f559574f4a4bddd27b714"
    ),
    (
      56, "64c7901679c62fee89dae9fdc90f6cdc",
      "db81bc2bfd43620591df192139062da77d4c376f1888ea3d2190bd07c8d901f9"
    ),
    (
      64, "c1e181645d10867b9810b9ab454f39fd",
      "292be91abe8c0909fe3d26575af5755eee74d23816dc68c3ba41765136967654"
    ),
    (
      1000, "4b2f37fc49a134b17c7275fd04a1b7ac",
      "59425e4412e296fc74736673ce067027f384203f59c0d2c3e6be7b13347b3ffc"
    ),
  ])
  func `digests are those of other programs`(count: Int, md5: String, sha256: String) {
    let bytes = (0..<count).map { UInt8($0 * 7 % 251) }
    for (algorithm, expected) in [(SourceDescription.Claims.Algorithm.md5, md5), (.sha256, sha256)]
    {
      var digest = Digest(algorithm)
      digest.append(bytes.span.extracting(..<(count / 3)))
      digest.append(bytes.span.extracting((count / 3)...))
      #expect(digest.hexadecimal == expected)
    }
  }

  /// The md5 of `id,name,note\n1,a,\n` is that of md5sum.
  @Test(
    arguments: [
      (18, nil, nil), (17, nil, "it has 18 bytes, but the description says 17"),
      (nil, "f5d6b8c5", "its md5 is "),
    ] as [(Int?, String?, String?)])
  func `a file is compared with its description`(
    bytes: Int?, digits: String?, difference: String?
  ) throws {
    let workplace = try Places.workplace(["places.csv": "id,name,note\n1,a,\n"])
    let hash = digits.map { SourceDescription.Claims.Hash(algorithm: .md5, digits: $0) }
    let schema = Places.schema {
      $0.place = .files(["places.csv"])
      $0.claims = SourceDescription.Claims(bytes: bytes, hash: hash)
    }
    let outcome = load(workplace, schema)
    #expect(outcome.error?.code == (difference == nil ? nil : .file(.checksumMismatch)))
    if let difference { #expect(outcome.error?.message.contains(difference) == true) }
  }
}
