import Foundation
import SQLiteSwiftly
import SQLiteSwiftlyFoundation
import Testing

struct UUIDTests {
  private static let text = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"

  private static let refused = [
    "", " ", "no UUID", text + " ", " " + text, text + "\n", text + "\0", text + "\0more",
    text + "0", String(text.dropLast()), "{" + text + "}", "urn:uuid:" + text,
    text.replacing("-", with: ""), text.replacing("-", with: "–"), text.replacing("6", with: "６"),
    "E621E1F8C-36C-495A-93FC-0C247A3E6E5F", "G621E1F8-C36C-495A-93FC-0C247A3E6E5F",
    // Texts that UUID(uuidString:) accepts, some of them as another UUID.
    "+621E1F8-C36C-495A-93FC-0C247A3E6E5F", "-621E1F8-C36C-495A-93FC-0C247A3E6E5F",
    " 621E1F8-C36C-495A-93FC-0C247A3E6E5F", "0x21E1F8-C36C-495A-93FC-0C247A3E6E5F",
  ]

  @Test(arguments: DecoderKind.inEveryMode)
  func `SQ-22 a UUID is a text in upper case and comes back`(
    kind: DecoderKind, mode: DecodingMode
  ) throws {
    for _ in 0..<100 {
      let id = UUID()
      #expect(id.sqliteValue == .text(id.uuidString))
      #expect(try kind.decode(id.sqliteValue, as: UUID.self, mode) == id)
    }
    let id = try #require(UUID(uuidString: Self.text))
    #expect(id.sqliteValue == .text(Self.text))
    for text in [Self.text, Self.text.lowercased(), "e621e1F8-C36c-495A-93fC-0c247a3e6E5f"] {
      #expect(try kind.decode(.text(text), as: UUID.self, mode) == id)
      #expect(try kind.decode(.text(text), as: UUID?.self, mode) == id)
    }
  }

  @Test(arguments: DecoderKind.inEveryMode)
  func `SQ-23 NULL is nil, or an error if a UUID is required`(
    kind: DecoderKind, mode: DecodingMode
  ) throws {
    #expect(try kind.decode(.null, as: UUID?.self, mode) == nil)
    #expect(
      try kind.failure(of: .null, as: UUID.self, mode)
        == "expected a value, found NULL; read it as an optional")
  }

  @Test(arguments: DecoderKind.inEveryMode)
  func `SQ-23 text that is not a UUID is an error and never nil`(
    kind: DecoderKind, mode: DecodingMode
  ) throws {
    for text in Self.refused {
      let message = "expected a UUID"
      #expect(try kind.failure(of: .text(text), as: UUID.self, mode) == message)
      #expect(try kind.failure(of: .text(text), as: UUID?.self, mode) == message)
    }
  }

  @Test(arguments: DecoderKind.allCases)
  func `SQ-23 a number and 16 bytes are not a UUID`(kind: DecoderKind) throws {
    let bytes = SQLiteValue.blob([UInt8](repeating: 0x41, count: 16))
    for (value, phrase) in [(7, "an integer"), (bytes, "a blob")] as [(SQLiteValue, String)] {
      #expect(try kind.failure(of: value, as: UUID?.self, .lenient) == "expected a UUID")
      #expect(
        try kind.failure(of: value, as: UUID?.self, .strict)
          == "expected text, found \(phrase)")
    }
  }
}
