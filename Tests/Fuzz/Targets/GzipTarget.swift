import GzipWriting
import CFuzz
import Platform
import Glibc
@testable import Compression

/// The gzip reader: whatever the sizes of buffers and reads, it takes and refuses what the slow reader
/// takes and refuses, and gives the same bytes.
enum GzipTarget: FuzzTarget {
  static let name = "gzip"
  /// Deflate makes a byte into up to 1032, which would be read one by one.
  private static let outputLimit = 8 << 10

  static func check(_ input: FuzzInput, makesMistake: Bool) {
    var input = input
    let inputCapacity = input.number(2...66)
    let outputSize = input.number(1...300)
    let pieces = (0..<input.number(0...3)).map { _ in UInt8(input.number(0...20)) }
    let error = input.number(0...15) == 15 ? EIO : 0
    let file = file(&input)
    let expected = SlowGzipReader(file, outputLimit: outputLimit)
    guard expected.verdict != .tooLarge else { return }
    let got = unsafe pieces.withUnsafeBufferPointer { pieces in
      unsafe file.withUnsafeBufferPointer { file in
        unsafe serve_bytes(file.baseAddress, file.count, pieces.baseAddress, pieces.count, error)
        defer { serve_files() }
        return Reading(
          inputCapacity: inputCapacity, outputSize: outputSize, forgetsCuts: makesMistake)
      }
    }
    let context = "\(file), buffers \(inputCapacity) and \(outputSize), reads \(pieces): \(got)"
    if error != 0 {
      // What is wrong before the place of the read error may be found first.
      let isFirst = ![.sound, .truncated(offset: file.count)].contains(got.verdict)
      require(
        got.error == .readFailed(code: error) || isFirst && got.verdict == expected.verdict,
        "a read error is not the end of the file: \(context)")
      return
    }
    require(got.verdict == expected.verdict, "expected \(expected.verdict): \(context)")
    guard got.verdict == .sound else { return }
    require(got.bytes == expected.bytes, "expected \(expected.bytes): \(context)")
    require(got.members == expected.members, "expected \(expected.members) members: \(context)")
    require(got.crc32 == SlowGzipReader.crc32(expected.bytes[...]), "another checksum: \(context)")
    let timeStamp = expected.timeStamp == 0 ? nil : expected.timeStamp
    let header = GzipHeader(timeStamp: timeStamp, name: expected.name.map { Array($0.prefix(255)) })
    require(got.header == header, "expected \(header): \(context)")
  }

  /// The file that is read: the data as they are, or in a member around them.
  private static func file(_ input: inout FuzzInput) -> [UInt8] {
    let shape = input.number(0...3)
    let level = Int32(input.number(0...9))
    let padding = [UInt8](repeating: 0, count: input.number(0...3) == 3 ? 3 : 0)
    let change = (place: input.number(0...1023), bits: UInt8(input.number(0...255)))
    let data = input.data
    switch shape {
    case 1: return member(ofDeflateData: data) + padding
    case 2, 3:
      let half = shape == 2 ? data.count : data.count / 2
      var file = member(of: data[..<half], level) + member(of: data[half...], level) + padding
      if change.place < file.count { file[change.place] ^= change.bits }
      return file
    default: return data
    }
  }

  /// A member with a checksum that fits, if the data are sound; what follows them follows it.
  private static func member(ofDeflateData data: [UInt8]) -> [UInt8] {
    var inflate = SlowInflate(data[...], outputLimit: outputLimit)
    try? inflate.run()
    let crc32 = SlowGzipReader.crc32(inflate.output[...])
    let length = UInt32(truncatingIfNeeded: inflate.output.count)
    let trailer = [crc32, length].flatMap { number in
      (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    return [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3] + data[..<inflate.bytesRead] + trailer
      + data[inflate.bytesRead...]
  }

  private static func member(of data: ArraySlice<UInt8>, _ level: Int32) -> [UInt8] {
    var writer = GzipWriter(level: level)
    writer.write(data.span)
    return writer.finish()
  }

  static let seeds: [[UInt8]] = {
    let text = "id,name\n1,red\n2,blue\n"
    let whole = member(of: ArraySlice(text.utf8), 9)
    var named = whole
    named[3] = 8 | 16 | 2 | 4
    let fields = [2, 0, 65, 66] + Array("colors.csv\0comment\0".utf8)
    named.insert(contentsOf: fields, at: 10)
    let headerCRC = SlowGzipReader.crc32(named[..<(10 + fields.count)])
    let crcBytes = [
      UInt8(truncatingIfNeeded: headerCRC), UInt8(truncatingIfNeeded: headerCRC >> 8),
    ]
    named.insert(contentsOf: crcBytes, at: 10 + fields.count)
    let stored = member(of: ArraySlice(text.utf8), 0)
    let deflateData = Array(whole[10...].dropLast(8))
    let longText = (0..<40).map { "\($0),Brick \($0 * $0)\n" }.joined()
    let dynamic = Array(member(of: ArraySlice(longText.utf8), 9)[10...].dropLast(8))
    // The choices after the data are taken from the end, so zeros stand for the simplest.
    let plain = [UInt8](repeating: 0, count: 16)
    func choices(shape: UInt8) -> [UInt8] {
      [UInt8](repeating: 0, count: 8) + [shape, 0, 0, 100, 0, 30]
    }
    return [
      whole + plain, whole + stored + [0, 0, 0] + plain, named + plain, named + named + plain,
      deflateData + choices(shape: 1), dynamic + choices(shape: 1),
      Array(longText.utf8) + choices(shape: 2), Array(text.utf8) + choices(shape: 3),
    ]
  }()
}

/// What the gzip reader makes of the bytes that are served.
private struct Reading: CustomStringConvertible {
  var bytes: [UInt8] = []
  var members = 0
  var crc32: UInt32 = 0
  var header = GzipHeader(timeStamp: nil, name: nil)
  var error: GzipError?

  init(inputCapacity: Int, outputSize: Int, forgetsCuts: Bool) {
    do throws(FileError) {
      let file = try FileReader(path: "/dev/null")
      do throws(GzipError) {
        try read(GzipReader(file, inputCapacity: inputCapacity), outputSize: outputSize)
      } catch {
        self.error = error
      }
    } catch {
      self.error = .readFailed(code: error.code)
    }
    // The mistake: where a file is cut, it is taken to end.
    if forgetsCuts, !bytes.isEmpty, case .truncated = error { error = nil }
  }

  private mutating func read(
    _ reader: consuming GzipReader, outputSize: Int
  ) throws(GzipError) {
    var piece = [UInt8](repeating: 0, count: outputSize)
    while true {
      var room = piece.mutableSpan
      let count = try reader.read(into: &room)
      bytes += piece[..<count]
      members = reader.members
      crc32 = reader.crc32.value
      header = reader.header
      if count < outputSize { return }
    }
  }

  var verdict: SlowGzipReader.Verdict? {
    switch error {
    case nil: .sound
    case .notGzip: .notGzip
    case .truncated(let offset): .truncated(offset: offset)
    case .corrupt: .corrupt
    case .trailingData(let offset): .trailingData(offset: offset)
    case .readFailed: nil
    }
  }

  var description: String { error.map { "\($0)" } ?? "\(members) members, \(bytes)" }
}
