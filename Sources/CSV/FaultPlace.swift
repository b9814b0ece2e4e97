extension Record.Faults {
  /// Finds the byte and the field of the first fault of one kind in a record, including its line
  /// end; the record itself stores only the position of its first fault.
  package func firstPlace(
    in bytes: Span<UInt8>, dialect: Dialect = .standard
  ) -> (byte: Int, field: Int)? {
    var target: Int?
    switch self {
    case .nulByte: target = bytes.indices.first { bytes[$0] == Byte.nul }
    case .invalidUTF8:
      do throws(UTF8.ValidationError) {
        _ = try UTF8Span(validating: bytes)
      } catch {
        target = error.byteOffsets.lowerBound
      }
    default: break
    }
    let isText = self == .nulByte || self == .invalidUTF8
    guard !isText || target != nil else { return nil }
    var walk = DialectWalk(in: dialect)
    // Unchanged after a fault.
    var field = 0
    var index = 0
    while index < bytes.count {
      let lexeme = dialect.lexeme(in: bytes, at: index, isLast: true)
      let next = index + lexeme.length
      if let target, target < next { return (target, field) }
      switch walk.step(over: lexeme) {
      case .fault(self): return (index, field)
      case .fieldEnd: field += 1
      default: break
      }
      index = next
    }
    return nil
  }
}
