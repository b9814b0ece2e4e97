import DumpGenerator
import Glibc

/// Runs the command, and returns its exit status, one of sysexits.h.
func run(_ arguments: some Sequence<String>) -> Int32 {
  do throws(UsageError) {
    return perform(try Job(arguments))
  } catch {
    write("generate-dumps: \(error.message); see generate-dumps --help\n", to: STDERR_FILENO)
    return EX_USAGE
  }
}

private func perform(_ job: Job) -> Int32 {
  do throws(DumpError) {
    switch job {
    case .help:
      write(Job.usage, to: STDOUT_FILENO)
    case .dumps(let directory, let rows, let seed, let era, let isCompressed):
      let dumps = DumpSet(rows: rows, seed: seed, era: era)
      try dumps.write(to: directory, compressed: isCompressed)
    case .feed(let directory, let stopTimes, let badRecords, let seed):
      try TransitFeed(stopTimes: stopTimes, badRecords: badRecords, seed: seed).write(to: directory)
    case .fixtures(let directory):
      try Fixtures.write(to: directory)
    }
    return EX_OK
  } catch {
    write("generate-dumps: \(error.message)\n", to: STDERR_FILENO)
    return switch error {
    case .cannotCreate, .otherSpellingExists: EX_CANTCREAT
    case .writeFailed: EX_IOERR
    }
  }
}

/// Writes a message.
///
/// A failure is ignored.
private func write(_ text: String, to descriptor: Int32) {
  let bytes = Array(text.utf8)
  _ = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
}
