/// The description of dumps that a run was given.
package struct GivenDescription: Equatable, Sendable {
  /// How it was named: as a path, or as a word.
  package let name: String
  /// What it says, which a file keeps, and by which a change of it is noticed.
  package let text: String

  package init(_ name: String, saying text: String) {
    self.name = name
    self.text = text
  }
}
