import Facts
import Threads
import Files
import Glibc

/// The lock of an output, so that one run at a time writes it.
///
/// It is a file beside the output, `.NAME.ingest.lock`, which is locked (flock(2)) as long as the run
/// lives and says who holds it. The system unlocks what a killed run has left.
struct OutputLock: ~Copyable {
  private let path: String
  private let descriptor: Int32
  private let gate: Gate
  private let number: Int

  /// Takes the lock of an output, links followed; waits `timeout` seconds for another run.
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

  /// Waits until no other run holds the lock, and makes nothing; throws what the taking of the lock would
  /// throw, as far as that can be known.
  static func check(
    of output: String, timeout: Double, patience: Patience
  ) throws(IngestError) {
    try wait(for: output, timeout, patience) { () throws(IngestError) in try look(output) }
  }

  /// Tries again until the lock is taken, or the time is over.
  private static func wait<Lock>(
    for output: String, _ timeout: Double, _ patience: Patience,
    _ attempt: () throws(IngestError) -> Lock?
  ) throws(IngestError) -> Lock {
    let path = path(of: output)
    let taken = try patience.wait(
      for: timeout, { "\(output): waiting for another run\(holder(of: path))" }, until: attempt)
    if let taken { return taken }
    throw IngestError(
      .locked,
      "\(output): another run is writing it\(holder(of: path)). Try again when it is done, or wait for "
        + "it with --wait SECONDS.")
  }

  static func path(of output: String) -> String { unfinishedPath(of: output) + ".lock" }

  deinit {
    gate.pass { [path, number, descriptor] unfinished in
      removeName(path, of: descriptor)
      unfinished.drop(number)
    }
    close(descriptor)
  }

  /// Looks whether the lock could be taken, and keeps no run from it that has it or takes it.
  private static func look(_ output: String) throws(IngestError) -> Void? {
    let path = path(of: output)
    let descriptor = openFile(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { return () }
      throw cannotBeCreated(output, path)
    }
    defer { close(descriptor) }
    do throws(FileError) {
      guard try lockFile(descriptor, isShared: true) else { return nil }
    } catch {
      throw cannotBeLocked(path, error)
    }
    try checkIsOurs(descriptor, path)
    return ()
  }

  /// Takes the lock if nobody has it; nil if somebody has.
  private static func attempt(
    _ path: String, _ output: String, _ gate: Gate
  ) throws(IngestError) -> (descriptor: Int32, number: Int)? {
    try gate.pass { (unfinished) throws(IngestError) in
      while true {
        let descriptor = openFile(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o666)
        guard descriptor >= 0 else { throw cannotBeCreated(output, path) }
        do throws(FileError) {
          guard try lockFile(descriptor) else {
            close(descriptor)
            return nil
          }
          // The run that held the lock may just have removed it.
          guard try isStillThere(descriptor, at: path) else {
            close(descriptor)
            continue
          }
        } catch {
          // Whoever holds the lock needs its name.
          close(descriptor)
          throw cannotBeLocked(path, error)
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

  /// What is said if the folder does not take the lock, nor then the catalog.
  static func cannotBeCreated(_ output: String, _ path: String) -> IngestError {
    IngestError(
      .of(errno, otherwise: .output),
      "\(output): cannot be created: \(systemError()) (\(path)). Check that the folder is there and "
        + "can be written.")
  }

  private static func cannotBeLocked(_ path: String, _ error: FileError) -> IngestError {
    IngestError(
      .of(error.code, otherwise: .output), "\(path): cannot be locked: \(error.message).")
  }

  // MARK: - The holder

  /// Makes sure that ingest has made a file, whose contents will be overwritten: somebody may have linked
  /// another one to the lock's name.
  private static func checkIsOurs(_ descriptor: Int32, _ path: String) throws(IngestError) {
    var status = stat()
    do throws(FileError) {
      guard unsafe fstat(descriptor, &status) == 0 else { throw FileError(code: errno) }
      if status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1 {
        let start = try descriptor.bytes(signature.utf8.count, at: 0)
        if start.isEmpty || start == Array(signature.utf8) { return }
      }
    } catch {
      throw IngestError(.inputOutput, "\(path): cannot be read: \(error.message).")
    }
    throw IngestError(
      .output,
      "\(path): the lock of a run would be written there, but it is something else. Move it away, or "
        + "choose another file for --out.")
  }

  private static let signature = "process "

  /// Writes into the lock who holds it.
  private static func sign(_ descriptor: Int32, _ path: String) throws(IngestError) {
    // As people read it.
    let now = utc(time(nil)).dropLast().split(separator: "T").joined(separator: " ") + " UTC"
    let text = "\(signature)\(getpid()) on \(hostName()), since \(now)\n"
    let bytes = Array(text.utf8)
    guard endFile(descriptor, after: 0), descriptor.writeAll(bytes.span) == bytes.count else {
      let reason = systemError()
      removeName(path, of: descriptor)
      close(descriptor)
      throw IngestError(.inputOutput, "\(path): cannot be written: \(reason).")
    }
  }

  /// Who holds the lock, in brackets; nothing if that is unknown.
  private static func holder(of path: String) -> String {
    let descriptor = openFile(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    // Without its line end it is just being written.
    guard let bytes = try? descriptor.bytes(500, at: 0), bytes.last == UInt8(ascii: "\n") else {
      return ""
    }
    return " (\(bytes.span.extracting(0..<bytes.count - 1).escapedForMessage))"
  }

  private static func hostName() -> String {
    var name = [CChar](repeating: 0, count: 256)
    guard unsafe gethostname(&name, name.count) == 0 else { return "an unknown host" }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
