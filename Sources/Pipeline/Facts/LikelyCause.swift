/// The likely cause of missing parents according to the warnings of the same run: fixing it comes before fixing records or
/// raising limits.
struct LikelyCause {
  /// The cause as part of a sentence.
  let words: String
  /// The first thing to do, as the start of a sentence.
  let remedy: String

  /// The most likely cause; nil if the warnings indicate none.
  ///
  /// `parents` are the known tables that the rejected records refer to.
  init?(_ warnings: [Warning], parents: Set<String> = []) {
    if warnings.contains(where: { $0.code == .mixedGenerations }) {
      words = "probably because the source files are from different days"
      remedy = "Download all source files again together"
      return
    }
    let absent = warnings.filter { $0.code == .tableAbsent && parents.contains($0.table ?? "") }
    guard !absent.isEmpty else { return nil }
    words = "probably because of missing source files: \(absent.subjects)"
    remedy = "Add the missing source files"
  }
}
