import Glibc

/// A file or stream to which text is written.
struct Output {
  static let results = Output(descriptor: STDOUT_FILENO)
  static let messages = Output(descriptor: STDERR_FILENO)

  private let descriptor: Int32

  private init(descriptor: Int32) { self.descriptor = descriptor }

  /// Opens a file, which is made if need be; what is in it stays until it is replaced.
  init(path: String) throws(Failure) {
    descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw .cannotCreate(path) }
  }

  /// Closes the file.
  func close() { _ = Glibc.close(descriptor) }

  /// Writes all of the text, at once and not when the process ends.
  func write(_ text: String) throws(Failure) { try write(Array(text.utf8)) }

  /// Writes all of the bytes, likewise.
  func write(_ bytes: [UInt8]) throws(Failure) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { bytes in
        unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count)
      }
      guard count > 0 else { throw Failure(status: EX_IOERR, message: "cannot write the output") }
      rest = rest.dropFirst(count)
    }
  }

  /// Writes the text in place of what is in the file.
  func replace(with text: String) throws(Failure) {
    // A device cannot be cut, and need not be.
    _ = ftruncate(descriptor, 0)
    try write(text)
  }
}
