package import Files

/// What a run that published nothing has left at the output.
package enum PreviousDatabase: String, Sendable {
  case absent
  case kept
  /// Somebody else has put, changed or removed it while the run went on.
  case changed

  /// Compares what is at the output after a run with what was there before; nil if either could not be
  /// looked at.
  package init?(before: Look, after: Look) {
    switch (before, after) {
    case (.unknown, _), (_, .unknown): return nil
    case (.nothing, .nothing): self = .absent
    default: self = before == after ? .kept : .changed
    }
  }

  package var words: String {
    switch self {
    case .absent: "there was no previous database"
    case .kept: "the previous database was kept"
    case .changed: "the previous database was changed by another program during this run"
    }
  }

  /// What is at a path, links followed.
  package enum Look: Equatable, Sendable {
    case nothing
    case file(FileIdentity)
    case unknown

    package init(at path: String) {
      do throws(FileError) {
        self = try identity(ofFileAt: path).map(Look.file) ?? .nothing
      } catch {
        self = .unknown
      }
    }
  }
}
