import Facts
import Files
import Schema

extension SourceFolder {
  /// The most folders that are looked into.
  private static let mostFolders = 100
  /// The hints that are given in full; the others are most likely the same.
  private static let shownHints = 4

  /// What may be meant where the dumps of tables are missing: sentences, each with a blank after it.
  static func hints(
    for missing: [SourceDescription], among stored: [File], in path: String,
    _ sources: [SourceDescription]
  ) -> String {
    let hints = missing.filter { $0.place == .named }.flatMap { source in
      let plain = source.table + source.ending
      return stored.filter { $0.name.lowercased().hasPrefix(plain) }.map { hint(on: $0, plain) }
    }
    guard hints.isEmpty else {
      let others = hints.count - shownHints
      return hints.prefix(shownHints).joined()
        + (others > 0 ? "There is more like that: \(others.of("file")). " : "")
    }
    // Only where there is none of the dumps is the source likely to be the wrong one.
    return missing.count == sources.count ? otherSource(stored, in: path, sources) : ""
  }

  /// What a file may be whose name is almost that of a dump.
  private static func hint(on file: File, _ plain: String) -> String {
    let name = file.name.lowercased()
    let shown = file.name.escapedForMessage
    let unfinished = [".part", ".partial", ".crdownload", ".download", ".filepart", ".tmp"]
    if unfinished.contains(where: name.hasSuffix) {
      return "\(shown) is an unfinished download: wait for its end, or download it again. "
    }
    if file.archive != nil, StoredFormat(ofName: name) != .plain {
      return "There is \(shown), but files in an archive are read only as \(plain): unpack the "
        + "archive, and give its folder to --source. "
    }
    let meant =
      [plain, plain + ".zip"].first { $0 == name } ?? plain + (file.archive == nil ? ".gz" : "")
    return "There is \(shown): if that is meant, name it \(meant). "
  }

  /// The source that may be meant where there are no dumps: an archive that is there, or the folder one level
  /// down or up.
  static func otherSource(
    _ stored: [File], in path: String, _ sources: [SourceDescription]
  ) -> String {
    guard !stored.contains(where: { $0.archive != nil }) else { return "" }
    if let archive = stored.first(where: { $0.name.lowercased().hasSuffix(".zip") }) {
      return "There is an archive: if it has the dumps, give it: --source "
        + "\(archive.path.escapedForMessage). "
    }
    let names = stored.map(\.name).filter { !$0.hasPrefix(".") }
    let base = path.hasSuffix("/") ? path : path + "/"
    let folders = (names.prefix(mostFolders) + [".."]).map { base + $0 }
    let other = folders.first { folder in
      let entries = (try? folderEntries(folder)) ?? []
      return sources.contains { source in
        endings(of: source, isArchive: false).contains { entries.contains(source.table + $0) }
      }
    }
    return other.map { "There are dumps in \($0.escapedForMessage): is that the folder? " } ?? ""
  }
}
