import SourceFiles
import Facts
import Files

extension FileWriter {
  /// Reads a dump once more and appends ranges of its decompressed bytes, each of which then ends with a
  /// line end; memory is constant.
  ///
  /// No more is read than a range has, so that damage after the last one does not matter.
  ///
  /// - Parameters:
  ///   - ranges: the places of the bytes, in their order.
  ///   - file: the dump.
  ///   - identity: what was opened there when it was read; nil if the system did not say.
  /// - Returns: The bytes of the line ends that were added.
  /// - Throws: `IngestError` if the dump or this file fails, or if the dump has changed since.
  mutating func append(
    _ ranges: some Sequence<Range<Int>>, of file: DumpFolder.File, _ identity: FileIdentity?
  ) throws(IngestError) -> Int {
    var reader = try DumpReader(file)
    try reader.check(identity)
    var block = [UInt8](repeating: 0, count: 64 << 10)
    var offset = 0
    var added = 0
    for range in ranges {
      while offset < range.upperBound {
        let isInside = offset >= range.lowerBound
        let wanted = min(block.count, (isInside ? range.upperBound : range.lowerBound) - offset)
        let count = try reader.read(wanted, into: &block)
        guard count == wanted else {
          throw IngestError(.inputOutput, "\(file.path): was changed while it was read.")
        }
        offset += count
        guard isInside else { continue }
        try append(block.span.extracting(0..<count))
        guard offset == range.upperBound else { continue }
        added += try endLine(after: block.span.extracting(0..<count), file.layout)
      }
    }
    try reader.check(identity)
    return added
  }
}
