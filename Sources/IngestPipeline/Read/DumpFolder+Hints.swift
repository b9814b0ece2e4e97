import Files
import SQLiteSwiftly

extension DumpFolder {
  /// The most folders that are looked into.
  private static let mostFolders = 100

  /// What may be meant where dumps are missing: sentences, each with a blank after it.
  static func hints(
    for missing: [String], among names: [String], in path: String, _ tables: [TableDescription]
  ) -> String {
    let hints = missing.flatMap { dump in
      let plain = dump.dropLast(".gz".count)
      return names.filter { $0.lowercased().hasPrefix(plain) }.sorted().map { hint(on: $0, dump) }
    }
    guard hints.isEmpty else { return hints.joined() }
    // Only a folder without any of the dumps is likely to be the wrong one.
    return missing.count == tables.count ? otherFolder(near: path, tables) : ""
  }

  /// What a file may be whose name is almost that of a dump.
  private static func hint(on name: String, _ dump: String) -> String {
    let shown = name.escapedForMessage
    let unfinished = [".part", ".partial", ".crdownload", ".download", ".filepart", ".tmp"]
    if unfinished.contains(where: { name.lowercased().hasSuffix($0) }) {
      return "\(shown) is an unfinished download: wait for its end, or download it again. "
    }
    let plain = String(dump.dropLast(".gz".count))
    let meant = name.lowercased() == plain ? plain : dump
    return "There is \(shown): if that is meant, name it \(meant). "
  }

  /// The folder that may be meant where there are no dumps, one level down or up.
  static func otherFolder(near path: String, _ tables: [TableDescription]) -> String {
    let names = ((try? folderEntries(path)) ?? []).filter { !$0.hasPrefix(".") }.sorted()
    let base = path.hasSuffix("/") ? path : path + "/"
    let folders = (names.prefix(mostFolders) + [".."]).map { base + $0 }
    let other = folders.first { folder in
      let entries = (try? folderEntries(folder)) ?? []
      return tables.contains { table in
        entries.contains("\(table.name).csv.gz") || entries.contains("\(table.name).csv")
      }
    }
    return other.map { "There are dumps in \($0.escapedForMessage): is that the folder? " } ?? ""
  }
}
