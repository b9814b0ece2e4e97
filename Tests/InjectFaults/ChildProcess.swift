import Foundation

/// A program that is run to its end, its streams in files.
struct ChildProcess {
  /// What it left.
  struct Outcome {
    /// Its exit status, or 128 and the signal that ended it.
    let status: Int32
    let output: String
    let errors: String
    let seconds: Double
  }

  var executable: String
  var arguments: [String] = []
  /// What is added to the environment, from which all that concerns temporary folders is taken.
  var environment: [String: String] = [:]
  /// A folder for the streams.
  var scratch: String
  /// How long it may take before it is killed, which counts as a failure.
  var secondsAllowed = 60.0

  /// Runs it.
  func run() throws -> Outcome { try start().outcome() }

  /// Starts it and does not wait.
  func start() throws -> Running {
    let (output, errors) = (scratch + "/stdout", scratch + "/stderr")
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    let flags = O_WRONLY | O_CREAT | O_TRUNC
    unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, flags, 0o600)
    unsafe posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors, flags, 0o600)

    var variables = ProcessInfo.processInfo.environment
    for name in ["TMPDIR", "SQLITE_TMPDIR", "LD_PRELOAD"] { variables[name] = nil }
    variables.merge(environment) { $1 }
    let words = unsafe CStrings([executable] + arguments)
    let settings = unsafe CStrings(variables.map { "\($0)=\($1)" })
    defer {
      unsafe words.free()
      unsafe settings.free()
    }
    var process: pid_t = 0
    let start = ContinuousClock.now
    let code = unsafe posix_spawnp(
      &process, executable, &actions, nil, words.pointers, settings.pointers)
    guard code == 0 else { throw Failure("\(executable): cannot be run: error \(code)") }
    return Running(command: self, process: process, start: start)
  }

  /// One that was started, and is to be ended by `outcome()`.
  struct Running {
    let command: ChildProcess
    let process: pid_t
    let start: ContinuousClock.Instant

    /// Whether it has ended.
    var hasEnded: Bool {
      var information = unsafe siginfo_t()
      let code = unsafe waitid(P_PID, id_t(process), &information, WEXITED | WNOHANG | WNOWAIT)
      return unsafe code != 0 || information._sifields._sigchld.si_pid == process
    }

    /// Waits for its end.
    func outcome() throws -> Outcome {
      let status = try wait()
      let seconds = (ContinuousClock.now - start) / .seconds(1)
      return Outcome(
        status: status, output: try text("stdout"), errors: try text("stderr"), seconds: seconds)
    }

    private func wait() throws -> Int32 {
      var status: Int32 = 0
      while true {
        let ended = unsafe waitpid(process, &status, WNOHANG)
        if ended == process { break }
        guard ended == 0 || errno == EINTR else { throw Failure("waitpid: error \(errno)") }
        if ContinuousClock.now - start > .seconds(command.secondsAllowed) {
          kill(process, SIGKILL)
          _ = unsafe waitpid(process, &status, 0)
          throw Failure("\(command.executable): did not end within \(command.secondsAllowed) s")
        }
        usleep(300)
      }
      let signal = status & 0x7f
      return signal == 0 ? status >> 8 & 0xff : 128 + signal
    }

    private func text(_ stream: String) throws -> String {
      let url = URL(fileURLWithPath: command.scratch + "/" + stream)
      return String(decoding: try Data(contentsOf: url), as: UTF8.self)
    }
  }
}

/// What cannot be gone on from.
struct Failure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
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
