import Files
package import SQLiteSwiftly

/// A folder of dumps: which file holds which table.
package struct DumpFolder: Sendable {
  /// The dump of one table.
  struct File: Equatable, Sendable {
    /// Its name in the folder.
    let name: String
    /// Where it is.
    let path: String
    /// Whether its name says that it is compressed.
    var isCompressed: Bool { name.hasSuffix(".gz") }
  }

  /// The file of each table of the schema, in its order; nil for a table that may be missing.
  let files: [File?]
  /// The files that look like dumps of tables which the schema does not know.
  let unknown: [File]

  /// Looks for the dumps of all tables, each as `TABLE.csv.gz` or `TABLE.csv`.
  ///
  /// - Throws: `IngestError` that names every table without a file, and every one with two.
  package init(
    _ path: String, tables: [TableDescription], allowedMissing: AllowedMissing
  ) throws(IngestError) {
    let names = try Self.names(in: path)
    var files: [File?] = []
    var missing: [String] = []
    var ambiguous: [String] = []
    for table in tables.map(\.name) {
      let found = ["\(table).csv.gz", "\(table).csv"].filter(names.contains)
      if found.count > 1 { ambiguous.append(found.joined(separator: " and ")) }
      if found.isEmpty, !allowedMissing.contains(table) { missing.append("\(table).csv.gz") }
      files.append(found.first.map { File(name: $0, path: "\(path)/\($0)") })
    }
    guard ambiguous.isEmpty else {
      throw IngestError(
        .data, code: .fileAmbiguous,
        "\(path): two files for one table: \(ambiguous.joined(separator: ", ")). "
          + "Remove the one that is not meant.")
    }
    guard missing.isEmpty else {
      throw IngestError(
        .inputMissing, code: .fileMissing,
        "\(path): not there: \(missing.joined(separator: ", ")). "
          + Self.hints(for: missing, among: names, in: path, tables)
          + "Download what is missing, or leave the tables empty with --allow-missing TABLE.")
    }
    guard files.contains(where: { $0 != nil }) else {
      throw IngestError(
        .inputMissing, code: .fileMissing,
        "\(path): there is no dump at all. \(Self.otherFolder(near: path, tables))Check --source.")
    }
    self.files = files
    let known = Set(files.compactMap(\.?.name))
    let unknown = names.filter { name in
      !known.contains(name) && (name.hasSuffix(".csv") || name.hasSuffix(".csv.gz"))
    }
    self.unknown = unknown.map { File(name: $0, path: "\(path)/\($0)") }
  }

  /// The names in a folder.
  static func names(in path: String) throws(IngestError) -> [String] {
    do throws(FileError) {
      return try folderEntries(path)
    } catch {
      let kind = IngestError.Kind.of(error.code, otherwise: .inputMissing)
      throw IngestError(
        kind, code: kind == .inputMissing ? .fileMissing : nil,
        "\(path): the folder of the dumps cannot be read: \(error.message). Check --source.")
    }
  }
}

/// The tables that a folder of dumps may lack.
package enum AllowedMissing: Equatable, Sendable {
  /// All of them.
  case all
  /// Those of the set.
  case tables(Set<String>)

  func contains(_ table: String) -> Bool {
    switch self {
    case .all: true
    case .tables(let tables): tables.contains(table)
    }
  }
}
