import Glibc

/// Creates a folder that only this user can open, or uses the one that a killed process of this user has left; false if
/// something else has its name.
///
/// Even in a folder that everybody can write to, no other user can then place a file beside those in it, which SQLite might
/// take for theirs.
package func makePrivateFolder(_ path: String) throws(FileError) -> Bool {
  guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .last }
  return try isPrivateFolder(path) ?? false
}

/// Whether only this user can open a folder, and rename it if the sticky bit protects the one above; nil if nothing has
/// its name.
package func isPrivateFolder(_ path: String) throws(FileError) -> Bool? {
  guard let status = try status(of: path, followsLinks: false) else { return nil }
  return status.st_mode & S_IFMT == S_IFDIR && status.st_mode & 0o077 == 0
    && status.st_uid == geteuid()
}
