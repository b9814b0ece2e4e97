package import Files

/// What a run that published nothing has left at the output.
package enum OldOutput: String, Sendable {
  case absent
  case untouched
  /// Somebody else has put, changed or removed it while the run went on.
  case changed

  /// Compares what is at the output after a run with what was there before; nil if either could not be
  /// looked at.
  package init?(before: Look, after: Look) {
    switch (before, after) {
    case (.unknown, _), (_, .unknown): return nil
    case (.nothing, .nothing): self = .absent
    default: self = before == after ? .untouched : .changed
    }
  }

  package var words: String {
    switch self {
    case .absent: "nothing was there before, and nothing is there now"
    case .untouched: "what was there before is still there, untouched"
    case .changed: "somebody else has changed what is there while this run went on"
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
