import Vocabulary
import Platform
import Schema
import Text

extension SourceFolder {
  /// The most folders that are searched.
  private static let mostFolders = 100
  /// The hints shown in full; the others are probably alike.
  private static let shownHints = 4

  /// Hints on missing source files: sentences, each with a space after it.
  static func hints(
    for missing: [SourceDescription], among stored: [File], in path: String,
    _ sources: [SourceDescription]
  ) -> String {
    let hints = missing.filter { $0.place == .named }.flatMap { source in
      let plain = source.table + source.ending
      return stored.filter { $0.name.lowercased().hasBytePrefix(plain) }.map { hint(on: $0, plain) }
    }
    guard hints.isEmpty else {
      let others = hints.count - shownHints
      return hints.prefix(shownHints).joined()
        + (others > 0 ? "\(others.of("more file")) like this. " : "")
    }
    // The source is probably wrong only if all source files are missing.
    return missing.count == sources.count ? otherSource(stored, in: path, sources) : ""
  }

  private static func hint(on file: File, _ plain: String) -> String {
    let name = file.name.lowercased()
    let shown = file.name.escapedForMessage
    let unfinished = [".part", ".partial", ".crdownload", ".download", ".filepart", ".tmp"]
    if unfinished.contains(where: name.hasByteSuffix) {
      return "\(shown) is an incomplete download: wait for it to finish, or download it again. "
    }
    if file.archive != nil, StoredFormat(ofName: name) != .plain {
      return
        "Found \(shown), but in an archive the file must be named \(plain): unpack the archive, and "
        + "pass its folder to --source. "
    }
    let expected =
      [plain, plain + ".zip"].first { $0 == name } ?? plain + (file.archive == nil ? ".gz" : "")
    return "Found \(shown): if this is the file, rename it to \(expected). "
  }

  /// A hint on an archive in the folder, or on a folder one level down or up.
  static func otherSource(
    _ stored: [File], in path: String, _ sources: [SourceDescription]
  ) -> String {
    guard !stored.contains(where: { $0.archive != nil }) else { return "" }
    if let archive = stored.first(where: { $0.name.lowercased().hasByteSuffix(".zip") }) {
      return "If this archive contains the source files, use it: --source "
        + "\(archive.path.escapedForMessage). "
    }
    let names = stored.map(\.name).filter { !$0.hasBytePrefix(".") }
    let base = path.hasByteSuffix("/") ? path : path + "/"
    let folders = (names.prefix(mostFolders) + [".."]).map { base + $0 }
    let other = folders.first { folder in
      let entries = (try? folderEntries(folder)) ?? []
      return sources.contains { source in
        endings(of: source, isArchive: false).contains { entries.contains(source.table + $0) }
      }
    }
    return other.map { "Found source files in \($0.escapedForMessage): is this the folder? " } ?? ""
  }
}
