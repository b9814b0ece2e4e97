import Foundation
import SQLiteSwiftly
import Schema
import Testing

@testable import Vocabulary

/// `--if-changed` does nothing if a run would make the same database.
@Suite struct UnchangedTests {
  /// A change between two runs, the second with the option.
  struct Change: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let isSkipped: Bool
    var apply: @Sendable (Workplace) throws -> Void = { _ in }
    /// The options of both runs, given the folder of the output, and more of the second.
    var options: @Sendable (inout IngestOptions, String) -> Void = { _, _ in }
    var more: @Sendable (inout IngestOptions) -> Void = { _ in }
  }

  private static let sql: @Sendable (inout IngestOptions, String) -> Void = { options, folder in
    options.sqlFiles = [folder + "/a.sql"]
  }

  /// Changes the bytes of the only compressed source file.
  private static func changeBytes(
    _ workplace: Workplace, _ change: (inout Data) -> Void
  ) throws {
    var bytes = try workplace.dump("nodes.csv.gz")
    change(&bytes)
    try bytes.write(to: URL(filePath: workplace.path + "/dumps/nodes.csv.gz"))
  }

  static let changes = [
    Change(testDescription: "nothing", isSkipped: true),
    Change(testDescription: "times of files", isSkipped: true) {
      let files = FileManager.default
      for name in try files.contentsOfDirectory(atPath: $0.path + "/dumps") {
        let path = $0.path + "/dumps/" + name
        try files.copyItem(atPath: path, toPath: path + ".copy")
        try files.removeItem(atPath: path)
        try files.moveItem(atPath: path + ".copy", toPath: path)
        try files.setAttributes(
          [.modificationDate: Date(timeIntervalSince1970: 9)], ofItemAtPath: path)
      }
    },
    Change(
      testDescription: "limits that are kept", isSkipped: true,
      more: {
        $0.shrinkLimits = PercentLimits(run: 0)
        $0.keyMemory = 1 << 30
      }),
    Change(testDescription: "a record, in a file of the same size", isSkipped: false) {
      try $0.write("things.csv", "id,node,size,kind,is_new,code\n2,leaf,,,,\n")
    },
    Change(testDescription: "the checksum at the end of a file", isSkipped: false) {
      try changeBytes($0) { $0 = $0.dropLast(8) + Data(repeating: 1, count: 8) }
    },
    Change(testDescription: "the time stamp of a file", isSkipped: false) {
      try changeBytes($0) { $0 = $0.prefix(4) + Data([1, 2, 3, 4]) + $0.dropFirst(8) }
    },
    Change(testDescription: "a file that is not compressed anymore", isSkipped: false) {
      try FileManager.default.removeItem(atPath: $0.path + "/dumps/nodes.csv.gz")
      try $0.write("nodes.csv", "name,parent\nroot,\nleaf,root\n")
    },
    Change(testDescription: "a missing file", isSkipped: false) {
      try FileManager.default.removeItem(atPath: $0.path + "/dumps/owners.csv")
    } options: { options, _ in
      options.allowedMissing = .all
    },
    Change(testDescription: "the database, by a view", isSkipped: false) {
      try $0.changeOutput("CREATE VIEW mine AS SELECT 1")
    },
    Change(testDescription: "the database, and back again", isSkipped: false) {
      try $0.changeOutput("UPDATE labels SET label = 'y'")
      try $0.changeOutput("UPDATE labels SET label = 'x'")
    },
    Change(testDescription: "the database, by a log and back again", isSkipped: false) {
      try $0.changeOutput("PRAGMA journal_mode = WAL", "DELETE FROM owners")
      try $0.changeOutput("PRAGMA journal_mode = DELETE")
    },
    Change(testDescription: "the length of the database", isSkipped: false) {
      let file = try FileHandle(forUpdating: URL(filePath: $0.output))
      try file.truncate(atOffset: file.seekToEnd() - 4096)
      try file.close()
    },
    Change(testDescription: "rejected records of a run that was not published", isSkipped: false) {
      let labels = try $0.dump("labels.csv")
      try $0.write("labels.csv", "label\nx\nx\n")
      #expect(load($0, Family.schema, limit: .records(0)).error?.kind == .data)
      try labels.write(to: URL(filePath: $0.path + "/dumps/labels.csv"))
      #expect(try $0.names.contains("out.sqlite.rejects"))
    },
    Change(testDescription: "no database", isSkipped: false) {
      try FileManager.default.removeItem(atPath: $0.output)
    },
    Change(testDescription: "another version", isSkipped: false) {
      // As if it had written the file.
      try $0.changeOutput(
        "UPDATE ingest_catalog SET tool_version = '0.9', change_counter = change_counter + 1")
    },
    Change(
      testDescription: "a limit of rejected records", isSkipped: false,
      more: { $0.rejectLimits = RejectLimits(run: .records(5)) }),
    Change(testDescription: "an option", isSkipped: false, more: { $0.hasSearch = false }),
    Change(testDescription: "strictness", isSkipped: false, more: { $0.isStrict = true }),
    Change(
      testDescription: "SQL that stays", isSkipped: true,
      apply: { try $0.put("CREATE VIEW a AS SELECT 1;", "a.sql") }, options: sql),
    Change(
      testDescription: "SQL", isSkipped: false,
      apply: { try $0.put("CREATE VIEW a AS SELECT 2;", "a.sql") }, options: sql),
  ]

  @Test(arguments: changes)
  func `a run is skipped only if it would change nothing`(change: Change) throws {
    let workplace = try Family.workplace()
    try workplace.compress("nodes.csv", time: 1_700_000_000)
    try workplace.put("CREATE VIEW a AS SELECT 1;", "a.sql")
    func run(_ more: (inout IngestOptions) -> Void) -> Outcome {
      load(workplace, Family.schema) { options in
        options.shrinkLimits = PercentLimits(run: 100)
        change.options(&options, workplace.path)
        more(&options)
      }
    }
    #expect(run { _ in }.error == nil)
    try change.apply(workplace)
    let (names, attributes) = (try workplace.names, try? attributes(of: workplace.output))
    let second = run {
      change.more(&$0)
      $0.skipsUnchanged = true
    }
    #expect(second.whole.isUnchanged == change.isSkipped)
    guard change.isSkipped else { return }
    #expect(second.error == nil && second.warnings == [])
    #expect(try workplace.names == names)
    #expect(try self.attributes(of: workplace.output) == attributes)
    // A full run makes the same file.
    let other = workplace.path + "/other.sqlite"
    let full = run {
      change.more(&$0)
      $0.output = .file(path: other)
    }
    #expect(full.error == nil)
    #expect(try workplace.bytesOfOutput() == Data(contentsOf: URL(filePath: other)))
  }

  /// What replacing a file or writing to it changes.
  private func attributes(of path: String) throws -> [String] {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return [FileAttributeKey.systemFileNumber, .modificationDate].map {
      String(describing: attributes[$0])
    }
  }

  /// Files of the same size whose last bytes are not their checksum: zeros may follow the members.
  @Test(arguments: [1, 2])
  func `a file without a checksum at its end is read`(members: Int) throws {
    let workplace = try Workplace()
    func write(_ note: String) throws {
      var bytes = gzip("id,name,note\n1,a,\(note)\n")
      if members == 2 { bytes += gzip("2,b,\n") }
      bytes += [UInt8](repeating: 0, count: 200 - bytes.count)
      try Data(bytes).write(to: URL(filePath: workplace.path + "/dumps/places.csv.gz"))
    }
    func isSkipped() -> Bool {
      let outcome = loaded(workplace, Places.schema { _ in }) { $0.skipsUnchanged = true }
      return outcome.whole.isUnchanged
    }
    try write("x")
    #expect(!isSkipped())
    #expect(isSkipped())
    try write("y")
    #expect(!isSkipped())
  }

  @Test func `an unknown file produces a warning, or fails with --strict-schema`() throws {
    let workplace = try Family.workplace()
    func run(isStrict: Bool) -> Outcome {
      load(workplace, Family.schema) {
        $0.isStrict = isStrict
        $0.skipsUnchanged = true
      }
    }
    #expect(run(isStrict: true).error == nil)
    try workplace.write("news.csv", "a\n1\n")
    #expect(run(isStrict: true).error?.kind == .data)
    #expect(run(isStrict: false).error == nil)
    let again = run(isStrict: false)
    #expect(again.whole.isUnchanged && again.warnings.map(\.code) == [.fileUnknown])
  }
}
