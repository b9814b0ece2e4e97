import Compression

/// The description of dumps that a run was given.
package struct GivenDescription: Equatable, Sendable {
  /// How it was named: as a path, or as a word.
  package let name: String
  /// What it says, which a file keeps.
  package let text: String
  /// The bytes of that.
  package let size: Int
  package let crc32: UInt32

  /// - Parameters:
  ///   - name: how it was named.
  ///   - text: what it says, by which a change of it is noticed.
  package init(_ name: String, saying text: String) {
    self.name = name
    self.text = text
    size = text.utf8.count
    var sum = CRC32()
    sum.append(Array(text.utf8).span)
    crc32 = sum.value
  }
}
