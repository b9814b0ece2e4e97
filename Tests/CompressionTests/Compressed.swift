import GzipWriting
import Platform
import Compression
import TestSupport

/// One gzip member with the text.
func member(_ text: String, level: Int32 = 9) -> [UInt8] { member(Array(text.utf8), level: level) }

/// One gzip member with the bytes.
func member(_ bytes: [UInt8], level: Int32 = 9) -> [UInt8] {
  var writer = GzipWriter(level: level)
  writer.write(bytes.span)
  return writer.finish()
}

/// All that a gzip file holds, read in pieces of `outputSize`.
func inflate(
  _ file: [UInt8], inputCapacity: Int = 64 << 10, outputSize: Int = 1 << 16
) throws -> (bytes: [UInt8], members: Int) {
  let temporary = try TemporaryFile(file)
  return try inflate(path: temporary.path, inputCapacity: inputCapacity, outputSize: outputSize)
}

/// All that the gzip file at a path holds, read in pieces of `outputSize`.
func inflate(
  path: String, inputCapacity: Int = 64 << 10, outputSize: Int = 1 << 16
) throws -> (bytes: [UInt8], members: Int) {
  var reader = try GzipReader(FileReader(path: path), inputCapacity: inputCapacity)
  var bytes: [UInt8] = []
  var piece = [UInt8](repeating: 0, count: outputSize)
  while true {
    var room = piece.mutableSpan
    let count = try reader.read(into: &room)
    bytes += piece[..<count]
    if count < outputSize { return (bytes, reader.members) }
  }
}

/// The error that reading a gzip file ends with, or nil.
func inflateError(
  _ file: [UInt8], inputCapacity: Int = 64 << 10, outputSize: Int = 1 << 16
) throws -> GzipError? {
  do {
    _ = try inflate(file, inputCapacity: inputCapacity, outputSize: outputSize)
    return nil
  } catch let error as GzipError {
    return error
  }
}

extension GzipError {
  var isTruncated: Bool { if case .truncated = self { true } else { false } }
}
