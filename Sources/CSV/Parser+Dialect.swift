extension Parser {
  /// Parses the records of a block in a dialect, as `parse` does for the standard one.
  mutating func parse(
    _ block: Span<UInt8>, isLast: Bool, in dialect: Dialect,
    _ fields: inout MutableSpan<RecordBatch.Field>, _ batch: inout RecordBatch
  ) {
    while batch.parsed < block.count || (skip != nil && isLast) {
      guard batch.records.count < batch.recordCapacity,
        fields.count - batch.fieldCount >= fieldLimit
      else { break }
      let goesOn =
        if skip != nil {
          skipOn(block, isLast: isLast, &batch)
        } else if isInComment {
          skipComment(block, isLast: isLast, dialect, &batch)
        } else {
          parseRow(block, isLast: isLast, dialect, &fields, &batch)
        }
      guard goesOn else { break }
    }
  }

  /// Parses one blank line or record, or begins a comment; false if the block ends first.
  private mutating func parseRow(
    _ block: Span<UInt8>, isLast: Bool, _ dialect: Dialect,
    _ fields: inout MutableSpan<RecordBatch.Field>, _ batch: inout RecordBatch
  ) -> Bool {
    let start = batch.parsed
    let beginning = dialect.plainLexeme(in: block, at: start, isLast: isLast)
    if beginning.kind == .lineEnd {
      beginRow()
      countBlankLine(length: beginning.length)
      batch.parsed += beginning.length
      return true
    }
    switch dialect.comment?.match(in: block, at: start) ?? .none {
    case .cut where !isLast: return false
    case .whole:
      beginRow()
      isInComment = true
      return true
    case .cut, .none: return parseRecord(block, isLast: isLast, dialect, &fields, &batch)
    }
  }

  mutating func parseRecord(
    _ block: Span<UInt8>, isLast: Bool, _ dialect: Dialect,
    _ fields: inout MutableSpan<RecordBatch.Field>, _ batch: inout RecordBatch
  ) -> Bool {
    let start = batch.parsed
    var room = fields._mutatingExtracting(batch.fieldCount..<batch.fieldCount + fieldLimit)
    var scan = DialectScan(from: start, isLast: isLast, in: dialect)
    scan.run(over: block, fields: &room, unescaped: &batch.unescaped)
    guard let end = scan.found.end else {
      guard block.count - start > recordLimit else { return false }
      beginRow()
      skip = RecordSkip(offset: offset, line: line, in: dialect)
      return true
    }
    let isPassed = beginRow()
    // A skipped row with an open quote would swallow the rest of the file, which cannot be intended.
    if isPassed, !scan.found.faults.contains(.unterminatedQuote) {
      pass(end - start)
      batch.parsed = end
      line += scan.found.innerLineFeeds + (scan.found.lineEnd == .none ? 0 : 1)
      return true
    }
    append(scan.found, bytes: start..<end, to: &batch)
    return true
  }

  /// Skips a comment up to its line end, or the end of the block; false if the block ends first.
  private mutating func skipComment(
    _ block: Span<UInt8>, isLast: Bool, _ dialect: Dialect, _ batch: inout RecordBatch
  ) -> Bool {
    var index = batch.parsed
    defer {
      pass(index - batch.parsed)
      batch.parsed = index
    }
    while index < block.count {
      let lexeme = dialect.plainLexeme(in: block, at: index, isLast: isLast)
      guard lexeme.kind != .cut else { return false }
      index += lexeme.length
      if lexeme.kind == .lineEnd {
        isInComment = false
        line += 1
        return true
      }
    }
    return false
  }

  private mutating func pass(_ length: Int) {
    passedBytes += length
    offset += length
  }

  /// Counts a row, and returns whether to skip it.
  @discardableResult
  private mutating func beginRow() -> Bool {
    rows += 1
    guard metPassedRows < passedRows.count, passedRows[metPassedRows] == rows else { return false }
    metPassedRows += 1
    return true
  }
}
