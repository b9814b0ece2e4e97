/// The description of source files that a run uses.
package struct NamedDescription: Equatable, Sendable {
  /// Its name on the command line: a path, or a word.
  package let name: String
  /// Its text, which is stored in a file, and compared to detect changes.
  package let text: String

  package init(_ name: String, text: String) {
    self.name = name
    self.text = text
  }
}
