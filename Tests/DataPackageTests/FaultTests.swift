import Testing

@testable import DataPackage

@Suite struct FaultTests {
  /// Descriptions come from elsewhere: nothing in a message may control a terminal.
  @Test(
    arguments: [
      ("{}\u{7F}", #"d:1:3: '\u{7f}' after the end"#),
      ("\u{85}", #"d:1:1: '\u{85}'"#),
      ("[\u{2028}]", #"d:1:2: '\u{2028}'"#),
      (
        #"{"resources": [{"name": "\u202e"}, {}], "ingest": {"\u001b[2J": 0}}"#,
        #"d:1: /resources/0: the resource has no schema"#
      ),
      (
        "{\"resources\": [0], \"\u{202E}\": 0, \"\u{202E}\": 1}",
        #"d:1: /\u{202e}: duplicate property"#
      ),
      (
        #"{"resources": [0], "ingest": {"\u001b[2J": 0}}"#,
        #"d:1: /ingest/\u{1b}[2J: unknown property "\u001b[2J""#
      ),
    ])
  func `a message controls no terminal`(text: String, beginning: String) throws {
    let error = try #require(throws: DataPackageError.self) {
      try DataPackage.read(Array(text.utf8), named: "d")
    }
    let messages = error.faults.map(\.message)
    #expect(messages.contains { $0.hasPrefix(beginning) }, "\(messages)")
    for message in messages {
      let isPlain = message.unicodeScalars.allSatisfy {
        ![.control, .format, .lineSeparator].contains($0.properties.generalCategory)
      }
      #expect(isPlain, "\(message.debugDescription)")
    }
  }
}
