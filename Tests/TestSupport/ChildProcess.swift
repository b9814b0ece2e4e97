package import Foundation

/// A program that runs to its end, without input.
///
/// It is not a `Process` of Foundation, which leaks memory and changes the folder of all tests that run
/// at the same time.
package struct ChildProcess {
  package var executable: String
  package var arguments: [String]
  package var environment = ProcessInfo.processInfo.environment
  /// The folder that it is started in; nil is that of this process.
  package var folder: String?
  /// The time limit, after which it is killed and fails; nil for none.
  package var secondsAllowed: Double?

  package init(_ executable: String, _ arguments: [String] = [], folder: String? = nil) {
    self.executable = executable
    self.arguments = arguments
    self.folder = folder
  }

  /// The result.
  package struct Outcome: CustomStringConvertible {
    /// Its exit status, or 128 and the signal that ended it.
    package let status: Int32
    package let output: String
    package let errors: String
    package let seconds: Double

    package var description: String {
      "status \(status)\n--- output\n\(output)\n--- errors\n\(errors)"
    }
  }

  /// An error of running it.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) { self.description = description }
  }

  /// Runs it.
  package func run() throws -> Outcome { try start().outcome() }

  /// Starts it and does not wait.
  package func start() throws -> Running {
    let (output, errors) = (try UnnamedFile(), try UnnamedFile())
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, output.descriptor, STDOUT_FILENO)
    unsafe posix_spawn_file_actions_adddup2(&actions, errors.descriptor, STDERR_FILENO)

    let words = (folder.map { ["env", "-C", $0] } ?? []) + [executable] + arguments
    let strings = unsafe CStrings(words)
    let settings = unsafe CStrings(environment.map { "\($0)=\($1)" })
    defer {
      unsafe strings.free()
      unsafe settings.free()
    }
    var process: pid_t = 0
    let start = ContinuousClock.now
    let code = unsafe posix_spawnp(
      &process, words[0], &actions, nil, strings.pointers, settings.pointers)
    guard code == 0 else {
      throw Failure(description: "\(executable): cannot be run: error \(code)")
    }
    return Running(self, process, start, output, errors)
  }
}

extension ChildProcess {
  /// A started program; call `outcome()` to end it.
  package final class Running {
    private let command: ChildProcess
    /// The number of the process.
    package let number: pid_t
    private let start: ContinuousClock.Instant
    private let output: UnnamedFile
    private let errors: UnnamedFile

    fileprivate init(
      _ command: ChildProcess, _ number: pid_t, _ start: ContinuousClock.Instant,
      _ output: UnnamedFile, _ errors: UnnamedFile
    ) {
      self.command = command
      self.number = number
      self.start = start
      self.output = output
      self.errors = errors
    }

    /// Whether it has ended.
    package var hasEnded: Bool {
      var information = unsafe siginfo_t()
      let code = unsafe waitid(P_PID, id_t(number), &information, WEXITED | WNOHANG | WNOWAIT)
      return unsafe code != 0 || information._sifields._sigchld.si_pid == number
    }

    /// Its standard output so far.
    package func outputSoFar() throws -> String { try output.text() }

    /// Its standard error so far.
    package func errorsSoFar() throws -> String { try errors.text() }

    /// Waits for its end.
    package func outcome() throws -> Outcome { try collectOutcome() }

    private func collectOutcome() throws -> Outcome {
      let status = try wait()
      let seconds = (ContinuousClock.now - start) / .seconds(1)
      return Outcome(
        status: status, output: try output.text(), errors: try errors.text(), seconds: seconds)
    }

    /// Waits for its end without blocking a thread, so that other tests can run.
    ///
    /// The test may continue much later.
    package func outcome() async throws -> Outcome {
      while !hasEnded { try await Task.sleep(for: .milliseconds(5)) }
      return try collectOutcome()
    }

    private func wait() throws -> Int32 {
      var status: Int32 = 0
      while true {
        let ended = unsafe waitpid(number, &status, command.secondsAllowed == nil ? 0 : WNOHANG)
        if ended == number { break }
        guard ended == 0 || errno == EINTR else {
          throw Failure(description: "waitpid: error \(errno)")
        }
        if let allowed = command.secondsAllowed, ContinuousClock.now - start > .seconds(allowed) {
          kill(number, SIGKILL)
          _ = unsafe waitpid(number, &status, 0)
          throw Failure(description: "\(command.executable): did not end within \(allowed) s")
        }
        usleep(300)
      }
      let signal = status & 0x7f
      return signal == 0 ? status >> 8 & 0xff : 128 + signal
    }
  }
}

/// A file that is gone with the value: a program that prints to it never waits for a reader.
private final class UnnamedFile {
  let descriptor: Int32

  init() throws {
    let path = NSTemporaryDirectory() + "/printed-" + UUID().uuidString
    descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw ChildProcess.Failure(description: "\(path): cannot be made: error \(errno)")
    }
    unsafe unlink(path)
  }

  deinit { close(descriptor) }

  /// What is in it, which must be UTF-8; its place stays, which is that of the program, too.
  func text() throws -> String {
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe pread(descriptor, &block, block.count, bytes.count)
      guard count > 0 else { break }
      bytes += block[..<count]
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw ChildProcess.Failure(description: "what was printed is not UTF-8")
    }
    return text
  }
}

/// An array of strings as C takes it.
@unsafe private struct CStrings {
  let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private let count: Int

  init(_ strings: [String]) {
    unsafe count = strings.count
    unsafe pointers = .allocate(capacity: strings.count + 1)
    for (index, string) in strings.enumerated() {
      unsafe (pointers + index).initialize(to: strdup(string))
    }
    unsafe (pointers + strings.count).initialize(to: nil)
  }

  func free() {
    for index in unsafe 0..<count { unsafe Foundation.free(pointers[index]) }
    unsafe pointers.deallocate()
  }
}
