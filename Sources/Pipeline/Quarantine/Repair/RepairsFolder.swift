import Validation
import SourceFiles
package import Facts
import Files
import Glibc
import SQLiteSwiftly
package import Schema

/// A folder of standing repairs: what is corrected in the dumps every night.
///
/// For each table there can be a file for each kind of repair, `TABLE.add.csv`, `TABLE.replace.csv` and
/// `TABLE.leave-out.csv`, with the dump's own header.
package struct RepairsFolder: Sendable {
  package let path: String
  /// The files, table by table in the schema's order.
  package let files: [RepairFile]

  /// Reads a folder; throws `repair-invalid` for one that cannot be read, or has a file that is not understood.
  package init(
    _ path: String, _ schema: SchemaDescription, recordLimit: Int
  ) throws(IngestError) {
    self.path = withoutSlashes(path)
    let names = try Self.names(in: self.path)
    var files: [RepairFile] = []
    var known: Set<String> = []
    for (table, source) in zip(schema.tables, schema.sources) {
      let layout = try SourceLayout(of: source).ofRecordsAlone
      for kind in RepairKind.allCases {
        let name = Self.name(of: table.name, kind)
        guard names.contains(name) else { continue }
        known.insert(name)
        let file = SourceFolder.File(name: name, path: "\(self.path)/\(name)", layout: layout)
        files.append(try RepairFile(file, of: table, kind, recordLimit: recordLimit))
      }
    }
    if let unknown = names.first(where: { !known.contains($0) }) {
      throw IngestError(
        .data, code: .repairInvalid,
        "\(self.path): \(unknown.quotedForMessage) is not understood. Nothing was published. "
          + "A file of repairs is called TABLE.add.csv, TABLE.replace.csv or TABLE.leave-out.csv; the "
          + "tables are \(schema.sources.fileNames). Rename it, or take it out of the "
          + "folder.")
    }
    self.files = files
  }

  package static func name(of table: String, _ kind: RepairKind) -> String {
    "\(fileName(ofTable: table)).\(kind.rawValue).csv"
  }

  /// The names that have to be understood.
  ///
  /// What begins with a dot or ends in a tilde is an editor's, or that of a version control; and somebody
  /// may say in a file README why the repairs are there.
  private static func names(in path: String) throws(IngestError) -> [String] {
    do throws(FileError) {
      return try folderEntries(path).filter { name in
        !name.hasPrefix(".") && !name.hasSuffix("~") && name != "README" && name != "README.md"
          && name != "README.txt"
      }
    } catch {
      let kind = IngestError.Kind.of(error.code, otherwise: .inputMissing)
      throw IngestError(
        kind, code: kind == .inputMissing ? .repairInvalid : nil,
        "\(path): the folder of the repairs cannot be read: \(error.message). Nothing was published. "
          + "Check --repairs.")
    }
  }

  package static func exists(_ path: String) throws(IngestError) -> Bool {
    try size(of: path) != nil
  }

  /// The bytes of what is at a path; nil if nothing is there.
  package static func size(of path: String) throws(IngestError) -> Int? {
    do throws(FileError) {
      return try status(of: path).map { Int($0.st_size) }
    } catch {
      throw IngestError(
        .of(error.code, otherwise: .output), "\(path): cannot be looked at: \(error.message).")
    }
  }

  package static func make(_ path: String) throws(IngestError) {
    guard unsafe mkdir(path, 0o777) != 0, errno != EEXIST else { return }
    throw IngestError(
      .of(errno, otherwise: .output),
      "\(path): the folder of the repairs cannot be created: \(systemError()).")
  }

  package func files(of table: String) -> [RepairFile] { files.filter { $0.table == table } }
}

extension [SourceDescription] {
  var fileNames: String { map { fileName(ofTable: $0.table) }.joined(separator: ", ") }
}
