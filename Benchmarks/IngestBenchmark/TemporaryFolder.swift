import Glibc

/// A folder for the files of this run.
struct TemporaryFolder {
  let path: String

  /// Makes it in `TMPDIR`, or in `/tmp`.
  init() throws(Failure) {
    let parent = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    let template = "\(parent)/ingest-benchmark-XXXXXX"
    var bytes = Array(template.utf8CString)
    guard unsafe mkdtemp(&bytes) != nil else { throw .cannotCreate(template) }
    path = String(decoding: bytes.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Removes it; it must be empty.
  func remove() { _ = unsafe rmdir(path) }
}
