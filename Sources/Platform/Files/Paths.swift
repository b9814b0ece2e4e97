import Glibc
import Text

/// The path with symbolic links resolved; nil if it does not exist, or is not UTF-8, whose
/// replacement would name another file.
package func existingPath(_ path: String) -> String? {
  guard let resolved = unsafe realpath(path, nil) else { return nil }
  defer { unsafe free(resolved) }
  return unsafe String(validatingCString: resolved)
}

/// Whether two paths lead to the same place, following links, even if it does not exist.
package func areSamePath(_ first: String, _ second: String) -> Bool {
  Place(of: first) == Place(of: second)
}

/// The target of a path, following links, even if it does not exist.
package struct Place: Equatable {
  // Bytes, since equal strings can have different bytes.
  private let folder: [UInt8]
  private var name: [UInt8]

  /// A report's name is not followed: a link there is replaced.
  package init(of path: String, followsLast: Bool = true) {
    let resolved = followsLast ? resolvedPath(path) : path
    let parent = parentFolder(of: resolved)
    folder = Array((existingPath(parent) ?? parent).utf8)
    name = Array(split(resolved).name.utf8)
  }

  /// The place in the same folder with a prefix and a suffix added to its name.
  package func appending(_ suffix: String, before prefix: String = "") -> Place {
    var place = self
    place.name = Array(prefix.utf8) + name + Array(suffix.utf8)
    return place
  }

  /// The temporary file for this place, as in `unfinishedPath`.
  package var unfinished: Place { appending(".ingest", before: ".") }
}

/// The folder of a path's last component, without a trailing slash.
package func parentFolder(of path: String) -> String {
  let folder = split(path).folder
  if folder.isEmpty { return "." }
  return folder == "/" ? folder : folder.dropping(suffix: "/")
}

package func withoutSlashes(_ path: String) -> String {
  var path = path
  while path.utf8.count > 1, path.hasByteSuffix("/") { path = path.dropping(suffix: "/") }
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

/// The names in a folder, including `.` and `..`, sorted, since the folder's own order can differ.
package func folderEntries(_ path: String) throws(FileError) -> [String] {
  let descriptor = try openFile(path, O_RDONLY | O_DIRECTORY)
  guard let folder = unsafe fdopendir(descriptor) else {
    let error = FileError(code: errno)
    close(descriptor)
    throw error
  }
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

/// The prefix of a table's file names: `TABLE` in `TABLE.csv`.
///
/// The name of a table is untrusted: its file must not be outside the folder, hidden, or the same
/// as another file. Offending bytes are replaced by `%` and two hexadecimal digits, and so is `%`
/// itself, so that no two tables have the same file name.
package func fileName(ofTable name: String) -> String {
  let scalars = name.unicodeScalars
  var reserved: [String.UnicodeScalarView.Index] = []
  if name.hasBytePrefix(".") || name.lowercased() == "manifest" {
    reserved.append(scalars.startIndex)
  }
  if let dot = scalars.lastIndex(of: "."), ownSuffixes.contains(name[dot...].lowercased()) {
    reserved.append(dot)
  }
  var text = ""
  for index in scalars.indices {
    let scalar = scalars[index]
    if scalar == "/" || scalar == "%" || scalar.controlsTerminal || reserved.contains(index) {
      for byte in String(scalar).utf8 {
        text += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
      }
    } else {
      text.unicodeScalars.append(scalar)
    }
  }
  return text
}

/// The maximum number of bytes of such a prefix: suffixes and the affixes of a temporary file take
/// up to 22 of the 255 bytes that Linux allows.
package let maximumTableFileNameBytes = 200

/// The suffixes of the files beside `TABLE.csv`.
private let ownSuffixes = [".reasons", ".saved", ".repaired", ".replaced"]
