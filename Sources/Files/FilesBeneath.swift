import Glibc

/// Opens a file in a folder by an untrusted path, and follows no link below the folder, which could
/// lead out of it; the path of the folder itself may contain links.
///
/// - Throws: `FileError`; `ELOOP` for a link, and `EINVAL` for a path that does not consist of
///   names only.
func openFile(_ path: String, beneath folder: String) throws(FileError) -> Int32 {
  guard isPathBeneath(path) else { throw FileError(code: EINVAL) }
  var descriptor = openFile(folder, O_RDONLY | O_DIRECTORY)
  guard descriptor >= 0 else { throw FileError(code: errno) }
  let names = path.split(separator: "/").map(String.init)
  for (place, name) in names.enumerated() {
    let parent = descriptor
    defer { close(parent) }
    var status = stat()
    if unsafe fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) == 0,
      status.st_mode & S_IFMT == S_IFLNK
    {
      throw FileError(code: ELOOP)
    }
    let kind = place + 1 < names.count ? O_DIRECTORY : O_NONBLOCK
    let next = unsafe openat(parent, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | kind)
    guard next >= 0 else { throw FileError(code: errno) }
    descriptor = next
  }
  return descriptor
}

/// Whether a path consists only of names, so that it stays below its starting folder.
package func isPathBeneath(_ path: String) -> Bool {
  let names = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
  return !path.utf8.contains(0)
    && names.allSatisfy { name in
      !name.isEmpty && !name.elementsEqual(".".utf8) && !name.elementsEqual("..".utf8)
    }
}
