import Platform
import Foundation
import Glibc
import TestSupport
@testable import Compression

/// The reader of ZIP archives: whatever it takes it reads as the slow reader does, whose rules are wider.
enum ZipTarget: FuzzTarget {
  static let name = "zip"
  private static let outputLimit = 8 << 10
  private static let path = FileManager.default.temporaryDirectory.path + "/fuzz-zip-\(getpid())"

  static func check(_ input: FuzzInput, makesMistake: Bool) {
    var input = input
    let inputCapacity = input.number(2...66)
    let outputSize = input.number(1...300)
    let isBuilt = input.number(0...3) > 0
    let file = isBuilt ? builtArchive(&input) : input.data
    writeFile(path, file)
    let expected = SlowZipReader(file, outputLimit: outputLimit).files
    let context = "\(file), buffers \(inputCapacity) and \(outputSize)"
    do throws(ZipError) {
      let entries = try entries(makesMistake)
      require(entries.map(\.name) == expected.map(\.name), "other names: \(context)")
      require(Set(entries.map(\.name)).count == entries.count, "a name twice: \(context)")
      for (entry, expected) in zip(entries, expected) where entry.size <= outputLimit {
        guard let bytes = try? bytes(of: entry, inputCapacity, outputSize) else { continue }
        require(
          bytes == expected.bytes, "\(bytes), not \(String(describing: expected.bytes)): \(context)"
        )
      }
    } catch {
      return
    }
  }

  private static func open() throws(ZipError) -> FileReader {
    do throws(FileError) {
      return try FileReader(path: path)
    } catch {
      throw .readFailed(code: error.code)
    }
  }

  /// The files; the mistake: the last one is forgotten.
  private static func entries(_ makesMistake: Bool) throws(ZipError) -> [ZipEntry] {
    let files = try ZipDirectory(of: open()).entries.filter { !$0.isFolder }
    return makesMistake ? files.dropLast() : files
  }

  private static func bytes(
    of entry: ZipEntry, _ inputCapacity: Int, _ outputSize: Int
  ) throws(ZipError) -> [UInt8] {
    var reader = try ZipEntryReader(open(), entry, inputCapacity: inputCapacity)
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: outputSize)
    while true {
      var room = piece.mutableSpan
      let count = try reader.read(into: &room)
      bytes += piece[..<count]
      if count < outputSize { return bytes }
    }
  }

  /// An archive of the data, with choices that a sound one has, and with one byte changed.
  private static func builtArchive(_ input: inout FuzzInput) -> [UInt8] {
    let flags = input.number(0...255)
    let change = (place: input.number(0...1023), bits: UInt8(input.number(0...255)))
    let text = String(decoding: input.data.prefix(outputLimit / 3), as: UTF8.self)
    var archive = ZipBuilder([
      .init("a", text, isStored: flags & 1 != 0), .init("b/", "", isStored: true),
      .init("b/c", String(text.utf8.count), isStored: flags & 2 != 0),
    ])
    archive.isWide = flags & 4 != 0
    archive.entries[0].hasDescriptor = flags & 8 != 0
    if flags & 16 != 0 { archive.prefix = Array("#!".utf8) }
    if flags & 32 != 0 { archive.comment = [0x50, 0x4b, 5, 6, 0] }
    if flags & 64 != 0 { archive.entries[2].extra = [9, 9, 1, 0, 7] }
    var file = archive.bytes
    if change.place < file.count { file[change.place] ^= change.bits }
    return file
  }

  static let seeds: [[UInt8]] = {
    let text = "id,name\n1,red\n"
    var archive = ZipBuilder([.init("a", text), .init("b", text, isStored: true)])
    let plain = archive.bytes
    archive.isWide = true
    archive.entries[0].hasDescriptor = true
    // The choices after the data are taken from the end, so zeros stand for the archive as it is.
    let asItIs = [UInt8](repeating: 0, count: 4)
    let built = (0..<8).map { flags in
      Array(text.utf8) + [0, 0, 0, UInt8(flags * 36), 1] + [UInt8](repeating: 0, count: 3)
    }
    return [plain + asItIs, archive.bytes + asItIs] + built
  }()
}
