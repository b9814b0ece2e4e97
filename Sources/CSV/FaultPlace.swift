extension Record.Faults {
  /// Finds where the first fault of one kind is in a record that has it.
  ///
  /// A record itself tells the place of its first fault alone, which is enough to reject it.
  ///
  /// - Parameter bytes: those of the record, the line end included.
  /// - Returns: The offset of the byte and the index of its field, or nil if there is no such fault.
  package func firstPlace(in bytes: Span<UInt8>) -> (byte: Int, field: Int)? {
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
    var walk = FieldWalk()
    for index in bytes.indices {
      if index == target { return (index, walk.field) }
      let fault = walk.step(
        over: bytes[index], next: index + 1 < bytes.count ? bytes[index + 1] : nil)
      if fault == self { return (index, walk.field) }
    }
    return nil
  }
}

/// A walk over a record, byte by byte, that knows which field it is in.
private struct FieldWalk {
  /// The index of the field; after a fault it stays.
  private(set) var field = 0
  private var place = Place.fieldStart

  private enum Place { case fieldStart, plain, quoted, afterQuote, faulty }

  /// Advances by a byte, and returns the fault that it is.
  mutating func step(over byte: UInt8, next: UInt8?) -> Record.Faults? {
    switch (place, byte) {
    case (.faulty, _): break
    case (.quoted, Byte.quote): place = .afterQuote
    case (.quoted, _): break
    case (.afterQuote, Byte.quote), (.fieldStart, Byte.quote): place = .quoted
    case (_, Byte.comma):
      place = .fieldStart
      field += 1
    case (_, Byte.lineFeed): break
    case (_, Byte.carriageReturn):
      guard next != Byte.lineFeed else { break }
      place = .faulty
      return .bareCarriageReturn
    case (.plain, Byte.quote):
      place = .faulty
      return .strayQuote
    case (.afterQuote, _):
      place = .faulty
      return .textAfterQuote
    default: place = .plain
    }
    return nil
  }
}
