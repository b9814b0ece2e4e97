import CSQLite
import Glibc

/// The form of a name that is equal for two names that are one to SQLite: it takes capital and small
/// ASCII letters for the same, and looks at the bytes of everything else.
package func foldedName(_ name: String) -> [UInt8] {
  name.utf8.map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0 }
}

/// Whether two names are one to SQLite.
package func areOneName(_ left: String, _ right: String) -> Bool {
  foldedName(left) == foldedName(right)
}

/// Compares texts as SQLite does, and not as strings, to which "\u{E9}" is "e\u{301}".
package func haveSameBytes(_ left: String, _ right: String) -> Bool {
  let left = left.utf8Span.span
  let right = right.utf8Span.span
  guard left.count == right.count else { return false }
  return unsafe left.withUnsafeBytes { left in
    unsafe right.withUnsafeBytes { right in
      guard let first = left.baseAddress, let second = right.baseAddress else { return true }
      // Rows are read by the names of their columns, where a loop over the bytes took most of the time.
      return unsafe memcmp(first, second, left.count) == 0
    }
  }
}

/// Compares lists of texts as SQLite does.
package func haveSameBytes(_ left: [String], _ right: [String]) -> Bool {
  left.elementsEqual(right) { haveSameBytes($0, $1) }
}

/// Writes a name for people: as it is if it is a plain word, and otherwise in quotes.
package func written(identifier name: String) -> String {
  // SQL has no form for such a name, and a message would break off.
  guard !name.utf8.contains(0) else { return name.debugDescription }
  let isPlain =
    name.utf8.allSatisfy(\.isNameByte) && !(name.utf8.first.map { 0x30...0x39 ~= $0 } ?? true)
  let isKeyword = unsafe sqlite3_keyword_check(name, Int32(clamping: name.utf8.count)) != 0
  return isPlain && !isKeyword ? name : quoted(identifier: name)
}

/// Writes the names of columns for people: `(a, b)`.
package func written(columns: [String]) -> String {
  "(" + columns.map(written(identifier:)).joined(separator: ", ") + ")"
}

/// What is wrong with a name; `empty` says that there is none.
package func nameFaults(_ name: String, empty: String) -> [String] {
  if name.isEmpty { return [empty] }
  guard name.utf8.contains(0) else { return [] }
  return ["there is a NUL in the name \(written(identifier: name))"]
}

extension UInt8 {
  /// Whether the byte is one of a name without quotes.
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
  /// Whether a name is among these, to SQLite, which compares bytes.
  package func hasName(_ name: String) -> Bool { contains { haveSameBytes($0, name) } }
}
