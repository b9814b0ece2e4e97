import Glibc

/// Creates a file in a folder for reading and writing and removes its name, so that it disappears
/// when its descriptor is closed, or the process ends.
package func unnamedFile(in folder: String) throws(FileError) -> Int32 {
  let name = "\(folder)/ingest_" + String(UInt64.random(in: 0 ... .max), radix: 16)
  let descriptor = openFile(name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
  guard descriptor >= 0 else { throw FileError(code: errno) }
  unsafe unlink(name)
  return descriptor
}
