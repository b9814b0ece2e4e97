import Platform
import Text
import SQLiteSwiftly

/// The faults and warnings so far, and the files that they are in.
final class Findings {
  /// Each fault takes memory.
  static let mostFaults = 1000
  /// The maximum size of a description, including all files that it names.
  static let mostBytes = 16 << 20
  /// The limits for different patterns in a description: their number, their bytes, and the entries of their tables,
  /// which take time and memory.
  static let mostPatterns = 250
  static let mostPatternBytes = 1 << 16
  static let mostPatternPlaces = 1 << 24
  /// The maximum lengths of a name and of any other text, except titles, descriptions and records.
  static let longestName = 1000
  static let longestText = 4096
  static let mostProperties = 1000
  /// The maximum number of values in a description: objects, lists, strings, numbers.
  static let mostValues = 250_000

  private let ignoresUnsupported: Bool
  private var sources: [(name: String, bytes: [UInt8])] = []
  private var faults: [Finding] = []
  private var warnings: [Finding] = []
  private var unlisted = 0
  var cause: FileError?
  private(set) var bytesLeft = mostBytes
  private var valuesLeft = mostValues
  private var patterns: Set<String> = []
  private var patternBytesLeft = mostPatternBytes
  private var patternPlacesLeft = mostPatternPlaces
  /// The bytes of CSV that remain for inline records.
  var recordBytesLeft = mostBytes

  private struct Finding {
    let code: DescriptionCode
    let source: Int
    let offset: Int32
    let pointer: String
    let problem: String
    let expectation: String
  }

  init(ignoresUnsupported: Bool) { self.ignoresUnsupported = ignoresUnsupported }

  var areNone: Bool { faults.isEmpty }

  /// Reads the text of a file; invalid JSON adds a fault and returns nil.
  func read(_ bytes: [UInt8], of name: String) -> Node? {
    let source = sources.count
    sources.append((name, bytes))
    bytesLeft -= bytes.count
    var reader = JSONReader(bytes, mostValues: valuesLeft)
    defer { valuesLeft = reader.valuesLeft }
    do throws(JSONReader.Mistake) {
      let json = try reader.read()
      for (pointer, offset) in reader.repetitions {
        add(
          Finding(
            code: .nameInvalid, source: source, offset: offset, pointer: pointer,
            problem: "duplicate property", expectation: "each property once: remove one"))
      }
      return Node(json: json, pointer: "", source: source, findings: self)
    } catch {
      add(
        Finding(
          code: .descriptionNotJSON, source: source, offset: error.offset, pointer: "",
          problem: error.problem, expectation: error.expectation))
      return nil
    }
  }

  /// Counts a pattern; false if there are too many patterns, or if they are too large together.
  func hasRoom(for pattern: String) -> Bool {
    if patterns.contains(pattern) { return true }
    guard patterns.count < Self.mostPatterns, pattern.utf8.count <= patternBytesLeft else {
      return false
    }
    patternBytesLeft -= pattern.utf8.count
    patternPlacesLeft -= TextPattern(pattern)?.table.count ?? 0
    guard patternPlacesLeft >= 0 else { return false }
    patterns.insert(pattern)
    return true
  }

  func add(_ code: DescriptionCode, at node: Node, _ problem: String, expected: String) {
    add(
      Finding(
        code: code, source: node.source, offset: node.json.offset, pointer: node.pointer,
        problem: problem, expectation: expected))
  }

  private func add(_ finding: Finding) {
    if ignoresUnsupported, [.featureUnsupported, .propertyMisspelt].contains(finding.code) {
      if warnings.count < Self.mostFaults { warnings.append(finding) }
    } else if faults.count < Self.mostFaults {
      faults.append(finding)
    } else {
      unlisted += 1
    }
  }

  /// All faults in the order of the text; nil without faults.
  var error: DataPackageError? {
    areNone ? nil : DataPackageError(faults: placed(faults), unlisted: unlisted, cause: cause)
  }

  var placedWarnings: [DescriptionFault] { placed(warnings) }

  /// The faults with their lines, which are counted once for all findings.
  private func placed(_ findings: [Finding]) -> [DescriptionFault] {
    let inOrder = findings.enumerated().sorted {
      ($0.element.source, $0.element.offset, $0.offset)
        < ($1.element.source, $1.element.offset, $1.offset)
    }.map(\.element)
    var source = -1
    var line = 1
    var lineStart = 0
    var counted = 0
    return inOrder.map { finding in
      if finding.source != source { (source, line, lineStart, counted) = (finding.source, 1, 0, 0) }
      let bytes = sources[source].bytes
      while counted < min(Int(finding.offset), bytes.count) {
        if bytes[counted] == 0x0A { (line, lineStart) = (line + 1, counted + 1) }
        counted += 1
      }
      return DescriptionFault(
        code: finding.code, file: sources[source].name, line: line,
        column: finding.code == .descriptionNotJSON ? Int(finding.offset) - lineStart + 1 : 0,
        pointer: finding.pointer, problem: finding.problem, expectation: finding.expectation)
    }
  }
}
