import Platform
import Glibc

/// The bytes of a file.
func fileBytes(_ path: String) throws -> [UInt8] {
  var reader: FileReader
  do {
    reader = try FileReader(path: path)
  } catch {
    throw Failure.cannotRead(path)
  }
  var bytes: [UInt8] = []
  var block = [UInt8](repeating: 0, count: 64 << 10)
  while true {
    var room = block.mutableSpan
    let count = try reader.read(into: &room)
    bytes += block[..<count]
    if count < block.count { return bytes }
  }
}

/// The text of a file.
func textFile(_ path: String) throws -> String {
  String(decoding: try fileBytes(path), as: UTF8.self)
}

/// Removes a file, and the files that SQLite may have left beside it.
func removeFile(_ path: String) {
  for suffix in ["", "-journal", "-wal", "-shm"] { _ = unsafe unlink(path + suffix) }
}

/// Makes an empty file, in place of one that may be there.
func makeEmptyFile(_ path: String) throws(Failure) {
  removeFile(path)
  let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
  guard descriptor >= 0 else { throw .cannotCreate(path) }
  close(descriptor)
}

/// Makes a folder.
func makeFolder(_ path: String) throws(Failure) {
  guard unsafe mkdir(path, 0o755) == 0 else { throw .cannotCreate(path) }
}

/// The bytes of a file.
func fileSize(_ path: String) throws(Failure) -> Int {
  var status = stat()
  guard unsafe stat(path, &status) == 0 else { throw .cannotRead(path) }
  return Int(status.st_size)
}
