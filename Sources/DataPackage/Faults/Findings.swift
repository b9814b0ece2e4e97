package import Platform
import SQLiteSwiftly
import Text

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

  private typealias Finding = (
    code: DescriptionCode, source: Int, offset: Int32, pointer: String, problem: String,
    expectation: String
  )

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
          .nameInvalid, source, offset, pointer, "duplicate property",
          expected: "each property once: remove one")
      }
      return Node(json: json, pointer: "", source: source, findings: self)
    } catch {
      add(.descriptionNotJSON, source, error.offset, "", error.problem, expected: error.expectation)
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
    add(code, node.source, node.json.offset, node.pointer, problem, expected: expected)
  }

  private func add(
    _ code: DescriptionCode, _ source: Int, _ offset: Int32, _ pointer: String, _ problem: String,
    expected: String
  ) {
    let finding = (code, source, offset, pointer, problem, expected)
    if ignoresUnsupported, [.featureUnsupported, .propertyMisspelt].contains(code) {
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
    var (source, line, lineStart, counted) = (-1, 1, 0, 0)
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

/// A mistake or an unsupported feature in a description.
package struct DescriptionFault: Equatable, Sendable {
  package let code: DescriptionCode
  /// The file: the description, or a file that it names.
  package let file: String
  /// The line, from 1; 0 if unknown.
  package let line: Int
  /// The column in bytes, from 1, for invalid JSON; otherwise 0.
  package let column: Int
  /// The JSON pointer to it (RFC 6901), such as `/resources/0/schema/fields/3`.
  package let pointer: String
  package let problem: String
  /// What was expected, and what to do.
  package let expectation: String

  package var message: String { "\(messageWithoutCode) (\(code.rawValue))" }

  package var messageWithoutCode: String {
    var place = file
    if line > 0 { place += ":\(line)" }
    if column > 0 { place += ":\(column)" }
    if !pointer.isEmpty { place += ": \(pointer)" }
    return "\(place): \(problem); expected \(expectation)".printable(keepingLineFeeds: false)
  }
}

/// All faults of a description, in the order of the text.
package struct DataPackageError: Error, Equatable, Sendable {
  package let faults: [DescriptionFault]
  /// The number of further faults, beyond the limit.
  package let unlisted: Int
  /// The system's error, if a file could not be read.
  package var cause: FileError?
}

package enum DescriptionCode: String, CaseIterable, Sendable {
  case descriptionUnreadable = "description-unreadable"
  case descriptionNotJSON = "description-not-json"
  case propertyMissing = "property-missing"
  case propertyInvalid = "property-invalid"
  case propertyMisspelt = "property-misspelt"
  case featureUnsupported = "feature-unsupported"
  case pathUnsafe = "path-unsafe"
  case nameInvalid = "name-invalid"
  case constraintInvalid = "constraint-invalid"
  case referenceInvalid = "reference-invalid"
  case referenceCycle = "reference-cycle"
}
