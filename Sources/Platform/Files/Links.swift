import CLinux
import Glibc
import Text

// A symbolic link in a folder that others can write to may have been planted there. So a link is followed only if it
// belongs to the user of this process or to root, and for reading also if its target has the same owner: the
// user who made the link could have put the file itself there.

/// Opens a file by its path, as open(2) does, with links followed by the rule above, for reading if `flags` are those
/// of reading.
package func openFile(
  _ path: String, _ flags: Int32, _ mode: UInt32 = 0
) throws(FileError) -> Int32 {
  let followsLast = flags & (O_NOFOLLOW | O_EXCL) == 0
  if hasDirectFolder(path) {
    let descriptor = retrying { unsafe open(path, flags | O_NOFOLLOW | O_CLOEXEC, mode) }
    // The errors for a link.
    guard descriptor < 0, followsLast, errno == ELOOP || errno == ENOTDIR else {
      guard descriptor >= 0 else { throw FileError(code: errno) }
      return descriptor
    }
  }
  let use: LinkUse = flags & O_ACCMODE == O_RDONLY ? .reading : .writing
  let route = try Route(path, use, followsLast: followsLast)
  let last = route.isMagic ? 0 : O_NOFOLLOW
  let descriptor = retrying {
    unsafe openat(route.folder, route.name, flags | last | O_CLOEXEC, mode)
  }
  guard descriptor >= 0 else { throw FileError(code: errno) }
  do throws(FileError) {
    try route.checkOwner(of: descriptor)
  } catch {
    close(descriptor)
    throw error
  }
  return descriptor
}

/// Opens a file in the same way; nil if there is none.
package func openFile(ifExists path: String, _ flags: Int32) throws(FileError) -> Int32? {
  do throws(FileError) {
    return try openFile(path, flags)
  } catch {
    guard error.code == ENOENT else { throw error }
    return nil
  }
}

/// Whether no link leads to the folder of a path; also true if the folder cannot be opened, as `open` then reports.
private func hasDirectFolder(_ path: String) -> Bool {
  let folder = retrying { unsafe clinux_open_direct_folder(parentFolder(of: path)) }
  guard folder < 0 else {
    close(folder)
    return true
  }
  // A link, or a kernel or a sandbox without this call.
  return ![ELOOP, ENOSYS, EPERM].contains(errno)
}

/// The path to write to, with links followed, even if the last one is dangling; throws for a link that is not followed.
///
/// It is unchanged if it has no links and ends in a name, or if it leads nowhere.
package func writablePath(_ path: String) throws(FileError) -> String {
  try followed(path, .writing)
}

/// The path with links followed, to compare it with others.
package func resolvedPath(_ path: String) -> String { (try? writablePath(path)) ?? path }

/// The path, or its current target if it is a link.
///
/// A run that reads several files through one link must not read the last of them from elsewhere
/// because the link was changed in between.
package func pinnedPath(_ path: String) -> String {
  guard let status = try? status(of: withoutSlashes(path), followsLinks: false),
    status.st_mode & S_IFMT == S_IFLNK
  else { return path }
  // A link that is not followed is reported when the path is opened.
  return (try? followed(path, .reading)) ?? path
}

private func followed(_ path: String, _ use: LinkUse) throws(FileError) -> String {
  do throws(FileError) {
    return try Route(path, use, followsLast: true).text ?? path
  } catch {
    guard error.link != nil else { return path }
    throw error
  }
}

/// A symbolic link that is not followed.
package struct ForeignLink: Equatable, Sendable {
  package let path: String
  package let owner: UInt32

  var words: String {
    "\(path) is a symbolic link of another user (\(owner)), so it is not followed: name its target instead, or "
      + "check who made it, and remove it"
  }
}

private enum LinkUse { case reading, writing }

/// The folder and the last name of a path, reached link by link.
private final class Route {
  private(set) var folder: Int32
  /// The last name, which is not a link; a dot for the folder itself.
  private(set) var name: [CChar] = []
  /// Whether the last name is a link that only the kernel can follow (proc(5): `/proc/PID/fd`).
  private(set) var isMagic = false
  /// The path without links, or the original one if it has none and ends in a name; nil if it is not text.
  private(set) var text: String?

  private let use: LinkUse
  /// The names of the folder; nil if they are unknown.
  private var names: [[UInt8]]?
  private var isAbsolute: Bool
  /// The names that follow, last to first.
  private var rest: [[UInt8]]
  private var links = 0
  /// Links of other users, and how many names follow their targets.
  private var foreign: [(link: ForeignLink, rest: Int)] = []

  init(_ path: String, _ use: LinkUse, followsLast: Bool) throws(FileError) {
    self.use = use
    rest = Self.names(in: Array(path.utf8)).reversed()
    isAbsolute = path.hasBytePrefix("/")
    names = []
    folder = try Self.openFolder(isAbsolute ? "/" : ".")
    if !isAbsolute, let current = existingPath(".") {
      names = Self.names(in: Array(current.utf8)).filter { $0 != dot }
      isAbsolute = true
    }
    let endsInName = rest.first.map { $0 != dot && $0 != dots } ?? false
    while let next = rest.popLast() { try step(to: next, followsLast: followsLast) }
    text = links == 0 && endsInName ? path : joined
  }

