import Validation
import SourceFiles
package import Facts
import Files
import Glibc
import SQLiteSwiftly
package import Schema

/// A folder of repairs, which every run applies to the source files.
///
/// Each table can have a file for each kind of repair, `TABLE.add.csv`, `TABLE.replace.csv` and `TABLE.leave-out.csv`, with
/// the header of the source file.
package struct RepairsFolder: Sendable {
  package let path: String
  /// The files, ordered by table as in the schema.
  package let files: [RepairFile]

  /// Reads a folder; throws `repair-invalid` for an unreadable one, or for an unknown or invalid file.
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
      throw .repairsFileUnknown(self.path, unknown, tables: schema.sources.fileNames)
    }
    self.files = files
  }

  package static func name(of table: String, _ kind: RepairKind) -> String {
    "\(fileName(ofTable: table)).\(kind.rawValue).csv"
  }

  /// The names of files that must be repairs.
  ///
  /// Files that begin with a dot or end in a tilde belong to editors or version control, and a README may document the
  /// repairs.
  private static func names(in path: String) throws(IngestError) -> [String] {
    do throws(FileError) {
      return try folderEntries(path).filter { name in
        !name.hasPrefix(".") && !name.hasSuffix("~") && name != "README" && name != "README.md"
          && name != "README.txt"
      }
    } catch {
      throw .repairsFolderUnreadable(path, error)
    }
  }

  package static func exists(_ path: String) throws(IngestError) -> Bool {
    try size(of: path) != nil
  }

  /// The size of the file at a path; nil if there is none.
  package static func size(of path: String) throws(IngestError) -> Int? {
    do throws(FileError) {
      return try status(of: path).map { Int($0.st_size) }
    } catch {
      throw .repairsFailed(path, "checked", error.code)
    }
  }

  package static func make(_ path: String) throws(IngestError) {
    guard unsafe mkdir(path, 0o777) != 0, errno != EEXIST else { return }
    throw .repairsFailed(path, "created", errno)
  }

  package func files(of table: String) -> [RepairFile] { files.filter { $0.table == table } }
}

extension [SourceDescription] {
  var fileNames: String { map { fileName(ofTable: $0.table) }.joined(separator: ", ") }
}
