import Foundation
import Testing

/// Source files that are written while they are read.
@Suite struct ChangingFileTests {
  /// The change to `themes.csv`, repeated during the run.
  @Test(
    arguments: [
      "printf '1' >>\"$2\"", "printf i | dd of=\"$2\" conv=notrunc 2>/dev/null",
      "truncate -s -100 \"$2\"",
      "touch \"$2\"",
    ])
  func `a source file written during the run is not loaded`(change: String) throws {
    let command = try Command()
    try expectRefusal(
      of: 50_000, while: "(while [ ! -e stop ]; do \(change); sleep 0.02; done)",
      by: command, "--max-rejects", "100%")
    #expect(!FileManager.default.fileExists(atPath: command.folder + "/c.sqlite"))
  }

  /// The themes are read twice, and must be the same both times.
  @Test
  func `a source file replaced during the run is not loaded from both versions`() throws {
    let command = try Command()
    try expectRefusal(
      of: 100_000,
      while:
        "(cp \"$2\" other; while [ ! -e stop ]; do cp other new; mv new \"$2\"; sleep 0.01; done)",
      by: command)
  }

  /// Loads themes while a shell loop changes them, which must be detected.
  private func expectRefusal(
    of themes: Int, while loop: String, by command: Command, _ options: String...
  ) throws {
    var dump = "id,name,parent_id\n"
    for index in 1...themes { dump += "\(index),theme,\n" }
    let dumps = try command.makeDumps(["themes.csv": Array(dump.utf8)])
    let script = """
      \(loop) & changer=$!
      "$0" --source "$1" --out c.sqlite --allow-missing all \(options.joined(separator: " ")) 2>errors
      status=$?
      touch stop; wait $changer
      exit $status
      """
    #expect(try command.shell(script, [dumps, dumps + "/themes.csv"]) == 74)
    let errors = try String(contentsOfFile: command.folder + "/errors", encoding: .utf8)
    #expect(
      errors.contains("\(dumps)/themes.csv: was changed while it was being read."), "\(errors)")
  }
}
