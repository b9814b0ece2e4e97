import CFuzz
import Glibc

/// The command `fuzz`: hands one thing that reads bytes to libFuzzer.
///
///     fuzz run TARGET [FOLDER] [libFuzzer's options]
///     fuzz find-mistake TARGET [FOLDER] [libFuzzer's options]
///     fuzz write-seeds TARGET FOLDER
///
/// With `find-mistake` the harness makes a mistake that has to be found: the proof that this target can find one.
@main
enum Fuzz {
  static func main() {
    let words = CommandLine.arguments.dropFirst()
    switch words.first {
    case "run", "find-mistake": fuzz()
    case "write-seeds": writeSeeds(to: words.dropFirst(2).first ?? ".")
    default: fatalError("fuzz run|find-mistake|write-seeds TARGET [FOLDER]")
    }
  }

  private static let makesMistake = CommandLine.arguments.dropFirst().first == "find-mistake"

  private static let target = findTarget()

  private static func findTarget() -> any FuzzTarget.Type {
    let name = CommandLine.arguments.dropFirst(2).first
    let all: [any FuzzTarget.Type] = [
      GzipTarget.self, ZipTarget.self, CSVTarget.self, HeaderTarget.self, IndexTarget.self,
      PipelineTarget.self, DescriptionTarget.self, CatalogTarget.self,
    ]
    guard let target = all.first(where: { $0.name == name }) else {
      fatalError("the targets are \(all.map { $0.name })")
    }
    return target
  }

  private static func fuzz() {
    // libFuzzer takes the target's name for that of the command.
    var count = CommandLine.argc - 2
    var words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? =
      unsafe CommandLine.unsafeArgv + 2
    _ = unsafe LLVMFuzzerRunDriver(&count, &words) { bytes, count in
      let bytes = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
      Fuzz.target.check(FuzzInput(bytes), makesMistake: Fuzz.makesMistake)
      return 0
    }
  }

  private static func writeSeeds(to folder: String) {
    for (index, seed) in target.seeds.enumerated() {
      writeFile("\(folder)/seed-\(index)", seed)
    }
  }
}

/// Something that is fuzzed.
protocol FuzzTarget: SendableMetatype {
  /// What it is called on the command line.
  static var name: String { get }
  /// Inputs to begin with.
  static var seeds: [[UInt8]] { get }
  /// Ends the process if what is made of `input` is wrong.
  static func check(_ input: FuzzInput, makesMistake: Bool)
}

/// Ends the process, with what differs.
func require(_ isSound: Bool, _ message: @autoclosure () -> String) {
  guard !isSound else { return }
  fatalError(message())
}

/// Ends the process if a message has characters by which a terminal can be controlled.
func requirePlain(_ message: String) {
  let isPlain = message.unicodeScalars.allSatisfy {
    ![.control, .format, .lineSeparator, .paragraphSeparator].contains(
      $0.properties.generalCategory)
  }
  require(isPlain, "a message has characters that control: \(message.debugDescription)")
}

/// Writes a file anew.
func writeFile(_ path: String, _ bytes: [UInt8]) {
  let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
  let count = unsafe bytes.withUnsafeBytes { bytes in
    unsafe write(descriptor, bytes.baseAddress, bytes.count)
  }
  close(descriptor)
  require(count == bytes.count, "\(path): cannot be written")
}

/// The bytes of a file; nil if it is not there.
func readFile(_ path: String) -> [UInt8]? {
  let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return nil }
  defer { close(descriptor) }
  var status = stat()
  unsafe fstat(descriptor, &status)
  var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
  let count = unsafe bytes.withUnsafeMutableBytes { bytes in
    unsafe read(descriptor, bytes.baseAddress, bytes.count)
  }
  require(count == bytes.count, "\(path): cannot be read")
  return bytes
}
