import Glibc

/// Runs a program to its end.
///
/// It is not the one of the tests, which needs Foundation; a benchmark loads no more than the command.
enum ChildProcess {
  /// What became of a program.
  struct Outcome {
    /// The seconds on the clock from its start to its end.
    let seconds: Double
    /// What it wrote to standard output.
    let output: String

    /// The numbers, with a space between them, that a part of the benchmark tells of itself.
    func numbers(_ count: Int, from task: String) throws(Failure) -> [Int] {
      let numbers = output.split(separator: " ").compactMap { Int($0) }
      guard numbers.count == count else {
        throw .fault("\(task) told '\(output)' instead of \(count) numbers")
      }
      return numbers
    }
  }

  /// Runs the program at `path`; what it writes to standard error goes where this one's goes.
  ///
  /// - Throws: `Failure` if it cannot be started, or ends with another status than 0.
  static func run(_ path: String, _ arguments: [String]) throws -> Outcome {
    var output = ""
    let seconds = try clockSeconds {
      let (process, pipe) = try start(path, arguments)
      output = readAll(pipe)
      close(pipe)
      var status: Int32 = 0
      while unsafe waitpid(process, &status, 0) < 0 && errno == EINTR {}
      guard status == 0 else {
        let words = ([path] + arguments).joined(separator: " ")
        // The lower seven bits of a wait status are the signal, the byte above is what exit was given.
        let signal = status & 0x7f
        let reason = signal == 0 ? "exit status \(status >> 8 & 0xff)" : "signal \(signal)"
        throw Failure.fault("\(words) ended with \(reason)")
      }
    }
    return Outcome(seconds: seconds, output: output)
  }

  /// Starts the program, and returns the end of the pipe from which its output can be read.
  private static func start(
    _ path: String, _ arguments: [String]
  ) throws(Failure) -> (pid_t, Int32) {
    var pipe: [Int32] = [-1, -1]
    guard unsafe Glibc.pipe(&pipe) == 0 else { throw .cannotCreate("a pipe") }
    for end in pipe { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(pipe[1]) }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, pipe[1], STDOUT_FILENO)
    // What this process ignores, to clear up when it is interrupted, ends its children.
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    for number in [SIGINT, SIGTERM] { unsafe sigaddset(&signals, number) }
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    var words: [UnsafeMutablePointer<CChar>?] =
      unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
    defer { unsafe words.forEach { unsafe free($0) } }
    var process: pid_t = 0
    let code = unsafe posix_spawn(&process, path, &actions, &attributes, &words, environ)
    guard code == 0 else {
      close(pipe[0])
      throw .fault("\(path) cannot be started: \(unsafe String(cString: strerror(code)))")
    }
    return (process, pipe[0])
  }

  private static func readAll(_ descriptor: Int32) -> String {
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = unsafe block.withUnsafeMutableBytes { buffer in
        unsafe read(descriptor, buffer.baseAddress, buffer.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
      bytes += block[..<count]
    }
  }
}
