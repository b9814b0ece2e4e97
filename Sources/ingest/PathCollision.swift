import Quarantine
import SQLiteDestination
import Facts
import Files

/// Two things that a run would keep in one place.
struct PathCollision {
  /// The path that was given, and what it is for.
  let path: String
  let purpose: String
  /// What the run would keep there, or beside it under that name.
  let otherPurpose: String

  /// Looks for it among all names that a run was given, and those that it makes beside them.
  ///
  /// - Returns: Nil if all are different.
  init?(in options: IngestOptions, reports: [String]) {
    var things: [Thing] = []
    let scripts = options.sqlFiles.map {
      Thing(path: $0, purpose: "SQL of your own", places: [Place(of: $0)])
    }
    if !options.output.isEmpty {
      let output = Place(of: options.output)
      let candidate = output.unfinished
      let own = [output, candidate].flatMap { place in
        [place] + CandidateFile.suffixes.map { place.appending($0) }
      }
      let previous = output.appending(".previous")
      let kept = options.keepsPrevious ? [previous, previous.unfinished] : []
      let others = [candidate.appending(".lock"), output.appending(".refused")] + kept
      things.append(Thing(path: options.output, purpose: "the catalog", places: own + others))
    }
    for report in reports {
      let place = Place(of: report)
      things.append(
        Thing(
          path: report, purpose: "a report",
          places: [place, place.unfinished]))
    }
    if options.rejectsFolder != nil || !options.output.isEmpty {
      let rejects = withoutSlashes(options.rejectsFolder ?? options.defaultRejectsFolder)
      let place = Place(of: rejects)
      let folders = [place, place.appending(".new"), place.appending(RejectsFolder.previous)]
      // The folder of rejected records is moved, with what is in it.
      for thing in things + scripts {
        let parent = Place(of: parentFolder(of: resolvedPath(thing.path)))
        guard folders.contains(parent) else { continue }
        self.init(thing, "the rejected records")
        return
      }
      things.append(Thing(path: rejects, purpose: "the rejected records", places: folders))
    }
    for script in scripts {
      guard let other = things.first(where: { $0.takesPlace(of: script) }) else { continue }
      self.init(script, other.purpose)
      return
    }
    for (index, thing) in things.enumerated() {
      for other in things[..<index] where thing.places.contains(where: other.places.contains) {
        self.init(thing, other.purpose)
        return
      }
    }
    return nil
  }

  private init(_ thing: Thing, _ otherPurpose: String) {
    path = thing.path
    purpose = thing.purpose
    self.otherPurpose = otherPurpose
  }

  /// Something that a run keeps, and all places that it needs for it.
  private struct Thing {
    let path: String
    let purpose: String
    let places: [Place]

    /// Whether it would be where a file is read, or be one of a folder whose files are read.
    func takesPlace(of script: Thing) -> Bool {
      let folder = Place(of: parentFolder(of: resolvedPath(path)))
      return script.places.contains {
        places.contains($0) || path.hasSuffix(".sql") && $0 == folder
      }
    }
  }
}
