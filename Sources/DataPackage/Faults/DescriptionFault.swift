package import Files

/// Something in a description that is wrong, or that is not understood.
package struct DescriptionFault: Equatable, Sendable {
  package let code: DescriptionCode
  /// The file that has it: that of the description, or one that it names.
  package let file: String
  /// The line, from 1; 0 if there is none.
  package let line: Int
  /// The column in bytes, from 1, where the text is not JSON; 0 elsewhere.
  package let column: Int
  /// The way to it (RFC 6901), such as `/resources/0/schema/fields/3`.
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

/// Why a description cannot be used: all that is wrong with it, in the order of the text.
package struct DataPackageError: Error, Equatable, Sendable {
  package let faults: [DescriptionFault]
  /// How many more there are, if there are very many.
  package let unlisted: Int
  /// What the system said of a file that could not be read, though it may be there; nil if that was not it.
  package var cause: FileError?
}
