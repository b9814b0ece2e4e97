@testable import SQLiteDestination
@testable import Quarantine
@testable import Validation
@testable import Vocabulary
@testable import Platform
import Foundation
import SQLiteSwiftly
import Testing

@Suite struct CandidateFileTests {
  private func kindOfFailure(_ output: String) -> IngestError.Kind? {
    do throws(IngestError) {
      _ = try CandidateFile(
        for: IngestOptions(source: "", output: .file(path: output)), applicationID: 77, gate: Gate()
      )
      return nil
    } catch {
      return error.kind
    }
  }

  /// The bytes of a file; `Data(contentsOf:)` leaks on an empty one, as the address sanitizer finds.
  private func content(_ path: String) -> Data? {
    try? FileHandle(forReadingAtPath: path)?.readToEnd()
  }

  @Test func `what ingest did not make is not replaced`() throws {
    let workplace = try Workplace()
    let folder = workplace.path
    try Data("notes\n".utf8).write(to: URL(fileURLWithPath: folder + "/text"))
    let other = try Connection(folder + "/other.sqlite", opening: .createNew)
    try other.execute("PRAGMA application_id = 78")
    try other.execute("CREATE TABLE t (a)")
    for name in ["text", "other.sqlite", "dumps"] {
      let before = content(folder + "/" + name)
      #expect(kindOfFailure(folder + "/" + name) == .output, "\(name)")
      #expect(content(folder + "/" + name) == before)
    }
    #expect(kindOfFailure(folder + "/nowhere/out.sqlite") == .output)
    #expect(kindOfFailure(folder + "/out.sqlite") == nil)
    #expect(try workplace.names == ["dumps", "other.sqlite", "text"])
  }

  @Test func `one run at a time writes an output`() throws {
    let workplace = try Workplace()
    do {
      let first = try CandidateFile(
        for: IngestOptions(source: "", output: .file(path: workplace.output)), applicationID: 77,
        gate: Gate())
      #expect(kindOfFailure(workplace.output) == .locked)
      #expect(FileManager.default.fileExists(atPath: first.path))
    }
    #expect(kindOfFailure(workplace.output) == nil)
  }

  @Test func `the sync goes on beside the checks, whose failure is thrown`() throws {
    let workplace = try Workplace()
    let candidate = try CandidateFile(
      for: IngestOptions(source: "", output: .file(path: workplace.output)), applicationID: 77,
      gate: Gate())
    var isChecked = false
    try candidate.sync { isChecked = true }
    #expect(isChecked)
    let fault = IngestError(.fault, "not as it should be")
    #expect(throws: fault) { try candidate.sync { () throws(IngestError) in throw fault } }
    var size: Int?
    try candidate.publish(&size)
    #expect(size == 0)
  }

  @Test func `what a killed run left is used again`() throws {
    let workplace = try Family.workplace()
    let folder = workplace.path + "/.out.sqlite.ingest"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    for suffix in ["", "-journal", "-wal"] {
      let path = folder + "/database" + suffix
      try Data("left over".utf8).write(to: URL(fileURLWithPath: path))
    }
    #expect(load(workplace, Family.schema).error == nil)
    #expect(try workplace.names == ["dumps", "out.sqlite"])
    #expect(try workplace.rows("PRAGMA integrity_check") == ["'ok'"])
  }

  @Test(arguments: [
    ("-journal", [UInt8](repeating: 0, count: 512), false), ("-journal", [], false),
    ("-journal", [0xd9, 0xd5, 0x05, 0xf9], true), ("-wal", [], false),
    ("-wal", [0x37, 0x7f], true),
  ])
  func `an unfinished transaction beside the output stops the run`(
    suffix: String, bytes: [UInt8], isStopped: Bool
  ) throws {
    let workplace = try Family.workplace()
    #expect(load(workplace, Family.schema).error == nil)
    let before = try workplace.bytesOfOutput()
    try Data(bytes).write(to: URL(fileURLWithPath: workplace.output + suffix))
    // Also beside a file that is gone.
    for _ in 0..<2 {
      let error = load(workplace, Family.schema).error
      #expect(error?.kind == (isStopped ? .output : nil))
      let words = "out.sqlite\(suffix): another program"
      #expect(error?.message.contains(words) ?? true)
      if isStopped { try? FileManager.default.removeItem(atPath: workplace.output) }
    }
    if !isStopped { #expect(try workplace.bytesOfOutput() == before) }
  }

  /// The comparison reads the previous database long after its surroundings were checked.
  @Test func `a write-ahead log planted beside the previous database is not read`() throws {
    let workplace = try Family.workplace()
    #expect(load(workplace, Family.schema).error == nil)
    let copy = workplace.path + "/copy.sqlite"
    try FileManager.default.copyItem(atPath: workplace.output, toPath: copy)
    let connection = try Connection(copy, opening: .openExisting)
    _ = try connection.query("PRAGMA journal_mode = WAL")
    try connection.execute("CREATE VIEW planted AS SELECT 1 AS a")
    try FileManager.default.copyItem(atPath: copy + "-wal", toPath: workplace.output + "-wal")
    try connection.close()
    let comparison = DatabaseComparison(
      candidate: "", catalog: workplace.output, schema: Family.schema, timeout: 0)
    let error = #expect(throws: SQLiteError.self) { try comparison.openOld() }
    #expect(error?.message.contains("a write-ahead log is beside the file") == true)
  }

  @Test func `a symbolic link to nothing yet is followed, too`() throws {
    let workplace = try Family.workplace()
    try makeFolder(workplace.path + "/sub")
    try FileManager.default.createSymbolicLink(
      atPath: workplace.output, withDestinationPath: "sub/target.sqlite")
    #expect(load(workplace, Family.schema).error == nil)
    let link = try FileManager.default.destinationOfSymbolicLink(atPath: workplace.output)
    #expect(link == "sub/target.sqlite")
    #expect(FileManager.default.fileExists(atPath: workplace.path + "/sub/target.sqlite"))
  }

  @Test func `a symbolic link stays, its target is replaced and keeps its mode`() throws {
    let workplace = try Family.workplace()
    #expect(load(workplace, Family.schema).error == nil)
    let target = workplace.path + "/target.sqlite"
    try FileManager.default.moveItem(atPath: workplace.output, toPath: target)
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: target)
    try FileManager.default.createSymbolicLink(
      atPath: workplace.output, withDestinationPath: "target.sqlite")
    try workplace.write("labels.csv", "label\nx\nnew\n")
    #expect(load(workplace, Family.schema).error == nil)
    #expect(try workplace.names == ["dumps", "out.sqlite", "target.sqlite"])
    let link = try FileManager.default.destinationOfSymbolicLink(atPath: workplace.output)
    #expect(link == "target.sqlite")
    #expect(try workplace.rows("SELECT count(*) FROM labels") == ["2"])
    let mode = try FileManager.default.attributesOfItem(atPath: target)[.posixPermissions] as? Int
    #expect(mode == 0o640)
  }
}
