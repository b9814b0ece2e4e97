import GzipWriting
import Glibc

/// A file that is written, optionally compressed.
struct DumpFile: ~Copyable {
  private let path: String
  private let descriptor: FileDescriptor
  private let isCompressed: Bool
  private var gzip: GzipWriter?

  /// Creates the file at `path`, or empties it.
  init(path: String, isCompressed: Bool) throws(DumpError) {
    let number = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard number >= 0 else { throw .cannotCreate(path: path, code: errno) }
    descriptor = FileDescriptor(number)
    self.path = path
    self.isCompressed = isCompressed
    gzip = isCompressed ? GzipWriter(level: 6) : nil
  }

  /// Writes more bytes.
  mutating func write(_ bytes: Span<UInt8>) throws(DumpError) {
    if isCompressed {
      gzip?.write(bytes)
    } else {
      try writeToDisk(bytes)
    }
  }

  /// Writes what is left, and closes the file.
  consuming func finish() throws(DumpError) {
    if let compressed = gzip.take()?.finish() { try writeToDisk(compressed.span) }
    let code = descriptor.close()
    guard code == 0 else { throw .writeFailed(path: path, code: code) }
  }

  private func writeToDisk(_ bytes: Span<UInt8>) throws(DumpError) {
    let code = descriptor.write(bytes)
    guard code == 0 else { throw .writeFailed(path: path, code: code) }
  }
}

/// An open file descriptor, closed when its only owner goes out of scope.
private struct FileDescriptor: ~Copyable {
  private let number: Int32

  init(_ number: Int32) { self.number = number }

  deinit { _ = Glibc.close(number) }

  /// Writes all bytes; returns 0, or `errno`.
  func write(_ bytes: Span<UInt8>) -> Int32 {
    unsafe bytes.withUnsafeBytes { bytes in
      var written = 0
      while written < bytes.count {
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[written...])
        let count = unsafe Glibc.write(number, rest.baseAddress, rest.count)
        if count >= 0 {
          written += count
        } else if errno != EINTR {
          return errno
        }
      }
      return 0
    }
  }

  /// Closes the file; returns 0, or the `errno` of a write that failed only now.
  consuming func close() -> Int32 {
    let code = Glibc.close(number) == 0 ? 0 : errno
    discard self
    return code
  }
}

/// Creates the folder at `path`, and those above it, unless they are there.
func createFolder(_ path: String) throws(DumpError) {
  let bytes = Array(path.utf8)
  let ends = bytes.indices.dropFirst().filter { bytes[$0] == UInt8(ascii: "/") } + [bytes.count]
  for end in ends {
    let folder = String(decoding: bytes[..<end], as: UTF8.self)
    guard unsafe mkdir(folder, 0o777) != 0, errno != EEXIST else { continue }
    throw .cannotCreate(path: folder, code: errno)
  }
}

/// Whether something exists at `path`.
func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }
