import Schema
import SQLiteSwiftly
import Vocabulary
import Platform
import Glibc
import SourceFiles
import Text

/// A file that is described as a table.
typealias FoundSource = (table: String, file: SourceFolder.File)

/// The files of a folder or an archive that look like CSV files.
struct FoundSources {
  private(set) var sources: [FoundSource] = []
  /// The name of the folder or archive.
  let name: String

  /// The extensions, in any case, and with those of gzip and ZIP.
  private static let endings = [".csv", ".tsv", ".tab", ".txt", ".dat"]
  private static let compressions = [""] + SourceDescription.Compression.allCases.map(\.ending)
  private static let reservedPrefixes = ["sqlite_", "ingest_"]

  init(_ options: InferenceOptions) throws(IngestError) {
    let source = options.source
    let isArchive = SourceFolder.isArchive(source)
    let last = split(source.hasByteSuffix("/") ? source.dropping(suffix: "/") : source).name
    name =
      isArchive && last.lowercased().hasByteSuffix(".zip") ? last.dropping(suffix: ".zip") : last
    let files =
      isArchive
      ? try SourceFolder.files(inArchive: source, [])
      : try Self.files(in: source, below: "", options.isRecursive)
    let found = files.compactMap { file -> FoundSource? in
      let (folder, name) = split(file.name)
      let isExcluded = options.excluded.contains { pattern in
        unsafe fnmatch(pattern, file.name, 0) == 0 || fnmatch(pattern, name, 0) == 0
      }
      guard !isExcluded, options.isRecursive || folder.isEmpty,
        !name.hasBytePrefix("."), let table = Self.table(of: name, isArchive: isArchive)
      else { return nil }
      return (table, file)
    }.sorted { ($0.table, $0.file.name) < ($1.table, $1.file.name) }
    guard !found.isEmpty else {
      throw IngestError(
        .inputMissing, code: .file(.fileMissing),
        "\(source): no CSV file found. File names must end in \(Self.endings.dropLast().joined(separator: ", ")) "
          + "or \(Self.endings[Self.endings.count - 1]). Check --source.")
    }
    for (file, next) in zip(found, found.dropFirst())
    where file.table == next.table && split(file.file.name).folder == split(next.file.name).folder {
      throw IngestError(
        .data, code: .file(.fileAmbiguous),
        "\(source): two files for one table: \(file.file.name) and \(next.file.name). Remove one of them."
      )
    }
    var names: Set<String> = []
    for source in found {
      sources.append((Self.tableName(source.table, besides: &names), source.file))
    }
  }

  private static func files(
    in folder: String, below parent: String, _ isRecursive: Bool
  ) throws(IngestError) -> [SourceFolder.File] {
    var files: [SourceFolder.File] = []
    for entry in try SourceFolder.files(in: folder) where !entry.name.hasBytePrefix(".") {
      let file = SourceFolder.File(name: parent + entry.name, path: entry.path)
      let kind = (try? status(of: file.path, followsLinks: false))?.st_mode ?? 0
      if isRecursive, kind & S_IFMT == S_IFDIR {
        files += try Self.files(in: file.path, below: file.name + "/", isRecursive)
      } else {
        files.append(file)
      }
    }
    return files
  }

  /// The name of a file without its extensions; nil if it does not look like a CSV file.
  private static func table(of name: String, isArchive: Bool) -> String? {
    let lowercased = name.lowercased()
    for ending in endings {
      for compression in isArchive ? [""] : compressions
      where lowercased.hasByteSuffix(ending + compression) {
        let table = name.dropping(suffix: ending + compression)
        return table.isEmpty ? nil : table
      }
    }
    return nil
  }

  /// A name that no other table has, in any ASCII case, and that is not reserved.
  private static func tableName(_ name: String, besides names: inout Set<String>) -> String {
    let isReserved = reservedPrefixes.contains(where: name.hasNamePrefix)
    let base = isReserved ? "table_" + name : name
    var number = 1
    while true {
      let unique = number == 1 ? base : "\(base)_\(number)"
      if names.insert(unique.lowercased()).inserted { return unique }
      number += 1
    }
  }
}
