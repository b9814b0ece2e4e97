import Inference
import Facts
import DataPackage
import Files
import IngestReport
import RebrickableCatalog
import SQLiteSwiftly
import Schema

enum DescribeForm: Equatable {
  /// The dumps of a folder or an archive, which become a family of that name.
  case dumps(String, name: String?)
  case rebrickable
  case gtfs
}

/// `ingest describe`: prints a description of dumps.
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
    case .dumps(let source, let name):
      let inferred = try FamilyInference(options: InferenceOptions(source: source)).run()
      tell(inferred)
      let schema = inferred.schema.found(below: source)
      return DataPackage.json(of: schema, name: name ?? inferred.name)
    }
  }

  /// Says on standard error what a reader of the description should know before it is used.
  private func tell(_ inferred: InferredFamily) {
    let passedOver = inferred.skipped.map { "passed over: \($0)" }
    let doubts = inferred.tables.flatMap { table in
      table.doubts.map { "\(table.table): \($0)" }
    }
    Log(.text).tell(passedOver + doubts, .warning)
  }
}

extension SchemaDescription {
  /// The schema with the paths that its dumps have from the current folder, in which the description will most likely
  /// be; a description cannot lead out of its own.
  fileprivate func found(below folder: String) -> SchemaDescription {
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
