import Glibc

/// The path with symbolic links resolved; nil if it does not exist, or is not UTF-8.
///
/// Bytes that are not UTF-8 must not be replaced, since that would name another file.
package func existingPath(_ path: String) -> String? {
  guard let resolved = unsafe realpath(path, nil) else { return nil }
  defer { unsafe free(resolved) }
  return unsafe String(validatingCString: resolved)
}

/// The path with symbolic links resolved, but unchanged if it has none and ends in a name; nil if
/// it does not exist.
///
/// So a message names a file as the user did, unless a link leads elsewhere.
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

/// The path with symbolic links resolved, even if the last one is dangling; unchanged if it has
/// none.
///
/// Below a folder whose name is not UTF-8 only the last name is resolved, which leads to the same
/// file; a link whose target is not UTF-8 is not resolved.
package func resolvedPath(_ path: String, links: Int = 0) -> String {
  if let followed = followedPath(path) { return followed }
  var target = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
  let count = unsafe target.withUnsafeMutableBufferPointer { buffer in
    guard let start = buffer.baseAddress else { return 0 }
    return unsafe readlink(path, start, buffer.count - 1)
  }
  // The kernel does not follow more than 40 links, either.
  guard count > 0, links < 40,
    let link = String(
      validating: target[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  else { return path }
  return resolvedPath(link.hasPrefix("/") ? link : split(path).folder + link, links: links + 1)
}

/// The path, or its current target if it is a link.
///
/// A run that reads several files through one link must not read the last of them from elsewhere
/// because the link was changed in between.
package func pinnedPath(_ path: String) -> String {
  guard let status = try? status(of: withoutSlashes(path), followsLinks: false),
    status.st_mode & S_IFMT == S_IFLNK
  else { return path }
  return existingPath(path) ?? path
}

/// Whether two paths lead to the same place, following links, even if it does not exist.
package func areSamePath(_ first: String, _ second: String) -> Bool {
  Place(of: first) == Place(of: second)
}

/// The target of a path, following links, even if it does not exist.
package struct Place: Equatable {
  // Bytes, since equal strings can have different bytes.
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

  /// The place in the same folder with a prefix and a suffix added to its name.
  package func appending(_ suffix: String, before prefix: String = "") -> Place {
    Place(folder: folder, name: Array(prefix.utf8) + name + Array(suffix.utf8))
  }

  /// The temporary file for this place, as in `unfinishedPath`.
  package var unfinished: Place { appending(".ingest", before: ".") }
}

/// The folder of a path's last component, without a trailing slash.
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

/// Splits a path into its folder, including the slash, and the name in it.
package func split(_ path: String) -> (folder: String, name: String) {
  guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return ("", path) }
  let name = path.utf8.index(after: slash)
  return (String(path[..<name]), String(path[name...]))
}

/// The path of the file that `--keep-previous` keeps: `NAME.previous`.
package func previousPath(of file: String) -> String { file + ".previous" }

/// The path of the temporary file that will replace a file: `.NAME.ingest`.
package func unfinishedPath(of file: String) -> String {
  let (folder, name) = split(file)
  return "\(folder).\(name).ingest"
}
