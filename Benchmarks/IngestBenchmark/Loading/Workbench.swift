import Schema
import RebrickableCatalog
import SQLiteSwiftly

/// The environment of the subjects: source files, a folder, and the number of rounds.
final class Workbench {
  let dumps: Dumps
  let folder: String
  let rounds: Int
  /// Rows of inventory_parts in the dumps.
  let rows: Int
  /// This program, which runs again wherever a process of its own is measured.
  let executable: String

  init(
    folder: String, rounds: Int, rows: Int, executable: String = "/proc/self/exe"
  ) {
    self.folder = folder
    self.rounds = rounds
    self.rows = rows
    self.executable = executable
    dumps = Dumps(in: folder)
  }

  /// The dumps of the usual size.
  func dumps(_ form: Dumps.Form) throws -> String { try dumps.folder(rows: rows, form) }

  /// What is in the dumps of the usual size.
  var contents: DumpContents {
    get throws { try dumps.contents(rows: rows) }
  }

  /// A path at which there is no file, nor a journal of one.
  func freshPath(_ name: String) -> String {
    let path = "\(folder)/\(name)"
    removeFile(path)
    return path
  }

  /// The first records of inventory_parts, read and checked by the pipeline.
  private(set) lazy var someParts = Result { try PartRows(of: self) }
}

extension RebrickableCatalog {
  /// The place of inventory_parts in the schema.
  static let inventoryPartsIndex =
    schema.tables.firstIndex { $0.name == inventoryParts.name } ?? 0
}
