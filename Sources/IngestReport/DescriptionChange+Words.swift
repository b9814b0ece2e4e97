import Vocabulary
import DataPackage

extension DescriptionChange {
  package var instruction: String {
    switch self {
    case .column(let column, let table):
      "add to the fields of \(table): \(DataPackage.field(of: column))"
    case .table(let table, let source):
      "add to the resources: \(DataPackage.resource(of: table, source))"
    }
  }
}
