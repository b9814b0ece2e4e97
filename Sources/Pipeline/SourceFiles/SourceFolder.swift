package import Facts
package import Files
import Glibc
import Compression
package import Schema

/// A folder of dumps, or one ZIP archive of all of them: which files hold which table.
package struct SourceFolder: Sendable {
  package struct File: Equatable, Sendable {
    package let name: String
    /// Where it is, for messages; a file in an archive has the path of the archive before its own.
    package let path: String
    /// The archive of all dumps that it is in; nil for a file of its own.
    var archive: Archive?
    /// How it is compressed, whatever it is called; nil if its name says that.
    package var compression: SourceDescription.Compression?
    package var layout = SourceLayout.usual
    /// The folder out of which no link may lead to it; nil if the operator has named the file, or where it is.
    package var base: String?
    /// Its bytes, if they are not in a file but in a description.
    package var content: [UInt8]?

    package init(
      name: String, path: String, layout: SourceLayout = .usual, base: String? = nil,
      content: [UInt8]? = nil
    ) {
      self.name = name
      self.path = path
      self.layout = layout
      self.base = base
      self.content = content
    }

    var storedPath: String { archive?.path ?? path }

    /// What the description or its name says of the bytes.
    package var format: StoredFormat {
      if archive != nil { return .zip }
      return compression.map { StoredFormat($0) } ?? StoredFormat(ofName: name)
    }

    /// Its bytes as they are stored; what cannot be looked at cannot be opened either, which is told in its turn.
    package var storedSize: Int {
      archive?.entry.compressedSize ?? content?.count
        ?? Int((try? status(of: path))?.st_size ?? 0)
    }

    package func open() throws(FileError) -> FileReader {
      guard let base else { return try FileReader(path: storedPath) }
      return try FileReader(path: name, beneath: base)
    }
  }

  /// The files of each table of the schema, in its order; none for a table that may be missing.
  package let files: [[File]]
  /// What the dump of each table is called if there is only one: where there is none, the name that it would have.
  package let expectedNames: [String]
  /// The files that look like dumps of tables which the schema does not know.
  package let unknown: [File]

  /// Looks for the dumps of all tables: in a folder each as `TABLE.csv.gz`, `TABLE.csv`, `TABLE.csv.zip` or
  /// `TABLE.zip`, in an archive as `TABLE.csv`, or where the description of the table says.
  ///
  /// - Throws: `IngestError` that names every table without a file, and every one with two; and for an
  ///   archive that cannot be read, or a description that leads out of the folder.
  package init(
    _ path: String, sources: [SourceDescription], allowedMissing: AllowedMissing
  ) throws(IngestError) {
    let isArchive = Self.isArchive(path)
    let stored = try isArchive ? Self.files(inArchive: path, sources) : Self.files(in: path)
    expectedNames = Self.expectedNames(of: sources, among: stored, isArchive: isArchive)
    var files: [[File]] = []
    var missing: [(source: SourceDescription, name: String)] = []
    var ambiguous: [String] = []
    for (source, expected) in zip(sources, expectedNames) {
      let mayBeMissing = source.isOptional || allowedMissing.contains(source.table)
      var found: [File] = []
      switch source.place {
      case .named:
        let endings = Self.endings(of: source, isArchive: isArchive)
        found = endings.compactMap { ending in stored.first { $0.name == source.table + ending } }
        if found.count > 1 { ambiguous.append(found.map(\.name).joined(separator: " and ")) }
        if found.isEmpty, !mayBeMissing { missing.append((source, expected)) }
        found = Array(found.prefix(1))
      case .files(let names):
        try Self.check(names, of: source.table)
        let places = names.map { name in
          isArchive ? stored.first { $0.name == name } : Self.file(name, beneath: path)
        }
        found = places.compactMap(\.self)
        for place in found.indices { found[place].compression = source.compression }
        guard found.count < names.count, !(found.isEmpty && mayBeMissing) else { break }
        missing += zip(names, places).filter { $0.1 == nil }.map { (source, $0.0) }
      case .inline(let bytes):
        let name = "inline data of \(source.table)"
        files.append([File(name: name, path: name, content: bytes)])
        continue
      }
      let layout = try SourceLayout(of: source)
      for place in found.indices { found[place].layout = layout }
      files.append(found)
    }
    guard ambiguous.isEmpty else {
      throw IngestError(
        .data, code: .fileAmbiguous,
        "\(path): two files for one table: \(ambiguous.joined(separator: ", ")). "
          + "Remove the one that is not meant.")
    }
    guard missing.isEmpty else { throw Self.absence(of: missing, among: stored, in: path, sources) }
    guard files.contains(where: { !$0.isEmpty }) else {
      throw IngestError(
        .inputMissing, code: .fileMissing,
        "\(path): there is no dump at all. \(Self.otherSource(stored, in: path, sources))Check --source."
      )
    }
    self.files = files
    unknown = Self.unknown(among: stored, besides: files.joined().map(\.name), sources)
  }

  /// What follows the name of a table in that of its dump.
  package static func endings(of source: SourceDescription, isArchive: Bool) -> [String] {
    let plain = source.ending
    return isArchive ? [plain] : StoredFormat.allCases.map { plain + $0.ending } + [".zip"]
  }

  /// The names that the dumps of tables would have: with the ending that most of those have which are there.
  private static func expectedNames(
    of sources: [SourceDescription], among stored: [File], isArchive: Bool
  ) -> [String] {
    let names = Set(stored.map(\.name))
    let candidates = sources.map { source in
      endings(of: source, isArchive: isArchive).map { source.table + $0 }
    }
    let counts = (candidates.first ?? []).indices.map { ending in
      candidates.count { names.contains($0[ending]) }
    }
    let usual = counts.indices.max { counts[$0] < counts[$1] } ?? 0
    return zip(sources, candidates).map { source, candidates in
      if case .files(let names) = source.place, let name = names.first { return name }
      return candidates[usual]
    }
  }

  private static func absence(
    of missing: [(source: SourceDescription, name: String)], among stored: [File], in path: String,
    _ sources: [SourceDescription]
  ) -> IngestError {
    IngestError(
      .inputMissing, code: .fileMissing,
      "\(path): not there: \(listed(missing.map(\.name.escapedForMessage))). "
        + hints(for: missing.map(\.source), among: stored, in: path, sources)
        + "Download what is missing, or leave the tables empty with --allow-missing TABLE.")
  }

  /// The names, or the first of very many.
  private static func listed(_ names: [String]) -> String {
    let most = 100
    let others = names.count - most
    return names.prefix(most).joined(separator: ", ")
      + (others > 0 ? " and \(others.grouped) more" : "")
  }

  /// Files that look like dumps; if no table is looked for by its name, any file may be there.
  private static func unknown(
    among stored: [File], besides known: [String], _ sources: [SourceDescription]
  ) -> [File] {
    let plain = Set(sources.filter { $0.place == .named }.map(\.ending))
    let known = Set(known)
    return stored.filter { file in
      let isDump = plain.contains { ending in
        StoredFormat.allCases.contains { file.name.hasSuffix(ending + $0.ending) }
      }
      return isDump && !known.contains(file.name)
    }
  }

  package static func files(in path: String) throws(IngestError) -> [File] {
    do throws(FileError) {
      return try folderEntries(path).map { File(name: $0, path: "\(path)/\($0)") }
    } catch {
      let kind = IngestError.Kind.of(error.code, otherwise: .inputMissing)
      throw IngestError(
        kind, code: kind == .inputMissing ? .fileMissing : nil,
        "\(path): the folder of the dumps cannot be read: \(error.message). Check --source.")
    }
  }

  // MARK: - Files that a description names

  /// The file of a name in a folder; nil if there is none.
  private static func file(_ name: String, beneath folder: String) -> File? {
    let path = "\(folder)/\(name)"
    // What cannot be looked at cannot be opened either, which is told then.
    if case .success(.none) = Result(catching: { try status(of: path, followsLinks: false) }) {
      return nil
    }
    return File(name: name, path: path, base: folder)
  }

  /// Refuses names that lead out of the folder, and those that are there twice.
  private static func check(
    _ names: [String], of table: String
  ) throws(IngestError) {
    var seen: Set<[UInt8]> = []
    for name in names {
      guard isPathBeneath(name) else {
        throw IngestError(
          .data, code: .fileUnreadable,
          "\(table): the description has its records in \(name.quotedForMessage), where a path from "
            + "the folder of the dumps downwards is expected, as data/\(table).csv. Nothing was "
            + "read. Correct the description.")
      }
      guard seen.insert(Array(name.utf8)).inserted else {
        throw IngestError(
          .data, code: .fileAmbiguous,
          "\(table): the description has the file \(name.quotedForMessage) twice, and so each of its "
            + "records. Nothing was read. Correct the description.")
      }
    }
  }
}
