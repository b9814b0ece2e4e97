package import Platform
import Text

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
