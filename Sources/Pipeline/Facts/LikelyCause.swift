/// Why parents are missing, as far as the notices of the same run tell: then neither the records nor a limit
/// is what has to be changed.
enum LikelyCause {
  /// The dumps are of different days.
  case mixedGenerations(Notice)
  /// Tables that may be referred to have no dump.
  case absentTables([Notice])

  /// The cause that stands out; nil if none does.
  ///
  /// - Parameters:
  ///   - notices: what was noticed.
  ///   - parents: the tables that the rejected records refer to, as far as they are known.
  package init?(_ notices: [Notice], parents: Set<String> = []) {
    if let mixed = notices.first(where: { $0.code == .mixedGenerations }) {
      self = .mixedGenerations(mixed)
      return
    }
    let absent = notices.filter { $0.code == .tableAbsent && parents.contains($0.table ?? "") }
    guard !absent.isEmpty else { return nil }
    self = .absentTables(absent)
  }

  /// The cause as part of a sentence.
  package var words: String {
    switch self {
    case .mixedGenerations: "most likely since the dumps are of different days"
    case .absentTables(let notices): "most likely since there is no dump of \(notices.subjects)"
    }
  }

  /// What to do about it, before anything else.
  package var remedy: String {
    switch self {
    case .mixedGenerations: "Download all dumps again, at one time"
    case .absentTables(let notices): "Put the missing dump of \(notices.subjects) into the folder"
    }
  }
}
