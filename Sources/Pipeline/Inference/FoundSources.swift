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
  /// The other files, with the reasons.
  private(set) var skipped: [String] = []
  /// The name of the folder or archive.
  let name: String

  /// The extensions, in any case, and with those of gzip and ZIP.
  private static let endings = [".csv", ".tsv", ".tab", ".psv", ".txt", ".dat"]
  private static let compressions = [""] + SourceDescription.Compression.allCases.map(\.ending)
  private static let mostTables = 1000
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
    var found = find(files, options, isArchive: isArchive)
    found.sort { ($0.table, $0.file.name) < ($1.table, $1.file.name) }
    guard !found.isEmpty else {
      let reasons = skipped.map { $0.asSentence + " " }.joined()
      throw IngestError(
        .inputMissing, code: .file(.fileMissing),
        "\(source): no CSV file found. \(reasons)File names must end in "
          + "\(Self.endings.dropLast().joined(separator: ", ")) "
          + "or \(Self.endings[Self.endings.count - 1]). Check --source.")
    }
    for (file, next) in zip(found, found.dropFirst())
    where file.table == next.table && split(file.file.name).folder == split(next.file.name).folder {
      throw IngestError(
        .data, code: .file(.fileAmbiguous),
        "\(source): two files for one table: \(file.file.name) and \(next.file.name). Remove one of them."
      )
    }
    report(
      found.dropFirst(Self.mostTables).map(\.file.name),
      ": a description has at most \(Self.mostTables.grouped) tables")
    var names: Set<String> = []
    for source in found.prefix(Self.mostTables) {
      sources.append((Self.tableName(source.table, besides: &names), source.file))
    }
  }

  /// Finds the files that look like CSV files, and reports the others.
  private mutating func find(
    _ files: [SourceFolder.File], _ options: InferenceOptions, isArchive: Bool
  ) -> [FoundSource] {
    var found: [FoundSource] = []
    var (archives, others) = ([SourceFolder.File](), [String]())
    var folders: Set<String> = []
    for file in files {
      let (folder, name) = split(file.name)
      let isExcluded = options.excluded.contains { pattern in
        unsafe fnmatch(pattern, file.name, 0) == 0 || fnmatch(pattern, name, 0) == 0
      }
      guard !isExcluded, !name.hasBytePrefix(".") else { continue }
      if !options.isRecursive, !folder.isEmpty {
        folders.insert(folder)
      } else if file.name.utf8.first == 0x7e
        || file.name.utf8.contains(where: { $0 < 0x20 || $0 == 0x5c })
      {
        let shown = file.name.escapedForMessage
        skipped.append(
          "\(shown): no description can name it. Rename it, without ~, \\ and control characters.")
      } else if let table = Self.table(of: name, isArchive: isArchive) {
        found.append((table, file))
      } else if let format = StoredFormat.unsupported(ofName: name) {
        skipped.append(
          "\(file.name): \(format) is not supported. Decompress it, or compress it with gzip.")
      } else if !isArchive, name.lowercased().hasByteSuffix(".zip") {
        archives.append(file)
      } else {
        others.append(file.name)
      }
    }
    for archive in archives {
      let table = archive.name.dropping(suffix: ".zip")
      if found.contains(where: { $0.file.name.hasBytePrefix(table + ".") }) {
        skipped.append("\(archive.name): another file has the same name without its extension")
      } else if let reason = Self.reasonToSkip(archive: archive) {
        skipped.append(reason)
      } else {
        found.append((split(table).name, archive))
      }
    }
    report(others, ": no CSV file has such an extension")
    report(folders.sorted(), ": subfolders are described only with --recursive")
    return found
  }

  private mutating func report(_ names: [String], _ reason: String) {
    guard !names.isEmpty else { return }
    let more = names.count - Self.shownNames
    skipped.append(
      names.prefix(Self.shownNames).map(\.escapedForMessage).joined(separator: ", ")
        + (more > 0 ? " and \(more.grouped) more" : "") + reason)
  }

  private static let shownNames = 3

  private static func files(
    in folder: String, below parent: String, _ isRecursive: Bool
  ) throws(IngestError) -> [SourceFolder.File] {
    var files: [SourceFolder.File] = []
    for entry in try SourceFolder.files(in: folder) where !entry.name.hasBytePrefix(".") {
      let file = SourceFolder.File(name: parent + entry.name, path: entry.path)
      let kind = (try? status(of: file.path, followsLinks: false))?.st_mode ?? 0
      if kind & S_IFMT == S_IFDIR, !isRecursive {
        files.append(SourceFolder.File(name: file.name + "/", path: file.path))
      } else if kind & S_IFMT == S_IFDIR {
        files += try Self.files(in: file.path, below: file.name + "/", isRecursive)
      } else {
        files.append(file)
      }
    }
    return files
  }

  /// Why an archive in a folder is not the source file of a table; nil if it contains only one, as that of `TABLE.zip`.
  private static func reasonToSkip(archive: SourceFolder.File) -> String? {
    do throws(IngestError) {
      let files = try SourceFolder.files(inArchive: archive.path, [])
      guard files.count == 1 else {
        let advice = files.isEmpty ? "" : ". Describe them with --source \(archive.path)."
        return "\(archive.name): it contains \(files.count.of("file"))\(advice)"
      }
      let isTable = table(of: split(files[0].name).name, isArchive: true) != nil
      return isTable
        ? nil
        : "\(archive.name): it contains \(files[0].name.escapedForMessage), which is not a CSV file by its name"
    } catch {
      return error.message
    }
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

  /// The bytes of a number after the name of a table.
  private static let longestNumber = 5

  /// A name that no other table has, in any ASCII case, and that is neither reserved nor too long for a description.
  private static func tableName(_ name: String, besides names: inout Set<String>) -> String {
    let isReserved = reservedPrefixes.contains(where: name.hasNamePrefix)
    var base = isReserved ? "table_" + name : name
    while fileName(ofTable: base).utf8.count > maximumTableFileNameBytes - longestNumber {
      base.unicodeScalars.removeLast()
    }
    var number = 1
    while true {
      let unique = number == 1 ? base : "\(base)_\(number)"
      if names.insert(unique.lowercased()).inserted { return unique }
      number += 1
    }
  }
}
