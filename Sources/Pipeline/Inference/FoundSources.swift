import SourceFiles
import Facts
import Files
import SQLiteSwiftly

struct FoundSource {
  let table: String
  let file: SourceFolder.File
}

struct FoundSources {
  let dumps: [FoundSource]
  let name: String

  private static let endings = [
    ".csv.gz", ".csv.zip", ".csv", ".txt.gz", ".txt", ".tsv.gz", ".tsv",
  ]

  init(in source: String) throws(IngestError) {
    let isArchive = SourceFolder.isArchive(source)
    let files =
      isArchive ? try SourceFolder.files(inArchive: source, []) : try SourceFolder.files(in: source)
    let dumps: [FoundSource] = files.compactMap { file in
      let ending = Self.endings.first { file.name.hasSuffix($0) && file.name.count > $0.count }
      guard let ending, !file.name.hasPrefix("."), !(isArchive && ending.hasSuffix("z")) else {
        return nil
      }
      return FoundSource(table: String(file.name.dropLast(ending.count)), file: file)
    }
    self.dumps = dumps.sorted { ($0.table, $0.file.name) < ($1.table, $1.file.name) }
    guard !dumps.isEmpty else {
      throw IngestError(
        .inputMissing, code: .fileMissing,
        "\(source): there is no dump. Files whose names end in "
          + Self.endings.dropLast().joined(separator: ", ")
          + " or \(Self.endings[Self.endings.count - 1]) are described. Check --source.")
    }
    for (dump, next) in zip(self.dumps, self.dumps.dropFirst()) where dump.table == next.table {
      throw IngestError(
        .data, code: .fileAmbiguous,
        "\(source): two files for one table: \(dump.file.name) and \(next.file.name). "
          + "Remove the one that is not meant.")
    }
    let last = split(source.hasSuffix("/") ? String(source.dropLast()) : source).name
    name = isArchive && last.lowercased().hasSuffix(".zip") ? String(last.dropLast(4)) : last
  }
}
