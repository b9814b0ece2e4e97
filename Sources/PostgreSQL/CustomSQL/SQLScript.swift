#if PostgreSQL

  /// The statements of a script, split at the same places as by `psql`
  /// (<https://www.postgresql.org/docs/current/sql-syntax-lexical.html>).
  package struct SQLScript {
    struct Statement: Equatable {
      /// Without the comments before it and without the semicolon.
      let text: String
      /// The line of its first word, from 1.
      let line: Int
      /// Its first words, in lower case.
      let words: [String]
    }

    package let path: String
    var name: Substring { path.split(separator: "/").last ?? "" }
    let statements: [Statement]

    /// `bytes` are UTF-8 without NUL.
    package init(_ path: String, _ bytes: [UInt8]) {
      self.path = path
      // A byte order mark is not part of the text.
      let mark: [UInt8] = [0xef, 0xbb, 0xbf]
      var scanner = Scanner(bytes: bytes.starts(with: mark) ? Array(bytes.dropFirst(3)) : bytes)
      statements = scanner.statements()
    }
  }

  private struct Scanner {
    let bytes: [UInt8]
    private var position = 0
    private var line = 1

    // The current statement.
    private var start: (position: Int, line: Int)?
    private var words: [String] = []
    private var parentheses = 0
    /// The nesting of `BEGIN ATOMIC` and `CASE` in the body of a function.
    private var blocks = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func statements() -> [SQLScript.Statement] {
      var statements: [SQLScript.Statement] = []
      while position < bytes.count {
        if byte() == UInt8(ascii: ";"), parentheses <= 0, blocks == 0 {
          statements += end()
          position += 1
        } else {
          skipToken()
        }
      }
      return statements + end()
    }

    private mutating func end() -> [SQLScript.Statement] {
      defer { (start, words, parentheses, blocks) = (nil, [], 0, 0) }
      guard let start else { return [] }
      let text = String(decoding: bytes[start.position..<position], as: UTF8.self)
      return [SQLScript.Statement(text: text, line: start.line, words: words)]
    }

    private func byte() -> UInt8 { position < bytes.count ? bytes[position] : 0 }

    private func isNext(_ text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

    private mutating func advance(_ count: Int = 1) {
      for _ in 0..<count where position < bytes.count {
        if bytes[position] == UInt8(ascii: "\n") { line += 1 }
        position += 1
      }
    }

    private mutating func skipToken() {
      if isNext("--") {
        while position < bytes.count, byte() != UInt8(ascii: "\n") { position += 1 }
      } else if isNext("/*") {
        skipComment()
      } else if [" ", "\t", "\n", "\r", "\u{0b}", "\u{0c}"].contains(UnicodeScalar(byte())) {
        advance()
      } else {
        if start == nil { start = (position, line) }
        skipPart()
      }
    }

    /// Comments can be nested.
    private mutating func skipComment() {
      var depth = 0
      repeat {
        if isNext("/*") {
          depth += 1
          advance(2)
        } else if isNext("*/") {
          depth -= 1
          advance(2)
        } else {
          advance()
        }
      } while depth > 0 && position < bytes.count
    }

    private mutating func skipPart() {
      switch UnicodeScalar(byte()) {
      case "'", "\"": skipQuoted(hasEscapes: false)
      case "$": skipDollarQuoted()
      case "(":
        parentheses += 1
        advance()
      case ")":
        parentheses -= 1
        advance()
      case let scalar where Self.isWord(scalar): skipWord()
      default: advance()
      }
    }

    private mutating func skipQuoted(hasEscapes: Bool) {
      let mark = byte()
      repeat {
        advance()
        while position < bytes.count, byte() != mark {
          advance(hasEscapes && byte() == UInt8(ascii: "\\") ? 2 : 1)
        }
        advance()
        // A doubled mark is part of the text.
      } while byte() == mark
    }

    /// Skips a text such as `$body$ … $body$`, or else the dollar sign.
    private mutating func skipDollarQuoted() {
      var end = position + 1
      while end < bytes.count, Self.isWord(UnicodeScalar(bytes[end])),
        bytes[end] != UInt8(ascii: "$")
      {
        end += 1
      }
      guard end < bytes.count, bytes[end] == UInt8(ascii: "$"),
        !(0x30...0x39 ~= bytes[position + 1])
      else { return advance() }
      let tag = bytes[position...end]
      advance(tag.count)
      while position < bytes.count, !bytes[position...].starts(with: tag) { advance() }
      advance(tag.count)
    }

    private mutating func skipWord() {
      let start = position
      while position < bytes.count, Self.isWord(UnicodeScalar(byte())) { position += 1 }
      let word = String(decoding: bytes[start..<position], as: UTF8.self).lowercased()
      if words.count < 4 { words.append(word) }
      if word == "e", byte() == UInt8(ascii: "'") { return skipQuoted(hasEscapes: true) }
      let rest = words.starts(with: ["create", "or", "replace"]) ? words.dropFirst(2) : words[...]
      let makesRoutine =
        ["create", "replace"].contains(rest.first)
        && ["function", "procedure"].contains(rest.dropFirst().first)
      guard parentheses == 0, makesRoutine else { return }
      if word == "begin" || word == "case" && blocks > 0 { blocks += 1 }
      if word == "end", blocks > 0 { blocks -= 1 }
    }

    private static func isWord(_ scalar: UnicodeScalar) -> Bool {
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "_", "$": true
      default: scalar.value >= 0x80
      }
    }
  }
#endif
