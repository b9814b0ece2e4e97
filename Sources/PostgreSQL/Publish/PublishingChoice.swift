#if PostgreSQL
  /// How the rows of a new schema are published.
  package enum PublishingMode: String, Sendable {
    /// The rows that differ are written into the published tables.
    case merge
    /// The new schema replaces the published one.
    case swap
  }

  /// How the rows of a new schema are published, and why.
  package struct PublishingChoice: Equatable, Sendable {
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

    package let mode: PublishingMode
    package let reason: Reason
  }
#endif
