import Files
package import SQLiteSwiftly

/// A folder of dumps, or one ZIP archive of all of them: which file holds which table.
package struct DumpFolder: Sendable {
  /// The dump of one table.
  struct File: Equatable, Sendable {
    /// Its name in the folder.
    let name: String
    /// Where it is, for messages; a file in an archive has the path of the archive before its own.
    let path: String
    /// The archive of all dumps that it is in; nil for a file of its own.
    var archive: Archive?

    /// The file that is opened.
    var storedPath: String { archive?.path ?? path }

    /// What its name says of the bytes.
    var format: Format {
      if archive != nil || name.hasSuffix(".zip") { return .zip }
      return name.hasSuffix(".gz") ? .gzip : .plain
    }
  }

  enum Format { case plain, gzip, zip }

  /// What follows the name of a table in that of its dump.
  static let endings = [".csv.gz", ".csv", ".csv.zip", ".zip"]
  private static let endingsInArchive = [".csv"]

  /// The file of each table of the schema, in its order; nil for a table that may be missing.
  let files: [File?]
  /// The files that look like dumps of tables which the schema does not know.
  let unknown: [File]

  /// Looks for the dumps of all tables: in a folder each as `TABLE.csv.gz`, `TABLE.csv`, `TABLE.csv.zip` or
  /// `TABLE.zip`, in an archive as `TABLE.csv`.
  ///
  /// - Throws: `IngestError` that names every table without a file, and every one with two; and for an
  ///   archive that cannot be read.
  package init(
    _ path: String, tables: [TableDescription], allowedMissing: AllowedMissing
  ) throws(IngestError) {
    let isArchive = Self.isArchive(path)
    let stored = try isArchive ? Self.files(inArchive: path, tables) : Self.files(in: path)
    let endings = isArchive ? Self.endingsInArchive : Self.endings
    var files: [File?] = []
    var missing: [String] = []
    var ambiguous: [String] = []
    for table in tables.map(\.name) {
      let found = endings.compactMap { ending in stored.first { $0.name == table + ending } }
      if found.count > 1 { ambiguous.append(found.map(\.name).joined(separator: " and ")) }
      if found.isEmpty, !allowedMissing.contains(table) { missing.append(table) }
      files.append(found.first)
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
        "\(path): not there: \(missing.map { $0 + endings[0] }.joined(separator: ", ")). "
          + Self.hints(for: missing, among: stored, in: path, tables)
          + "Download what is missing, or leave the tables empty with --allow-missing TABLE.")
    }
    guard files.contains(where: { $0 != nil }) else {
      throw IngestError(
        .inputMissing, code: .fileMissing,
        "\(path): there is no dump at all. \(Self.otherSource(stored, in: path, tables))Check --source."
      )
    }
    self.files = files
    let known = Set(files.compactMap(\.?.name))
    unknown = stored.filter { file in
      let isDump = endings.contains { $0.hasPrefix(".csv") && file.name.hasSuffix($0) }
      return isDump && !known.contains(file.name)
    }
  }

  /// The files in a folder.
  private static func files(in path: String) throws(IngestError) -> [File] {
    do throws(FileError) {
      return try folderEntries(path).map { File(name: $0, path: "\(path)/\($0)") }
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