  deinit { if folder >= 0 { close(folder) } }

  private static func openFolder(_ path: String) throws(FileError) -> Int32 {
    let folder = retrying { unsafe open(path, clinux_place_only | O_DIRECTORY | O_CLOEXEC) }
    guard folder >= 0 else { throw FileError(code: errno) }
    return folder
  }

  /// The names of a path, with a dot at the end of one that must lead to a folder.
  private static func names(in path: [UInt8]) -> [[UInt8]] {
    let parts = path.split(separator: slash, omittingEmptySubsequences: false).map(Array.init)
    let names = parts.filter { !$0.isEmpty && $0 != dot }
    return parts.last.map { $0.isEmpty || $0 == dot } ?? true ? names + [dot] : names
  }

  private func step(to next: [UInt8], followsLast: Bool) throws(FileError) {
    let file = retrying {
      unsafe openat(folder, cString(next), clinux_place_only | O_NOFOLLOW | O_CLOEXEC)
    }
    guard file >= 0 else {
      // It may be about to be created.
      guard rest.isEmpty, errno == ENOENT else { throw FileError(code: errno) }
      return end(at: next)
    }
    var status = stat()
    guard unsafe fstat(file, &status) == 0 else {
      let error = FileError(code: errno)
      close(file)
      throw error
    }
    if status.st_mode & S_IFMT == S_IFLNK, followsLast || !rest.isEmpty {
      defer { close(file) }
      return try follow(file, next, owner: status.st_uid)
    }
    if let other = foreign.first(where: { $0.rest == rest.count && $0.link.owner != status.st_uid })
    {
      close(file)
      throw FileError(other.link)
    }
    if rest.isEmpty, next != dot, next != dots {
      close(file)
      return end(at: next)
    }
    enter(file, next)
    if rest.isEmpty { name = cString(dot) }
  }

  private func end(at last: [UInt8]) {
    name = cString(last)
    names?.append(last)
  }

  private func enter(_ file: Int32, _ next: [UInt8]) {
    close(folder)
    folder = file
    guard next != dot else { return }
    if next == dots, names?.last != dots, names?.isEmpty == false || isAbsolute {
      _ = names?.popLast()
    } else {
      names?.append(next)
    }
  }

  private func follow(_ file: Int32, _ name: [UInt8], owner: UInt32) throws(FileError) {
    links += 1
    // The kernel does not follow more, either.
    guard links <= 40 else { throw FileError(code: ELOOP) }
    if owner != geteuid(), owner != 0 {
      let folder = joined.map { $0 == "/" ? $0 : $0 + "/" } ?? ""
      let path = folder + String(decoding: name, as: UTF8.self)
      let link = ForeignLink(path: path, owner: owner)
      guard use == .reading else { throw FileError(link) }
      foreign.append((link, rest.count))
    }
    var system = statfs()
    if unsafe fstatfs(file, &system) == 0, system.f_type == procMagic {
      names = nil
      guard rest.isEmpty else {
        let target = retrying {
          unsafe openat(folder, cString(name), clinux_place_only | O_CLOEXEC)
        }
        guard target >= 0 else { throw FileError(code: errno) }
        return enter(target, name)
      }
      isMagic = true
      return end(at: name)
    }
    let size = Int(PATH_MAX)
    var bytes = [CChar](repeating: 0, count: size)
    let count = unsafe readlinkat(file, "", &bytes, size)
    guard count > 0 else { throw FileError(code: count < 0 ? errno : ENOENT) }
    let target = bytes.prefix(count).map { UInt8(bitPattern: $0) }
    rest += Self.names(in: target).reversed()
    guard target.first == slash else { return }
    let top = try Self.openFolder("/")
    close(folder)
    (folder, names, isAbsolute) = (top, [], true)
  }

  /// Checks that the file that was opened belongs to the owner of each followed link of another user.
  func checkOwner(of descriptor: Int32) throws(FileError) {
    guard let link = foreign.last(where: { $0.rest == 0 })?.link else { return }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw FileError(code: errno) }
    guard status.st_uid == link.owner else { throw FileError(link) }
  }

  private var joined: String? {
    guard let names else { return nil }
    let bytes = (isAbsolute ? [slash] : []) + names.joined(separator: [slash])
    return String(validating: bytes.isEmpty ? dot : Array(bytes), as: UTF8.self)
  }
}

private let slash = UInt8(ascii: "/")
private let dot = Array(".".utf8)
private let dots = Array("..".utf8)
/// `PROC_SUPER_MAGIC` of statfs(2).
private let procMagic = 0x9fa0

private func cString(_ name: [UInt8]) -> [CChar] { name.map { CChar(bitPattern: $0) } + [0] }
