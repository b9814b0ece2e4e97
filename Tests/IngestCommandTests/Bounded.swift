import GzipWriting
import Foundation
import TestSupport
import Testing

/// A run of the command and its peak memory.
struct MeasuredRun {
  let result: ChildProcess.Outcome
  /// Peak memory in bytes, as the kernel reports it while the process runs.
  let peakBytes: Int
}

extension Command {
  /// The memory limit for any input.
  static let memoryLimit = 256 << 20

  /// A release build if there is one, which is fast enough for gigabytes; otherwise the build of these tests.
  private static func fastExecutable() throws -> String {
    let release = package + "/.build/release/ingest"
    return FileManager.default.fileExists(atPath: release) ? release : try executable()
  }

  /// Runs the command and samples its memory every few milliseconds.
  ///
  /// The kernel's figure for a finished process would include the memory of these tests at its start.
  ///
  /// - Parameters:
  ///   - arguments: the arguments of the command.
  ///   - isLong: whether there are gigabytes to read.
  ///   - status: the exit status that is expected, if any.
  ///   - location: the place of the expectation.
  /// - Returns: The outcome.
  /// - Throws: an error of Foundation if the command cannot be started.
  func measure(
    _ arguments: [String], isLong: Bool = false, status: Int32? = nil,
    at location: SourceLocation = #_sourceLocation
  ) throws -> MeasuredRun {
    let executable = try isLong ? Self.fastExecutable() : Self.executable()
    let running = try ChildProcess(executable, arguments, folder: folder).start()
    var peak = 0
    while !running.hasEnded {
      peak = max(peak, Self.peakBytes(of: running.number) ?? 0)
      Thread.sleep(forTimeInterval: 0.005)
    }
    return MeasuredRun(
      result: try running.outcome().expecting(status, location), peakBytes: peak)
  }

  /// The same for a load of dumps, of which any may be missing.
  func measure(
    loading dumps: String, _ options: String..., isLong: Bool = false, status: Int32? = nil,
    at location: SourceLocation = #_sourceLocation
  ) throws -> MeasuredRun {
    try measure(
      ["--source", dumps, "--out", catalog, "--allow-missing", "all"] + options, isLong: isLong,
      status: status, at: location)
  }

  private static func peakBytes(of process: Int32) -> Int? {
    guard let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") })
    else { return nil }
    return line.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 << 10 }
  }

  /// Creates the folder of source files.
  func makeDumps(_ files: [String: [UInt8]]) throws -> String {
    let dumps = folder + "/dumps"
    try makeFolder(dumps)
    for (name, bytes) in files {
      try Data(bytes).write(to: URL(fileURLWithPath: "\(dumps)/\(name)"))
    }
    return dumps
  }
}

/// A gzip member of these bytes.
func gzipMember(_ bytes: [UInt8]) -> [UInt8] {
  var writer = GzipWriter()
  writer.write(bytes.span)
  return writer.finish()
}

/// A text shown by its parts.
struct LongText: CustomTestStringConvertible {
  var head = ""
  let unit: String
  let count: Int
  var tail = ""

  var bytes: [UInt8] { Array((head + String(repeating: unit, count: count) + tail).utf8) }
  var testDescription: String {
    "\(head.debugDescription) + \(count) * \(unit.prefix(9).debugDescription) + "
      + tail.debugDescription
  }
}

/// A small file that decompresses to a large one.
struct Bomb {
  private static let unitBytes = 64 << 20

  /// Writes `head`, gigabytes of `byte`, and `tail`.
  static func write(
    _ path: String, head: String = "", _ unit: String, gibibytes: Int, tail: String = ""
  ) throws {
    let pattern = Array(unit.utf8)
    var block: [UInt8] = []
    block.reserveCapacity(unitBytes)
    // Doubling, because appending one by one takes seconds in a debug build.
    block = pattern
    while block.count * 2 <= unitBytes { block += block }
    let member = gzipMember(block)
    let count = (gibibytes << 30) / block.count
    try Data(gzipMember(Array(head.utf8))).write(to: URL(fileURLWithPath: path))
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.seekToEnd()
    for _ in 0..<count { try file.write(contentsOf: Data(member)) }
    try file.write(contentsOf: Data(gzipMember(Array(tail.utf8))))
    try file.close()
  }
}

/// Characters that control a terminal or break a line.
func controls(in text: String) -> [Unicode.Scalar] {
  text.unicodeScalars.filter {
    $0 != "\n" && [.control, .format].contains($0.properties.generalCategory)
  }
}
