/// Two things that a run would keep in one place.
package struct PathCollision: Equatable, Sendable {
  /// The path as it was given, and the one that it would be the same as.
  package let path: String
  package let other: String
  /// What they are for.
  package let purpose: String
  package let otherPurpose: String

  /// Looks for it among all names that a run was given, and those that it makes beside them.
  ///
  /// A file or a folder is known by where it is, whatever the path to it, and by itself if it is there.
  ///
  /// - Returns: Nil if all are apart.
  package init?(in options: IngestOptions, reports: [ReportFile]) {
    let hasRejects = options.rejectsFolder != nil || !options.output.isEmpty
    let rejects = withoutSlashes(options.rejectsFolder ?? options.defaultRejectsFolder)
    let folders = hasRejects ? ["", ".new", QuarantineFolder.previous].map { rejects + $0 } : []
    var groups: [(purpose: String, paths: [String])] = []
    if !options.output.isEmpty {
      let output = resolvedPath(options.output)
      let candidate = CandidateFile.path(for: output)
      let own = [output, candidate].flatMap { file in
        [file] + CandidateFile.suffixes.map { file + $0 }
      }
      let others = [OutputLock.path(of: output), CandidateFile.keptPath(for: output)]
      groups.append(("the catalogue", own + others))
    }
    for report in reports {
      groups.append(("a report", [report.path, report.temporaryPath]))
    }
    for group in groups {
      // The folder of rejected records is moved, with what is in it.
      for path in group.paths {
        guard
          let folder = folders.first(where: {
            areSamePath($0, path) || areSamePath($0, parentFolder(of: path))
          })
        else { continue }
        self.init(group: (group.purpose, path), other: ("the rejected records", folder))
        return
      }
    }
    for (index, group) in groups.enumerated() {
      for other in groups[..<index] {
        for path in group.paths {
          guard let same = other.paths.first(where: { areSamePath($0, path) }) else { continue }
          self.init(group: (group.purpose, path), other: (other.purpose, same))
          return
        }
      }
    }
    return nil
  }

  private init(group: (purpose: String, path: String), other: (purpose: String, path: String)) {
    path = group.path
    self.other = other.path
    purpose = group.purpose
    otherPurpose = other.purpose
  }
}

/// A folder's path without slashes behind it.
private func withoutSlashes(_ path: String) -> String {
  var path = path
  while path.utf8.count > 1, path.hasSuffix("/") { path.removeLast() }
  return path
}
