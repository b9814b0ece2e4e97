import GzipWriting

/// The files of a folder, held in memory so that they can be damaged.
struct FileSet: Sendable {
  private var files: [(name: String, bytes: [UInt8])] = []

  init() {}

  /// The names of the files.
  var names: [String] { files.map(\.name) }

  /// Makes the plain files of a dump set.
  init(of dumps: DumpSet) throws(DumpError) {
    files = zip(Table.allCases, try dumps.contents()).map { ("\($0.rawValue).csv", $1) }
  }

  /// The bytes of a file; nil if it is missing.
  subscript(name: String) -> [UInt8]? {
    get { files.first { $0.name == name }?.bytes }
    set {
      files.removeAll { $0.name == name }
      if let newValue { files.append((name, newValue)) }
    }
  }

  /// The lines of a file, each with its line end.
  func lines(of name: String) -> [ArraySlice<UInt8>] {
    guard let bytes = self[name] else { preconditionFailure("there is no \(name)") }
    return bytes.split(separator: UInt8(ascii: "\n")).map { bytes[$0.startIndex...$0.endIndex] }
  }

  /// Changes the lines of a file, each of which keeps its line end.
  mutating func changeLines(
    of name: String, _ change: (inout [ArraySlice<UInt8>]) -> Void
  ) {
    var lines = lines(of: name)
    change(&lines)
    self[name] = lines.reduce(into: []) { $0 += $1 }
  }

  /// Replaces a file by its compressed form, which `damage` may change.
  mutating func compress(_ name: String, damage: (inout [UInt8]) -> Void = { _ in }) {
    guard let bytes = self[name] else { preconditionFailure("there is no \(name)") }
    self[name] = nil
    var gzip = GzipWriter()
    gzip.write(bytes.span)
    var compressed = gzip.finish()
    damage(&compressed)
    self[name + ".gz"] = compressed
  }

  /// Writes the files into a folder; names may have folders of their own.
  func write(to directory: String) throws(DumpError) {
    for (name, bytes) in files {
      let path = "\(directory)/\(name)"
      let folders = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      try createFolder(folders.joined(separator: "/"))
      var file = try DumpFile(path: path, isCompressed: false)
      try file.write(bytes.span)
      try file.finish()
    }
  }
}
