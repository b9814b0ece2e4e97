/// Finds the examples of a page or of the comments of a Swift file.
///
/// An example of a page is a block after a line "```swift". In comments, indented lines after an
/// empty one are an example, too.
struct PageReader {
  private let path: String
  private let file: Substring
  private var isFenced = false
  private var block: (number: Int, lines: [String])?
  private var previous: String?
  /// Examples of a comment that wait for the name of what it documents.
  private var waiting: [(number: Int, lines: [String])] = []
  private var counts: [String: Int] = [:]
  private var examples: [Example] = []

  static func examples(in text: String, path: String) throws(Problem) -> [Example] {
    var reader = PageReader(path: path)
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      if path.hasSuffix(".md") {
        reader.readLine(index + 1, ofPage: String(line))
      } else {
        reader.readLine(index + 1, ofSource: line)
      }
    }
    guard !reader.isFenced, reader.block == nil, reader.waiting.isEmpty else {
      throw Problem("\(path): an example has no end, or its comment has no declaration")
    }
    return reader.examples
  }

  private init(path: String) {
    self.path = path
    file = path.split(separator: "/").last ?? ""
  }

  private var heading = ""

  private mutating func readLine(_ number: Int, ofPage line: String) {
    if !isFenced, line.hasPrefix("#") { heading = String(line.drop { $0 == "#" || $0 == " " }) }
    if let lines = fencedLines(number, line) { add(lines, to: file.dropLast(3) + " # " + heading) }
  }

  private mutating func readLine(_ number: Int, ofSource line: Substring) {
    let code = line.drop { $0 == " " }
    guard code.hasPrefix("///") else {
      endIndentedBlock()
      previous = nil
      guard !waiting.isEmpty, let name = declaredName(in: code) else { return }
      for lines in waiting { add(lines, to: "\(file) # \(name)") }
      return waiting = []
    }
    let comment = String(code.dropFirst(code.hasPrefix("/// ") ? 4 : 3))
    let isIndented = comment.hasPrefix("    ") && !isFenced
    if isIndented, block != nil || previous == "" {
      block = (block?.number ?? number, (block?.lines ?? []) + [comment])
    } else if block != nil, !isFenced, comment.isEmpty {
      block?.lines.append("")
    } else {
      if !isFenced { endIndentedBlock() }
      if let lines = fencedLines(number, comment) { waiting.append(lines) }
    }
    previous = comment
  }

  private mutating func endIndentedBlock() {
    if let block { waiting.append(block) }
    block = nil
  }

  /// The lines of a Swift block at its end; other blocks are skipped.
  private mutating func fencedLines(_ number: Int, _ line: String) -> (Int, [String])? {
    if line.hasPrefix("```") {
      let ended = block
      isFenced.toggle()
      block = isFenced && line == "```swift" ? (number + 1, []) : nil
      return ended
    }
    if isFenced { block?.lines.append(line) }
    return nil
  }

  private mutating func add(_ block: (number: Int, lines: [String]), to place: some StringProtocol)
  {
    let count = counts[String(place), default: 0] + 1
    counts[String(place)] = count
    let name = count == 1 ? String(place) : "\(place) (\(count))"
    examples.append(Example(name: name, place: "\(path):\(block.number)", lines: block.lines))
  }

  private static let keywords: Set<Substring> = [
    "actor", "case", "class", "enum", "func", "init", "let", "protocol", "struct", "subscript",
    "typealias", "var",
  ]

  /// The first name that a line of code declares; `init` and `subscript` are names, too.
  private func declaredName(in code: Substring) -> Substring? {
    let words = code.split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "@" }
    guard let index = words.firstIndex(where: Self.keywords.contains) else { return nil }
    let keyword = words[index]
    return keyword == "init" || keyword == "subscript" ? keyword : words[index...].dropFirst().first
  }
}
