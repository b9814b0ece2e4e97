/// One way to read a file: that of the corpus, or an alternative, which then has a name.
package struct ExpectedReading: Decodable, Sendable {
  package var reading: String?
  package var error: String?
  package var scope: String?
  package var header: [String]?
  package var rows: [[String]]?
  package var rowCount: Int?
  package var rowsSha256: String?
  package var rejects: [Reject]?
  package var rejectCount: Int?
  package var rejectLines: [Int]?
  package var contestedWhy: [String]?
  package var alternatives: [ExpectedReading]?
  package var gzip: String?
  package var members: Int?
  package var payloadBytes: Int?
  package var payloadSha256: String?

  /// A record that is rejected.
  package struct Reject: Decodable, Sendable {
    package var line: Int
    package var kind: String
    package var also: [String]?
    package var boundary: String
  }

  /// A record that was rejected.
  package struct Found {
    package let line: Int
    package let kinds: Set<String>
    package let isCertain: Bool

    package init(line: Int, kinds: Set<String>, isCertain: Bool) {
      self.line = line
      self.kinds = kinds
      self.isCertain = isCertain
    }
  }

  /// The reading that is ours: blank lines are skipped; all else is as the corpus expects it.
  var ours: ExpectedReading {
    alternatives?.first { $0.reading == "blank lines are skipped" } ?? self
  }

  /// Whether nothing of the file may be used.
  package var isOfFile: Bool { error != nil && header == nil }

  /// The lines of the records that are rejected.
  package var linesOfRejects: [Int] { rejectLines ?? rejects?.map(\.line) ?? [] }

  /// The difference from the expected rows; nil without one.
  package func difference(rows found: [[[UInt8]]]) -> String? {
    if let rows, rows.map({ $0.map { Array($0.utf8) } }) != found {
      return "rows \(rows), not \(found.map { $0.map { String(decoding: $0, as: UTF8.self) } })"
    }
    if let rowCount, rowCount != found.count { return "\(rowCount) rows, not \(found.count)" }
    if let rowsSha256, rowsSha256 != SHA256.hex(json(found)) { return "other rows" }
    return nil
  }

  /// The difference from the expected rejected records; nil without one.
  package func difference(rejects found: [Found]) -> String? {
    let lines = found.map(\.line)
    if let rejectCount {
      guard rejectCount == found.count else { return "\(rejectCount) rejects, not \(lines.count)" }
    } else if linesOfRejects != lines {
      return "rejects in lines \(linesOfRejects), not \(lines)"
    }
    for (wanted, got) in zip(rejects ?? [], found) {
      guard wanted.line == got.line, got.kinds.contains(wanted.kind),
        (wanted.boundary == "certain") == got.isCertain
      else { return "\(wanted), not \(got)" }
    }
    return nil
  }
}

/// Rows as the corpus hashes them: JSON without spaces, escaped no more than JSON needs.
private func json(_ rows: [[[UInt8]]]) -> [UInt8] {
  var json = "["
  for (index, row) in rows.enumerated() {
    json += index == 0 ? "[" : ",["
    json += row.map { jsonString(String(decoding: $0, as: UTF8.self)) }.joined(separator: ",")
    json += "]"
  }
  return Array((json + "]").utf8)
}

private func jsonString(_ text: String) -> String {
  var json = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"": json += "\\\""
    case "\\": json += "\\\\"
    case "\n": json += "\\n"
    case "\r": json += "\\r"
    case "\t": json += "\\t"
    case "\u{8}": json += "\\b"
    case "\u{c}": json += "\\f"
    case ..<" ":
      let hex = String(scalar.value, radix: 16)
      json += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
    default: json.unicodeScalars.append(scalar)
    }
  }
  return json + "\""
}
