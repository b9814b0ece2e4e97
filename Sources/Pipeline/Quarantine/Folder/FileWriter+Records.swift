import CSV
import SourceFiles
import Facts
import Files

/// Records of a source file are written byte for byte; functions return the number of bytes added to make them readable.
extension FileWriter {
  /// Writes the header of a source file, without its byte order mark, so that a reader gets the same names; returns the
  /// number of bytes written.
  mutating func append(header: [UInt8], _ layout: SourceLayout) throws(IngestError) -> Int {
    let marked = try append(markBefore: header.span)
    try append(header.span)
    return marked + header.count + (try endLine(after: header.span, layout))
  }

  /// Writes a byte order mark before the first bytes of a file if they look like one, so that a reader skips the mark and
  /// not them.
  mutating func append(markBefore bytes: Span<UInt8>) throws(IngestError) -> Int {
    let mark: [UInt8] = [0xef, 0xbb, 0xbf]
    guard bytes.count >= mark.count, mark.indices.allSatisfy({ bytes[$0] == mark[$0] }) else {
      return 0
    }
    try append(mark.span)
    return mark.count
  }

  /// Adds the missing line end of a record, to separate it from the next one.
  mutating func endLine(
    after record: Span<UInt8>, _ layout: SourceLayout
  ) throws(IngestError) -> Int {
    let end = layout.lineEnd(after: record)
    try append(end.span)
    return end.count
  }

  /// Reads a source file again, and appends ascending ranges of its decompressed bytes, with a line end after each.
  ///
  /// Memory is constant. Reading stops at the end of the last range, so that later damage does not matter.
  ///
  /// - Throws: `IngestError` if either file fails, or if the source file has changed since `identity`.
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
        guard count == wanted else { throw .sourceChanged(file.path) }
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
