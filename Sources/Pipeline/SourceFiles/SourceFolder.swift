package import Vocabulary
package import Platform
import Glibc
import Compression
package import Schema
import Text

/// A folder of source files, or one ZIP archive of all of them, and the files of each table.
package struct SourceFolder: Sendable {
  package struct File: Equatable, Sendable {
    package let name: String
    /// Its path for messages; a file in an archive has the path of the archive before its own.
    package let path: String
    var archive: Archive?
    /// Its compression, whatever its name; nil if the name determines it.
    package var compression: SourceDescription.Compression?
    /// The name of its encoding for iconv; nil for UTF-8.
    package var encoding: String?
    /// The size and digest that its description states.
    var claims: SourceDescription.Claims?
    package var layout = SourceLayout.usual
    /// The folder that no link to it may leave; nil if the operator named the file or its folder.
    package var base: String?
    /// Its bytes, if they are in a description instead of a file.
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

    package var format: StoredFormat {
      archive != nil ? .zip : StoredFormat(ofName: compression.map { ".\($0.rawValue)" } ?? name)
    }

    /// Its stored size; 0 if it cannot be determined, since opening the file then fails with its own error.
    package var storedSize: Int {
      archive?.entry.compressedSize ?? content?.count
        ?? Int((try? status(of: path))?.st_size ?? 0)
    }

    package func open() throws(FileError) -> FileReader {
      guard let base else { return try FileReader(path: storedPath) }
      return try FileReader(path: name, beneath: base)
    }
  }

  /// The files of each table, in the order of the schema; none for a table that may be missing.
  package let files: [[File]]
  /// The name of each table's only source file, or its expected name if the file is missing.
  package let expectedNames: [String]
  package let unknown: [File]

  /// Finds the source files of all tables: in a folder `TABLE.csv.gz`, `TABLE.csv`, `TABLE.csv.zip` or `TABLE.zip`, in
  /// an archive `TABLE.csv`, or the files named by the description of the table.
  ///
  /// Throws an error that names every table without a file, or every one with two.
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
      var tableFiles: [File] = []
      switch source.place {
      case .named:
        tableFiles = Self.endings(of: source, isArchive: isArchive).compactMap { ending in
          stored.first { $0.name == source.table + ending }
        }
        if tableFiles.count > 1 {
          ambiguous.append(tableFiles.map(\.name).joined(separator: " and "))
        }
        if tableFiles.isEmpty, !mayBeMissing { missing.append((source, expected)) }
        tableFiles = Array(tableFiles.prefix(1))
      case .files(let names):
        try Self.check(names, of: source.table)
        let places = names.map { name in
          isArchive ? stored.first { $0.name == name } : Self.file(name, beneath: path)
        }
        tableFiles = places.compactMap(\.self)
        for index in tableFiles.indices {
          tableFiles[index].compression = source.compression
          tableFiles[index].claims = source.claims
        }
        guard tableFiles.count < names.count, !(tableFiles.isEmpty && mayBeMissing) else { break }
        missing += zip(names, places).filter { $0.1 == nil }.map { (source, $0.0) }
      case .inline(let bytes):
        let name = "inline data of \(source.table)"
        files.append([File(name: name, path: name, content: bytes)])
        continue
      }
      let layout = try SourceLayout(of: source)
      for index in tableFiles.indices {
        tableFiles[index].layout = layout
        tableFiles[index].encoding = source.encoding
      }
      files.append(tableFiles)
    }
    guard ambiguous.isEmpty else {
      throw IngestError(
        .data, code: .file(.fileAmbiguous),
        "\(path): two files for one table: \(ambiguous.joined(separator: ", ")). Remove the wrong one."
      )
    }
    guard missing.isEmpty else {
      let others = missing.count - Self.shownMissing
      throw IngestError(
        .inputMissing, code: .file(.fileMissing),
        "\(path): missing source files: "
          + missing.prefix(Self.shownMissing).map(\.name.escapedForMessage).joined(separator: ", ")
          + (others > 0 ? " and \(others.grouped) more. " : ". ")
          + Self.hints(for: missing, among: stored, in: path, sources)
          + "Download the missing files, or leave the tables empty with --allow-missing TABLE.")
    }
    guard files.contains(where: { !$0.isEmpty }) else {
      let hint = Self.otherSource(stored, in: path, sources)
      throw IngestError(
        .inputMissing, code: .file(.fileMissing),
        "\(path): no source files found. \(hint)Check --source.")
    }
    self.files = files
    unknown = Self.unknown(among: stored, besides: files.joined().map(\.name), sources)
  }

  private static let shownMissing = 100

  package static func endings(of source: SourceDescription, isArchive: Bool) -> [String] {
    let plain = source.ending
    return isArchive ? [plain] : StoredFormat.allCases.map { plain + $0.ending } + [".zip"]
  }

  /// The expected names of source files, with the most frequent ending among those present.
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

  /// Files that look like source files; none if the description names all files, since others are then allowed.
  private static func unknown(
    among stored: [File], besides known: [String], _ sources: [SourceDescription]
  ) -> [File] {
    let plain = Set(sources.filter { $0.place == .named }.map(\.ending))
    let known = Set(known)
    return stored.filter { file in
      let isSource = plain.contains { ending in
        StoredFormat.allCases.contains { file.name.hasByteSuffix(ending + $0.ending) }
      }
      return isSource && !known.contains(file.name)
    }
  }

  package static func files(in path: String) throws(IngestError) -> [File] {
    try mapError(
      folderEntries(path),
      as: { (error: FileError) in
        .unavailable(
          path, error, .fileMissing,
          "cannot read the source folder: \(error.message). Check --source.")
      }
    ).map { File(name: $0, path: "\(path)/\($0)") }
  }

  // MARK: - Files named by a description

  /// The file with a name in a folder; nil if there is none.
  private static func file(_ name: String, beneath folder: String) -> File? {
    let path = "\(folder)/\(name)"
    // Any other failure recurs when the file is opened, and is reported then.
    if case .success(.none) = Result(catching: { try status(of: path, followsLinks: false) }) {
      return nil
    }
    return File(name: name, path: path, base: folder)
  }

  private static func check(_ names: [String], of table: String) throws(IngestError) {
    var seen: Set<[UInt8]> = []
    for name in names {
      guard isPathBeneath(name) else {
        throw IngestError(
          .data, code: .file(.fileUnreadable),
          "\(table): the path \(name.quotedForMessage) in the description is not inside the source "
            + "folder; expected a path such as data/\(table).csv. \(IngestError.nothingRead)")
      }
      guard seen.insert(Array(name.utf8)).inserted else {
        throw IngestError(
          .data, code: .file(.fileAmbiguous),
          "\(table): the description lists the file \(name.quotedForMessage) twice, so its records would "
            + "be loaded twice. \(IngestError.nothingRead)")
      }
    }
  }
}
