import Glibc

/// The path with symbolic links followed; nil if there is nothing, or if no text can name it.
///
/// Bytes that are not UTF-8 must not be repaired, since that would name another file.
package func existingPath(_ path: String) -> String? {
  guard let resolved = unsafe realpath(path, nil) else { return nil }
  defer { unsafe free(resolved) }
  return unsafe String(validatingCString: resolved)
}

/// The path with symbolic links followed, but as it was given if there are none on its way and it ends in a
/// name; nil if there is nothing.
///
/// So a message names a file as the operator did, and where a link leads elsewhere, the place itself.
package func followedPath(_ path: String) -> String? {
  guard let resolved = existingPath(path) else { return nil }
  let whole = path.hasPrefix("/") ? path : (existingPath(".") ?? "") + "/" + path
  var names: [Substring.UTF8View] = []
  for name in whole.utf8.split(separator: UInt8(ascii: "/")) where !name.elementsEqual(".".utf8) {
    if name.elementsEqual("..".utf8) { _ = names.popLast() } else { names.append(name) }
  }
  let isDirect = names.elementsEqual(
    resolved.utf8.split(separator: UInt8(ascii: "/"))
  ) { $0.elementsEqual($1) }
  return isDirect && split(path).name == split(resolved).name ? path : resolved
}

/// The path with symbolic links followed, also where the last of them leads to nothing yet; as it was given
/// if there are none on its way.
///
/// Below a folder whose name is not UTF-8 only the last name is followed, which leads to the same file;
/// a link whose own text is not UTF-8 stays as it is.
package func resolvedPath(_ path: String, links: Int = 0) -> String {
  if let followed = followedPath(path) { return followed }
  var target = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
  let count = unsafe target.withUnsafeMutableBufferPointer { buffer in
    guard let start = buffer.baseAddress else { return 0 }
    return unsafe readlink(path, start, buffer.count - 1)
  }
  // The kernel follows no more than 40 links either.
  guard count > 0, links < 40,
    let link = String(
      validating: target[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  else { return path }
  return resolvedPath(link.hasPrefix("/") ? link : split(path).folder + link, links: links + 1)
}

/// The path, or where it leads now if it is a link.
///
/// A job that reads several files through one link must not read the last of them from elsewhere, because somebody
/// has moved the link on meanwhile.
package func pinnedPath(_ path: String) -> String {
  guard let status = try? status(of: withoutSlashes(path), followsLinks: false),
    status.st_mode & S_IFMT == S_IFLNK
  else { return path }
  return existingPath(path) ?? path
}

/// Whether two paths lead to the same place, links followed, whether or not anything is there.
package func areSamePath(_ first: String, _ second: String) -> Bool {
  Place(of: first) == Place(of: second)
}

/// Where a path leads, links followed, whether or not anything is there.
package struct Place: Equatable {
  // Bytes, since texts can be equal although their bytes differ.
  let folder: [UInt8]
  let name: [UInt8]

  package init(of path: String) {
    let resolved = resolvedPath(path)
    let parent = parentFolder(of: resolved)
    folder = Array((existingPath(parent) ?? parent).utf8)
    name = Array(split(resolved).name.utf8)
  }

  private init(folder: [UInt8], name: [UInt8]) {
    self.folder = folder
    self.name = name
  }

  /// The place in the same folder that has other words after its name, and before it.
  package func appending(_ suffix: String, before prefix: String = "") -> Place {
    Place(folder: folder, name: Array(prefix.utf8) + name + Array(suffix.utf8))
  }

  /// Where the file that belongs here is written, as `unfinishedPath` has it.
  package var unfinished: Place { appending(".ingest", before: ".") }
}

/// The folder that holds, or would hold, what a path names; without a slash after it.
package func parentFolder(of path: String) -> String {
  let folder = split(path).folder
  if folder.isEmpty { return "." }
  return folder == "/" ? folder : String(folder.dropLast())
}

package func withoutSlashes(_ path: String) -> String {
  var path = path
  while path.utf8.count > 1, path.hasSuffix("/") { path.removeLast() }
  return path
}

/// Splits a path into its folder, with the slash, and the name in it.
package func split(_ path: String) -> (folder: String, name: String) {
  guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return ("", path) }
  let name = path.utf8.index(after: slash)
  return (String(path[..<name]), String(path[name...]))
}

/// The path beside a file under which the one that it replaced is kept: `NAME.previous`.
package func previousPath(of file: String) -> String { file + ".previous" }

/// The path beside a file under which it is written until it takes the file's place: `.NAME.ingest`.
package func unfinishedPath(of file: String) -> String {
  let (folder, name) = split(file)
  return "\(folder).\(name).ingest"
}
