import Foundation

/// Writes tests with the examples that they name.
///
///     insert-examples FOLDER TEST… -- PAGE…
///
/// A line `// Example: NAME` of a test becomes the lines of that example. Each example must be in a
/// test; one whose text is in another has no need of a line of its own.
@main enum InsertExamples {
  static func main() throws {
    do {
      let words = CommandLine.arguments.dropFirst()
      guard let folder = words.first, let end = words.firstIndex(of: "--") else {
        throw Problem("usage: insert-examples FOLDER TEST… -- PAGE…")
      }
      let examples = try words[(end + 1)...].flatMap {
        try PageReader.examples(in: text(of: $0), path: $0)
      }
      let tests = try words[2..<end].map { try Test(path: $0, inserting: examples) }
      let missing = examples.filter { example in
        !tests.contains { $0.text.contains(example.text) }
      }
      guard missing.isEmpty else {
        throw Problem(
          missing.map { "\($0.place): no test has the line `// Example: \($0.name)`" }
            .joined(separator: "\n"))
      }
      for test in tests { try test.write(to: folder) }
    } catch let problem as Problem {
      FileHandle.standardError.write(Data("error: \(problem.message)\n".utf8))
      exit(1)
    }
  }

  static func text(of path: String) throws -> String {
    try String(contentsOf: URL(filePath: path), encoding: .utf8)
  }
}

/// What is wrong with the documentation or its tests.
struct Problem: Error {
  let message: String
  init(_ message: String) { self.message = message }
}

/// A test with its examples.
struct Test {
  private let name: String
  private let lines: [String]
  let text: String

  init(path: String, inserting examples: [Example]) throws {
    let named = Dictionary(examples.map { ($0.name, $0) }) { first, _ in first }
    name = URL(filePath: path).lastPathComponent
    var lines: [String] = []
    for line in try InsertExamples.text(of: path).split(
      separator: "\n", omittingEmptySubsequences: false)
    {
      let parts = line.split(
        separator: "// Example: ", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else {
        lines.append(String(line))
        continue
      }
      guard let example = named[String(parts[1])] else {
        throw Problem("\(path):\(lines.count + 1): the documentation has no example `\(parts[1])`")
      }
      lines += example.lines.map { $0.isEmpty ? "" : parts[0] + $0 }
    }
    self.lines = lines
    text = Example.text(of: lines)
  }

  func write(to folder: String) throws {
    let text = lines.joined(separator: "\n")
    try text.write(
      to: URL(filePath: folder).appending(path: name), atomically: true, encoding: .utf8)
  }
}
