/// Why parents are missing, as far as the warnings of the same run tell: then neither the records nor a limit
/// is what has to be changed.
struct LikelyCause {
  /// The cause as part of a sentence.
  let words: String
  /// What to do about it, before anything else.
  let remedy: String

  /// The cause that stands out; nil if none does.
  ///
  /// `parents` are the tables that the rejected records refer to, as far as they are known.
  init?(_ warnings: [Warning], parents: Set<String> = []) {
    if warnings.contains(where: { $0.code == .mixedGenerations }) {
      words = "most likely since the dumps are of different days"
      remedy = "Download all dumps again, at one time"
      return
    }
    let absent = warnings.filter { $0.code == .tableAbsent && parents.contains($0.table ?? "") }
    guard !absent.isEmpty else { return nil }
    words = "most likely since there is no dump of \(absent.subjects)"
    remedy = "Put the missing dump of \(absent.subjects) into the folder"
  }
}
