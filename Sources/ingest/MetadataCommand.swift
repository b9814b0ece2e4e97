import RebrickableCatalog
import DataPackage
import Provenance

/// `ingest metadata`: prints the documentation of a family of tables.
struct MetadataCommand {
  let form: MetadataForm
  let family: Family
  let choice: SchemaChoice

  func run() -> ExitStatus { Console.printResults(text.lines) }

  private var text: String {
    var document =
      choice == .rebrickable
      ? RebrickableCatalog.document : SchemaDocument(of: family.schema, title: family.name)
    document.internals = Provenance.tables
    return switch form {
    case .dictionary:
      document.dictionary(diagram: "tables", printedBy: "ingest metadata --dictionary")
    case .diagram: document.picture
    case .datasette(let database): document.datasetteMetadata(database: database)
    }
  }
}
