import SQLiteDestination
import RebrickableCatalog
import SchemaDocuments

struct MetadataCommand {
  let form: MetadataForm

  func run() -> ExitStatus { Console.output.print(text.lines) ? .published : .inputOutput }

  private var text: String {
    var document = RebrickableCatalog.document
    document.internals = Provenance.tables
    return switch form {
    case .dictionary:
      document.dictionary(diagram: "tables", printedBy: "ingest metadata --dictionary")
    case .diagram: document.picture
    case .datasette(let database): document.datasetteMetadata(database: database)
    }
  }
}
