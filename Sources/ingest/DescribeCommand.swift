import DataPackage
import Files
import IngestPipeline
import RebrickableCatalog

/// What is described.
enum DescribeForm: Equatable {
  /// The dumps of a folder or an archive, which become a family of that name.
  case dumps(String, name: String?)
  case rebrickable
  case gtfs
}

/// `ingest describe`: prints a description of dumps.
struct DescribeCommand {
  private let form: DescribeForm

  init(_ form: DescribeForm) { self.form = form }

  func run() -> ExitStatus {
    do throws(IngestError) {
      return Console.output.print(try text()) ? .published : .inputOutput
    } catch {
      Messages(.normal).showFailures([error])
      return ExitStatus(error.kind)
    }
  }

  private func text() throws(IngestError) -> String {
    switch form {
    case .gtfs: return String(decoding: Family.gtfs, as: UTF8.self)
    case .rebrickable: return DataPackage.json(of: RebrickableCatalog.schema, name: "rebrickable")
    case .dumps(let source, let name):
      throw IngestError(.fault, "\(source) \(name ?? "")")
    }
  }
}
