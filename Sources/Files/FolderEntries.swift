import Glibc

/// The names in a folder, including `.` and `..`, sorted by bytes.
///
/// The folder's own order can differ from run to run.
package func folderEntries(_ path: String) throws(FileError) -> [String] {
  guard let folder = unsafe opendir(path) else { throw FileError(code: errno) }
  defer { unsafe closedir(folder) }
  var names: [String] = []
  errno = 0
  while let entry = unsafe readdir(folder) {
    let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
      unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
    }
    names.append(name)
    errno = 0
  }
  guard errno == 0 else { throw FileError(code: errno) }
  return names.sorted()
}
