import Validation
import SourceFiles
package import Vocabulary
import Platform
import Glibc
import SQLiteSwiftly
package import Schema
import Text

/// A folder of repairs, with a file `TABLE.add.csv`, `TABLE.replace.csv` or `TABLE.leave-out.csv` for each kind, under
/// the header of the source file.
package struct RepairsFolder: Sendable {
  package let path: String
  /// The files, ordered by table as in the schema.
  package let files: [RepairFile]

  package init(_ path: String, _ schema: SchemaDescription, recordLimit: Int) throws(IngestError) {
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

  /// Files that begin with a dot or end in a tilde belong to editors or version control, and a README may document the
  /// repairs.
  private static func names(in path: String) throws(IngestError) -> [String] {
    try mapError(folderEntries(path), as: { .repairsFolderUnreadable(path, $0) }).filter { name in
      !name.hasBytePrefix(".") && !name.hasByteSuffix("~")
        && !["README", "README.md", "README.txt"].contains(name)
    }
  }

  static func size(of path: String) throws(IngestError) -> Int? {
    try mapError(status(of: path), as: { .repairsFailed(path, "checked", $0) })
      .map { Int($0.st_size) }
  }

  static func make(_ path: String) throws(IngestError) {
    guard unsafe mkdir(path, 0o777) != 0, errno != EEXIST else { return }
    throw .repairsFailed(path, "created")
  }

  package func files(of table: String) -> [RepairFile] { files.filter { $0.table == table } }
}

extension [SourceDescription] {
  var fileNames: String { map { fileName(ofTable: $0.table) }.joined(separator: ", ") }
}
