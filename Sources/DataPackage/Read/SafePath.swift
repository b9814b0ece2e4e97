import Files
import JSON

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
  if path.hasPrefix("/") { return "the path is absolute" }
  if path.hasPrefix("~") { return "the path begins with ~" }
  let names = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
  if let first = names.first, first.contains(UInt8(ascii: ":")) {
    return "the path is a URL or has a drive letter"
  }
  for name in names {
    if name.elementsEqual("..".utf8) { return "the path leads out of the folder" }
    if name.first == UInt8(ascii: "."), name.count > 1 {
      return "the path has a hidden part"
    }
  }
  return nil
}

/// A JSON file that a description names.
struct CompanionFile {
  let folder: String?

  /// Reads a file that a property names.
  ///
  /// A failure adds a fault and returns nil.
  func read(_ path: Node, _ findings: Findings) -> Node? {
    guard let name = path.json.text else { return nil }
    if let danger = danger(ofPath: name) {
      findings.fault(
        .pathUnsafe, at: path, "\(danger): \(path.json.shortened)",
        expected: "a path below the folder of the description, or the object itself")
      return nil
    }
    guard let folder, let file = existingPath(folder + "/" + name) else {
      findings.fault(
        .descriptionUnreadable, at: path, "there is no file \(path.json.shortened)",
        expected: "a JSON file in the folder of the description")
      return nil
    }
    guard let base = existingPath(folder), file.hasPrefix(base == "/" ? "/" : base + "/") else {
      findings.fault(
        .pathUnsafe, at: path, "a symbolic link leads out of the folder: \(path.json.shortened)",
        expected: "a regular file in the folder of the description")
      return nil
    }
    do throws(FileError) {
      let bytes = try contentsOfFile(file, mostBytes: findings.bytesLeft)
      return findings.read(bytes, of: name)
    } catch {
      findings.cause = error
      findings.fault(
        .descriptionUnreadable, at: path,
        "cannot read the file \(path.json.shortened): \(error.message)",
        expected: "a JSON file; a description may have 16 MiB in all its files")
      return nil
    }
  }
}
