import Inference
import Facts
import DataPackage
import Files
import IngestReport
import RebrickableCatalog
import SQLiteSwiftly
import Schema

enum DescribeForm: Equatable {
  /// The CSV files of a folder or archive, as a family of that name.
  case files(String, name: String?)
  case rebrickable
  case gtfs
}

/// `ingest describe`: prints a description of CSV files.
struct DescribeCommand {
  let form: DescribeForm

  func run() throws(IngestError) -> ExitStatus {
    Console.output.write(try text()) ? .published : .inputOutput
  }

  private func text() throws(IngestError) -> String {
    switch form {
    case .gtfs: return String(decoding: Family.gtfs, as: UTF8.self)
    case .rebrickable:
      return DataPackage.json(of: RebrickableCatalog.schema, name: "rebrickable")
    case .files(let source, let name):
      let inferred = try FamilyInference(options: InferenceOptions(source: source)).run()
      printDoubts(of: inferred)
      let schema = inferred.schema.withPaths(below: source)
      return DataPackage.json(of: schema, name: name ?? inferred.name)
    }
  }

  /// Prints skipped files and doubtful inferences to standard error.
  private func printDoubts(of inferred: InferredFamily) {
    let skipped = inferred.skipped.map { "skipped: \($0)" }
    let doubts = inferred.tables.flatMap { table in
      table.doubts.map { "\(table.table): \($0)" }
    }
    Log(.text).print(skipped + doubts, .warning)
  }
}

extension SchemaDescription {
  /// The schema with paths relative to the current folder, where the description will most likely be saved; paths
  /// must not lead outside its folder.
  fileprivate func withPaths(below folder: String) -> SchemaDescription {
    let steps = folder.split(separator: "/")
    guard !folder.hasPrefix("/"), !steps.contains(".."), !folder.lowercased().hasSuffix(".zip")
    else { return self }
    let prefix = steps.filter { $0 != "." }.map { $0 + "/" }.joined()
    var schema = self
    for index in sources.indices {
      guard case .files(let names) = sources[index].place else { continue }
      schema.sources[index].place = .files(names.map { prefix + $0 })
    }
    return schema
  }
}
