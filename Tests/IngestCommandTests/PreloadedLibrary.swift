import Foundation
import TestSupport

/// Compiles a library whose functions replace those of other libraries in a run.
///
/// - Parameters:
///   - name: Its name, without the extension.
///   - source: Its source in C.
/// - Returns: Its path, beside these tests.
func preloadedLibrary(_ name: String, _ source: String) -> Result<String, any Error> {
  Result {
    let path = try Command.testFolder() + "/" + name
    let new = path + UUID().uuidString
    try Data(source.utf8).write(to: URL(fileURLWithPath: new + ".c"))
    defer { try? FileManager.default.removeItem(atPath: new + ".c") }
    let outcome = try ChildProcess(
      "/usr/bin/env", ["clang", "-shared", "-fPIC", "-o", new, new + ".c", "-ldl"]
    ).run()
    // Other tests may use the old one.
    guard outcome.status == 0, unsafe rename(new, path + ".so") == 0 else {
      throw ChildProcess.Failure(description: outcome.errors)
    }
    return path + ".so"
  }
}
