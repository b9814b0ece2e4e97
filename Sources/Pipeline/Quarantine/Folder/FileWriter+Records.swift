import CSV
import SourceFiles
import Facts
import Files

/// Records of a dump are written byte for byte; what is added so that they can be read again is returned as a count of
/// bytes.
extension FileWriter {
  /// Writes the header of a dump, without a byte order mark that precedes it there, so that a reader of this file gets
  /// the same names; returns the bytes of all that was written.
  mutating func append(header: [UInt8], _ layout: SourceLayout) throws(IngestError) -> Int {
    let marked = try append(markBefore: header.span)
    try append(header.span)
    return marked + header.count + (try endLine(after: header.span, layout))
  }

  /// Writes a byte order mark before what a file begins with, if that itself begins with the bytes of one, so that
  /// there is one that can be skipped.
  mutating func append(markBefore bytes: Span<UInt8>) throws(IngestError) -> Int {
    let mark: [UInt8] = [0xef, 0xbb, 0xbf]
    guard bytes.count >= mark.count, mark.indices.allSatisfy({ bytes[$0] == mark[$0] }) else {
      return 0
    }
    try append(mark.span)
    return mark.count
  }

  /// Adds a line end after a record that has none, so that none runs into the next one.
  mutating func endLine(
    after record: Span<UInt8>, _ layout: SourceLayout
  ) throws(IngestError) -> Int {
    let end = layout.lineEnd(after: record)
    try append(end.span)
    return end.count
  }

  /// Reads a dump once more and appends ranges of its decompressed bytes, which rise, and a line end after each.
  ///
  /// Memory is constant. No more is read than a range has, so that damage after the last one does not matter.
  ///
  /// - Throws: `IngestError` if the dump or this file fails, or if the dump has changed since `identity` was opened.
  mutating func append(
    _ ranges: some Sequence<Range<Int>>, of file: SourceFolder.File, _ identity: FileIdentity?
  ) throws(IngestError) -> Int {
    var reader = try SourceReader(file)
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
