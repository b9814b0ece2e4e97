import CSV
import Glibc
package import Platform
import SQLiteSwiftly
package import Schema
package import SourceFiles
import Text
package import Vocabulary

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
    for (index, source) in schema.sources.enumerated() {
      let table = schema.describedTable(index)
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
        .data, code: .file(.repairInvalid),
        "\(self.path): \(unknown.quotedForMessage) is not a file of repairs. Nothing was published. Expected "
          + "TABLE.add.csv, TABLE.replace.csv or TABLE.leave-out.csv, where TABLE is one of "
          + "\(schema.sources.fileNames). Rename it, or remove it from the folder.")
    }
    self.files = files
  }

  package static func name(of table: String, _ kind: RepairKind) -> String {
    "\(fileName(ofTable: table)).\(kind.rawValue).csv"
  }

  /// Files that begin with a dot or end in a tilde belong to editors or version control, and a README may document the
  /// repairs.
  private static func names(in path: String) throws(IngestError) -> [String] {
    try mapError(
      folderEntries(path),
      as: { (error: FileError) in
        let kind = IngestError.Kind.of(error.code, otherwise: .inputMissing)
        return IngestError(
          kind, code: kind == .inputMissing ? .file(.repairInvalid) : nil,
          "\(path): cannot read the repairs folder: \(error.message). Nothing was published. Check "
            + "--repairs.")
      }
    ).filter { name in
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

package struct RepairFile: Sendable {
  package let table: String
  package let kind: RepairKind
  package let file: SourceFolder.File
  package private(set) var identity: FileIdentity?
  private(set) var head: Header?
  package private(set) var size = 0
  package private(set) var crc32: UInt32 = 0
  private(set) var records: [Record] = []

  var header: [String] { head?.names ?? [] }

  struct Record: Sendable {
    let number: Int
    let line: Int
    /// Its place in the file, with its line end.
    let place: Range<Int>
    let isTooLong: Bool
    let bytes: [UInt8]
    /// Its fields in the order of the header; nil if it is not valid CSV.
    let fields: [[UInt8]]?
  }

  static let mostBytes = 64 << 20

  init(
    _ file: SourceFolder.File, of table: TableDescription, _ kind: RepairKind, recordLimit: Int
  ) throws(IngestError) {
    self.table = table.name
    self.kind = kind
    self.file = file
    try mapError(
      read(table, recordLimit: recordLimit),
      as: { (error: IngestError) in
        guard error.code?.file != nil else { return error }
        return IngestError(
          error.kind, code: .file(.repairInvalid),
          "\(error.message) Repairs must be plain CSV in UTF-8: correct this file, or remove it from the "
            + "folder.")
      })
    try checkHeader(of: table)
  }

  private mutating func read(_ table: TableDescription, recordLimit: Int) throws(IngestError) {
    var parser = try SourceParser(file, recordLimit: recordLimit)
    identity = parser.reader.identity
    var batch = RecordBatch()
    var head = try parser.readHeader(&batch)
    if file.layout.headerRows == 0 { head.names = table.columns.map(\.name) }
    self.head = head
    let (path, layout, fieldCount) = (file.path, file.layout, header.count)
    var records: [Record] = []
    try parser.readRecords(after: head, &batch) { (record, batch) throws(IngestError) in
      guard record.offset + record.length <= Self.mostBytes else { throw .repairsTooLarge(path) }
      records.append(Record(record, in: batch, layout, fieldCount: fieldCount))
    }
    self.records = records
    var counts = SourceCounts(name: file.name)
    parser.describe(in: &counts)
    (size, crc32) = (counts.size, counts.crc32)
  }

  private func checkHeader(of table: TableDescription) throws(IngestError) {
    for (place, name) in header.enumerated() where Array(header[..<place]).hasName(name) {
      throw invalidHeader("duplicate column \(name.quotedForMessage) in the header", table)
    }
    let needed =
      kind == .leaveOut
      ? table.primaryKey : table.columns.filter(table.requires).map(\.name)
    let missing = needed.filter { !header.hasName($0) }
    guard missing.isEmpty else {
      throw invalidHeader("no column \(missing.joined(separator: ", ")) in the header", table)
    }
    guard kind != .replace || !table.primaryKey.isEmpty else {
      throw invalidHeader("\(table.name) has no primary key by which to replace records", table)
    }
  }

  /// Checks that each column exists in the table, or at least in its source file.
  func checkColumns(of table: TableDescription, source: [String]) throws(IngestError) {
    for name in header where !table.columns.map(\.name).hasName(name) && !source.hasName(name) {
      throw invalidHeader(
        "column \(name.quotedForMessage) is neither in \(table.name) nor in its source file", table)
    }
  }

  private func invalidHeader(_ fault: String, _ table: TableDescription) -> IngestError {
    let key = table.primaryKey.joined(separator: ",")
    let alternative = kind == .leaveOut && !key.isEmpty ? ", or \(key) alone" : ""
    return IngestError(
      .data, code: .file(.repairInvalid),
      "\(file.path): line 1: \(fault): \(header.joined(separator: ",").quotedForMessage). Expected the header "
        + "of the source file, \(table.columns.map(\.name).joined(separator: ","))\(alternative). Nothing was "
        + "published. Correct the first line.")
  }
}

extension RepairFile.Record {
  fileprivate init(
    _ record: Record, in batch: borrowing RecordBatch, _ layout: SourceLayout, fieldCount: Int
  ) {
    number = record.number
    line = record.line
    place = record.offset..<record.offset + record.length
    isTooLong = record.faults.contains(.tooLong)
    bytes = batch.bytes(withoutLineEndOf: record, layout)
    guard record.isSound(fieldCount: fieldCount) else {
      fields = nil
      return
    }
    fields = (0..<fieldCount).map { Array(batch.bytes[batch.place($0, of: record)]) }
  }
}

extension RepairCounts {
  /// The counts of a file whose table has no source file: none of its repairs apply.
  package init(unread file: RepairFile) {
    self.init(file)
    inapplicable = records
  }

  package init(_ file: RepairFile) {
    self.init(
      file: file.file.name, kind: file.kind, size: file.size, crc32: file.crc32,
      records: file.records.count)
  }
}

extension RecordBatch {
  func bytes(withoutLineEndOf record: Record, _ layout: SourceLayout) -> [UInt8] {
    let whole = bytes[record.bytes]
    return Array(whole.prefix(layout.contentCount(of: whole.span)))
  }
}

extension IngestOutcome {
  /// The shell command that saves the rejected records, once they are fixed, as repairs of the source files.
  ///
  /// Nil if the records were not kept, are all of repairs, which must be corrected in their files, or if a source file was
  /// not read to its end, so that others might be rejected.
  package func repairCommand(_ options: IngestOptions) -> String? {
    let sources = tables.flatMap(\.sources).filter { $0.rejected.records > 0 }
    guard let folder = rejectsFolder, !options.isDryRun, failure?.code?.file == nil,
      sources.allSatisfy(\.isComplete), sources.isEmpty || !sources.allSatisfy(\.isRepairs)
    else { return nil }
    var words = ["--rejects", folder]
    if let description = options.description { words += ["--schema", description.name] }
    words += options.schemaWords
    if options.findsSourcesByName { words += ["--source", options.source] }
    words += ["--repairs", options.repairsFolder ?? options.output.repairsFolder]
    return "ingest repair " + words.map(shellWord).joined(separator: " ")
  }
}

/// A word of a command, quoted for the shell if necessary.
package func shellWord(_ word: String) -> String {
  let isPlain = word.allSatisfy {
    $0.isASCII && ($0.isLetter || $0.isNumber || "/.-_=".contains($0))
  }
  return isPlain && !word.isEmpty ? word : "'\(word.replacing("'", with: "'\\''"))'"
}
