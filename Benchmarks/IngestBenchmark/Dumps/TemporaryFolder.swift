import Dispatch
import Glibc

/// A folder for the files of this run.
struct TemporaryFolder {
  let path: String
  private let interruptions: [any DispatchSourceSignal]

  /// Makes it in `TMPDIR`, or in `/tmp`; an interrupted run removes it.
  init() throws(Failure) {
    let parent = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    // mkdtemp(3) requires six X at the end, and replaces them.
    let template = "\(parent)/ingest-benchmark-XXXXXX"
    var bytes = Array(template.utf8CString)
    guard unsafe mkdtemp(&bytes) != nil else { throw .cannotCreate(template) }
    let path = String(decoding: bytes.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    self.path = path
    interruptions = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        removeFolder(path)
        exit(128 + number)
      }
      source.resume()
      return source
    }
  }

  /// Removes it with its contents.
  func remove() {
    interruptions.forEach { $0.cancel() }
    removeFolder(path)
  }
}

/// Removes a folder with its contents, as far as possible.
func removeFolder(_ path: String) { _ = try? ChildProcess.run("/bin/rm", ["-rf", path]) }
