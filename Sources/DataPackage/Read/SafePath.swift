import Platform
import Text

/// Why a path in a description is unsafe; nil if it names a file below the description's folder.
///
/// The standard requires this (<https://datapackage.org/standard/glossary/#url-or-path>): a description from a third
/// party must not reach other files.
func danger(ofPath path: String) -> String? {
  if path.isEmpty { return "the path is empty" }
  if path.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
    return "the path has a control character"
  }
  if path.utf8.contains(UInt8(ascii: "\\")) { return "the path has a backslash" }
  if path.hasBytePrefix("/") { return "the path is absolute" }
  if path.hasBytePrefix("~") { return "the path begins with ~" }
  let names = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
  // A file may be called "World: data.csv".
  if let first = names.first, names.count > 1, first.last == UInt8(ascii: ":"),
    names[1].isEmpty || first.count == 2
  {
    return "the path is a URL or has a drive letter"
  }
  for name in names {
    if name.elementsEqual("..".utf8) { return "the path leads out of the folder" }
    if name.first == UInt8(ascii: "."), name.count > 1 { return "the path has a hidden part" }
  }
  return nil
}

/// A JSON file that a description names.
struct CompanionFile {
  let folder: String?
  /// The folder of the files that are named by URL; nil if those are not allowed.
  var schemas: String?

  /// Reads an object from the description, or from the file that it names instead; a failure adds a fault.
  func properties(of node: Node) -> Properties? {
    let object = node.json.text == nil ? node : read(node)
    return object.flatMap { Properties($0, expected: "an object, or the path of a JSON file") }
  }

  private func read(_ path: Node) -> Node? {
    guard var name = path.json.text else { return nil }
    var folder = folder
    let isURL = ["http://", "https://"].contains(where: name.lowercased().hasBytePrefix)
    if let schemas, isURL {
      (folder, name) = (schemas, split(String(name.prefix { $0 != "?" && $0 != "#" })).name)
    }
    if let danger = danger(ofPath: name) {
      path.fault(
        .pathUnsafe, "\(danger): \(path.json.shortened)",
        expected:
          "a path below the folder of the description, or the object itself; for a URL, download "
          + "the file, and pass its folder as --schemas")
      return nil
    }
    guard let folder, let file = existingPath(folder + "/" + name) else {
      path.fault(
        .descriptionUnreadable, "there is no file \(JSON(name).shortened)",
        expected: "a JSON file in the folder of the description, or for a URL in that of --schemas")
      return nil
    }
    guard let base = existingPath(folder), file.hasBytePrefix(base == "/" ? "/" : base + "/") else {
      path.fault(
        .pathUnsafe, "a symbolic link leads out of the folder: \(path.json.shortened)",
        expected: "a regular file in the folder of the description")
      return nil
    }
    do throws(FileError) {
      // By its own path, whose links are checked.
      let bytes = try contentsOfFile(folder + "/" + name, mostBytes: path.findings.bytesLeft)
      return path.findings.read(bytes, of: name)
    } catch {
      path.findings.cause = error
      path.fault(
        .descriptionUnreadable, "cannot read the file \(path.json.shortened): \(error.message)",
        expected: "a JSON file; a description may have 16 MiB in all its files")
      return nil
    }
  }
}
