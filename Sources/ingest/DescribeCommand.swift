import Inference
import Vocabulary
import DataPackage
import Platform
import Glibc
import IngestReport
import RebrickableCatalog
import SQLiteSwiftly
import SourceFiles
import Schema
import Text

enum DescribeForm: Equatable {
  /// The CSV files of a folder or archive, as a family of that name.
  case files(InferenceOptions, name: String?, isVerbose: Bool)
  case rebrickable
  case gtfs
}

/// `ingest describe`: prints a description of CSV files.
struct DescribeCommand {
  let form: DescribeForm

  func run() throws(IngestError) -> ExitStatus { Console.writeResults(try text()) }

  private func text() throws(IngestError) -> String {
    switch form {
    case .gtfs: return String(decoding: Family.gtfs, as: UTF8.self)
    case .rebrickable:
      return DataPackage.json(of: RebrickableCatalog.schema, name: "rebrickable")
    case .files(let options, let name, let isVerbose):
      let inferred = try FamilyInference(options: options).run()
      printNotes(about: inferred, isVerbose: isVerbose)
      let schema = inferred.schema.withPaths(below: options.source)
      return DataPackage.json(of: schema, name: name ?? inferred.name)
    }
  }

  /// Prints skipped files and doubtful inferences to standard error, and the evidence for each column if asked to.
  private func printNotes(about inferred: InferredFamily, isVerbose: Bool) {
    let skipped = inferred.skipped.map { "skipped: \($0)" }
    let doubts = inferred.tables.flatMap { table in
      table.doubts.map { "\(table.table): \($0.words)" }
    }
    Log(.text).print(skipped + doubts, .warning)
    guard isVerbose else { return }
    for table in inferred.schema.tables {
      let evidence = table.columns.map { "\(table.name).\($0.name): \($0.meaning ?? "")" }
      Log(.text).print(["\(table.name): \(table.meaning ?? "")"] + evidence, .info)
    }
  }
}

extension SchemaDescription {
  /// The schema with paths relative to the folder of its description.
  ///
  /// That is the folder of the file at standard output, or the current one. Files outside of it have no folder in their
  /// paths, for a later --source.
  fileprivate func withPaths(below source: String) -> SchemaDescription {
    guard let folder = existingPath(source), let place = descriptionFolder,
      !SourceFolder.isArchive(source), (folder + "/").hasBytePrefix(place)
    else { return self }
    let prefix = (folder + "/").dropping(prefix: place)
    // A description cannot name a hidden folder.
    guard !("/" + prefix).contains("/.") else { return self }
    var schema = self
    for index in sources.indices {
      guard case .files(let names) = sources[index].place else { continue }
      schema.sources[index].place = .files(names.map { prefix + $0 })
    }
    return schema
  }

  /// The folder of the file at standard output, or the current one, with a slash at its end.
  private var descriptionFolder: String? {
    if let path = existingPath("/proc/self/fd/1"), let status = try? status(of: path),
      status.st_mode & S_IFMT == S_IFREG
    {
      return split(path).folder
    }
    return existingPath(".").map { $0 == "/" ? $0 : $0 + "/" }
  }
}
