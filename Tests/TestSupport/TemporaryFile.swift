import Foundation

/// A file with some bytes, which goes away with the value.
package struct TemporaryFile: ~Copyable {
  package let path: String

  package init(_ bytes: [UInt8]) throws {
    path = NSTemporaryDirectory() + "test-\(UUID().uuidString)"
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
