import Quarantine
import SQLiteDestination
import Vocabulary
import Platform
import Text

/// Two outputs of a run that need the same path.
struct PathCollision {
  let path: String
  let purpose: String
  /// The other purpose of that path, or of a name derived from it.
  let otherPurpose: String

  /// Finds the first collision of all paths in the options, and of the names derived from them; nil if there is none.
  init?(in options: IngestOptions, reports: [String]) {
    var outputs: [Target] = []
    let scripts = options.sqlFiles.map {
      Target(path: $0, purpose: "custom SQL", places: [Place(of: $0)])
    }
    if case .file(let path) = options.output {
      let output = Place(of: path)
      let candidate = output.unfinished
      let files = [output, candidate] + CandidateFile.suffixes.map { output.appending($0) }
      let previous = output.appending(".previous")
      let kept = options.keepsPrevious ? [previous, previous.unfinished] : []
      let others = [candidate.appending(".lock"), output.appending(".refused")] + kept
      outputs.append(Target(path: path, purpose: "the database", places: files + others))
    }
    for report in reports {
      let place = Place(of: report, followsLast: false)
      outputs.append(
        Target(
          path: report, purpose: "a report", places: [place, place.unfinished],
          isFollowed: false))
    }
    if let folder = options.usedRejectsFolder {
      let rejects = withoutSlashes(folder)
      let place = Place(of: rejects)
      let folders = [place, place.appending(".new"), place.appending(RejectsFolder.previous)]
      // The folder of rejected records is moved with its contents.
      for output in outputs + scripts where folders.contains(output.folder) {
        self.init(output, "the rejected records")
        return
      }
      outputs.append(Target(path: rejects, purpose: "the rejected records", places: folders))
    }
    for script in scripts {
      guard let other = outputs.first(where: { $0.takesPlace(of: script) }) else { continue }
      self.init(script, other.purpose)
      return
    }
    for (index, output) in outputs.enumerated() {
      for other in outputs[..<index] where output.places.contains(where: other.places.contains) {
        self.init(output, other.purpose)
        return
      }
    }
    return nil
  }

  private init(_ output: Target, _ otherPurpose: String) {
    path = output.path
    purpose = output.purpose
    self.otherPurpose = otherPurpose
  }

  /// An output of a run, with all places that it needs.
  private struct Target {
    let path: String
    let purpose: String
    let places: [Place]
    /// Whether links at the path are followed.
    var isFollowed = true

    var folder: Place { Place(of: parentFolder(of: isFollowed ? resolvedPath(path) : path)) }

    /// Whether it would overwrite a script, or become a script in a folder of scripts.
    func takesPlace(of script: Target) -> Bool {
      let folder = folder
      return script.places.contains {
        places.contains($0) || path.hasByteSuffix(".sql") && $0 == folder
      }
    }
  }
}
