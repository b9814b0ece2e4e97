import CSQLite
import Glibc

/// The folded form of a name, equal for names that are the same to SQLite: it ignores the case of
/// ASCII letters and compares all other bytes.
package func foldedName(_ name: String) -> [UInt8] { name.utf8.map(folded) }

package func areSameName(_ left: String, _ right: String) -> Bool {
  left.utf8.count == right.utf8.count
    && left.utf8.elementsEqual(right.utf8) { folded($0) == folded($1) }
}

private func folded(_ byte: UInt8) -> UInt8 {
  UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
}

/// Compares texts as SQLite does; as strings, "\u{E9}" equals "e\u{301}".
package func haveSameBytes(_ left: String, _ right: String) -> Bool {
  let left = left.utf8Span.span
  let right = right.utf8Span.span
  guard left.count == right.count else { return false }
  return unsafe left.withUnsafeBytes { left in
    unsafe right.withUnsafeBytes { right in
      guard let first = left.baseAddress, let second = right.baseAddress else { return true }
      // Rows are read by column names, where a loop over the bytes took most of the time.
      return unsafe memcmp(first, second, left.count) == 0
    }
  }
}

package func haveSameBytes(_ left: [String], _ right: [String]) -> Bool {
  left.elementsEqual(right) { haveSameBytes($0, $1) }
}

/// Formats a name for messages: plain words as they are, other names in quotes.
package func written(identifier name: String) -> String {
  // SQL cannot express such a name, and a message would be cut off.
  guard !name.utf8.contains(0) else { return name.debugDescription }
  let isPlain =
    name.utf8.allSatisfy(\.isNameByte) && !(name.utf8.first.map { 0x30...0x39 ~= $0 } ?? true)
  let isKeyword = unsafe sqlite3_keyword_check(name, Int32(clamping: name.utf8.count)) != 0
  return isPlain && !isKeyword ? name : quoted(identifier: name)
}

package func written(columns: [String]) -> String {
  "(" + columns.map(written(identifier:)).joined(separator: ", ") + ")"
}

package func nameFaults(_ name: String, empty: String) -> [String] {
  if name.isEmpty { return [empty] }
  guard name.utf8.contains(0) else { return [] }
  return ["the name \(written(identifier: name)) contains a NUL character"]
}

extension UInt8 {
  var isNameByte: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
      true
    default: false
    }
  }
}

extension [String] {
  package func hasName(_ name: String) -> Bool { contains { haveSameBytes($0, name) } }

  /// A name of the rowid in a table whose columns have these names; nil if columns have all three.
  var freeRowidName: String? {
    ["rowid", "_rowid_", "oid"].first { name in !contains { areSameName($0, name) } }
  }
}

extension String {
  /// Whether the name begins with `prefix`, ignoring the case of ASCII letters, as SQLite does.
  ///
  /// The bytes are compared: to Swift, "ingest_\u{301}" does not begin with "ingest_".
  package func hasNamePrefix(_ prefix: String) -> Bool {
    foldedName(self).starts(with: foldedName(prefix))
  }
}
