import Glibc

/// The words of the system for the error of its last call.
func systemError() -> String { unsafe String(cString: strerror(errno)) }

/// The path with symbolic links followed; nil if there is nothing.
func existingPath(_ path: String) -> String? {
  guard let resolved = unsafe realpath(path, nil) else { return nil }
  defer { unsafe free(resolved) }
  return unsafe String(cString: resolved)
}

/// The path with symbolic links followed, also where the last of them leads to nothing yet.
func resolvedPath(_ path: String, links: Int = 0) -> String {
  if let resolved = existingPath(path) { return resolved }
  var target = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
  let count = unsafe target.withUnsafeMutableBufferPointer { buffer in
    guard let start = buffer.baseAddress else { return 0 }
    return unsafe readlink(path, start, buffer.count - 1)
  }
  // The kernel follows no more than 40 links either.
  guard count > 0, links < 40 else { return path }
  let link = String(decoding: target[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  return resolvedPath(link.hasPrefix("/") ? link : split(path).folder + link, links: links + 1)
}

/// Whether two paths lead to the same place, links followed.
package func areSamePath(_ first: String, _ second: String) -> Bool {
  absolutePath(first) == absolutePath(second)
}

/// The path with symbolic links followed, from the root on, whether or not anything is there.
private func absolutePath(_ path: String) -> String {
  let resolved = resolvedPath(path)
  return resolvedPath(parentFolder(of: resolved)) + "/" + split(resolved).name
}

/// The folder that holds, or would hold, what a path names; without a slash behind it.
package func parentFolder(of path: String) -> String {
  let folder = split(path).folder
  if folder.isEmpty { return "." }
  return folder == "/" ? folder : String(folder.dropLast())
}

/// Parts a path into its folder, with the slash, and the name in it.
func split(_ path: String) -> (folder: String, name: String) {
  guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return ("", path) }
  let name = path.utf8.index(after: slash)
  return (String(path[..<name]), String(path[name...]))
}
