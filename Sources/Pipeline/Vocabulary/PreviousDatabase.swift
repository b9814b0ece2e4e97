package import Platform

/// The state of the previous database after a run that published nothing.
package enum PreviousDatabase: String, Sendable {
  case absent
  case kept
  /// Another program created, changed or removed it during the run.
  case changed

  /// Compares the output before and after a run; nil if either state could not be determined.
  package init?(before: State, after: State) {
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

  /// The state of a path, with links followed.
  package enum State: Equatable, Sendable {
    case nothing
    case file(FileIdentity)
    case unknown

    package init(at path: String) {
      do throws(FileError) {
        self = try identity(ofFileAt: path).map(State.file) ?? .nothing
      } catch {
        self = .unknown
      }
    }
  }
}
