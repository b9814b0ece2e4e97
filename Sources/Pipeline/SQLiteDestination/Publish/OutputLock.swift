import Vocabulary
import Platform
import Glibc
import Text

/// The lock of an output, which only one run at a time can hold.
///
/// It is a file beside the output, `.NAME.ingest.lock`, which is locked with flock(2) during the run and names its
/// holder. The system releases the lock of a killed run.
struct OutputLock: ~Copyable {
  private let path: String
  private let descriptor: Int32
  private let gate: Gate
  private let number: Int

  /// Locks an output, with links followed; waits up to `timeout` seconds for another run.
  init(
    of output: String, timeout: Double, gate: Gate, patience: Patience
  ) throws(IngestError) {
    let path = Self.path(of: output)
    (descriptor, number) = try Self.wait(for: output, timeout, patience) {
      () throws(IngestError) in try Self.attempt(path, output, gate)
    }
    self.path = path
    self.gate = gate
  }

  /// Waits until no other run holds the lock, without taking it; throws what locking would throw, as far as that can be
  /// determined.
  static func check(
    of output: String, timeout: Double, patience: Patience
  ) throws(IngestError) {
    try wait(for: output, timeout, patience) { () throws(IngestError) in try probe(output) }
  }

  private static func wait<Lock>(
    for output: String, _ timeout: Double, _ patience: Patience,
    _ attempt: () throws(IngestError) -> Lock?
  ) throws(IngestError) -> Lock {
    let path = path(of: output)
    let taken = try patience.wait(
      for: timeout, { "\(output): waiting for another run\(holder(of: path))" }, until: attempt)
    if let taken { return taken }
    throw .lockedByRun(output, holder(of: path))
  }

  static func path(of output: String) -> String { unfinishedPath(of: output) + ".lock" }

  deinit {
    gate.pass { [path, number, descriptor] unfinished in
      removeName(path, of: descriptor)
      unfinished.drop(number)
    }
    close(descriptor)
  }

  /// Checks whether the lock could be taken, without disturbing a run that holds or takes it.
  private static func probe(_ output: String) throws(IngestError) -> Void? {
    let path = path(of: output)
    let descriptor = try mapError(
      openFile(ifExists: path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK),
      as: { .cannotBeCreated(output, path, $0) })
    guard let descriptor else { return () }
    defer { close(descriptor) }
    let isLocked = try mapError(
      lockFile(descriptor, isShared: true),
      as: { .failed("cannot be locked:", path, $0, otherwise: .output) })
    guard isLocked else { return nil }
    try checkIsOurs(descriptor, path)
    return ()
  }

  /// Takes the lock; nil if another run holds it.
  private static func attempt(
    _ path: String, _ output: String, _ gate: Gate
  ) throws(IngestError) -> (descriptor: Int32, number: Int)? {
    try gate.pass { (unfinished) throws(IngestError) in
      while true {
        let descriptor = try mapError(
          openFile(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o666),
          as: { .cannotBeCreated(output, path, $0) })
        do throws(FileError) {
          guard try lockFile(descriptor) else {
            close(descriptor)
            return nil
          }
          // The run that held the lock may have just removed it.
          guard try isStillThere(descriptor, at: path) else {
            close(descriptor)
            continue
          }
        } catch {
          // The holder of the lock needs its name.
          close(descriptor)
          throw IngestError.failed("cannot be locked:", path, error, otherwise: .output)
        }
        do throws(IngestError) {
          try checkIsOurs(descriptor, path)
        } catch {
          close(descriptor)
          throw error
        }
        try sign(descriptor, path)
        return (descriptor, unfinished.add { removeName(path, of: descriptor) })
      }
    }
  }

  // MARK: - The holder

  /// Checks that ingest made the file, which will be overwritten: the name may be a link to another file.
  private static func checkIsOurs(_ descriptor: Int32, _ path: String) throws(IngestError) {
    let isOurs = try mapError(as: { .failed("cannot be read:", path, $0) }) {
      () throws(FileError) in
      var status = stat()
      guard unsafe fstat(descriptor, &status) == 0 else { throw FileError(code: errno) }
      guard status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1 else { return false }
      let start = try descriptor.bytes(signature.utf8.count, at: 0)
      return start.isEmpty || start == Array(signature.utf8)
    }
    guard isOurs else { throw .notLockFile(path) }
  }

  private static let signature = "process "

  private static func sign(_ descriptor: Int32, _ path: String) throws(IngestError) {
    let now = utc(time(nil)).dropLast().split(separator: "T").joined(separator: " ") + " UTC"
    let host = hostName() ?? "an unknown host"
    let text = "\(signature)\(getpid()) on \(host), since \(now)\n"
    let bytes = Array(text.utf8)
    guard endFile(descriptor, after: 0), descriptor.writeAll(bytes.span) == bytes.count else {
      let error = FileError(code: errno)
      removeName(path, of: descriptor)
      close(descriptor)
      throw .failed("cannot be written:", path, error)
    }
  }

  /// The holder of the lock, in parentheses; empty if unknown.
  private static func holder(of path: String) -> String {
    guard let descriptor = try? openFile(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK) else {
      return ""
    }
    defer { close(descriptor) }
    // Without a line end, it is still being written.
    guard let bytes = try? descriptor.bytes(500, at: 0), bytes.last == UInt8(ascii: "\n") else {
      return ""
    }
    return " (\(bytes.span.extracting(0..<bytes.count - 1).escapedForMessage))"
  }
}
