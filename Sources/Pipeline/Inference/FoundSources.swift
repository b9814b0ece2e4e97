import SourceFiles
import Facts
import Files
import SQLiteSwiftly

struct FoundSource {
  let table: String
  let file: SourceFolder.File
}

struct FoundSources {
  let sources: [FoundSource]
  let name: String

  private static let endings = [
    ".csv.gz", ".csv.zip", ".csv", ".txt.gz", ".txt", ".tsv.gz", ".tsv",
  ]

  init(in source: String) throws(IngestError) {
    let isArchive = SourceFolder.isArchive(source)
    let files =
      isArchive ? try SourceFolder.files(inArchive: source, []) : try SourceFolder.files(in: source)
    let sources: [FoundSource] = files.compactMap { file in
      let ending = Self.endings.first { file.name.hasSuffix($0) && file.name.count > $0.count }
      guard let ending, !file.name.hasPrefix("."), !(isArchive && ending.hasSuffix("z")) else {
        return nil
      }
      return FoundSource(table: String(file.name.dropLast(ending.count)), file: file)
    }
    self.sources = sources.sorted { ($0.table, $0.file.name) < ($1.table, $1.file.name) }
    guard !sources.isEmpty else {
      throw .noSourceFile(source, endings: Self.endings)
    }
    for (file, next) in zip(self.sources, self.sources.dropFirst())
    where file.table == next.table {
      throw .twoFilesForTable(source, file.file.name, next.file.name)
    }
    let last = split(source.hasSuffix("/") ? String(source.dropLast()) : source).name
    name = isArchive && last.lowercased().hasSuffix(".zip") ? String(last.dropLast(4)) : last
  }
}
