/// How the rows of a new schema are published, and why.
package struct PublishingChoice: Equatable, Sendable {
  package enum Mode: String, Sendable {
    /// The rows that differ are written into the published tables.
    case merge
    /// The new schema replaces the published one.
    case swap
  }

  package enum Reason: Equatable, Sendable {
    case requested
    case firstLoad
    case previousKept
    case distributed
    /// The published tables can take the rows; others have added this number of objects, which a merge keeps.
    case tablesFit(additions: Int)
    /// The published tables cannot take the rows; this part of the schema is the first that differs.
    case differs(String)
  }

  package let mode: Mode
  package let reason: Reason

  package init(mode: Mode, reason: Reason) {
    self.mode = mode
    self.reason = reason
  }
}
