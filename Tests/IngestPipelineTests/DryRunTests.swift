import Foundation
import SQLiteSwiftly
import Schema
import Testing

@testable import Vocabulary

/// A dry run ends like the run, and changes nothing.
@Suite struct DryRunTests {
  struct Situation: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var kind: IngestError.Kind?
    /// A part of the failure or of the warning; nil if there is none.
    var message: String?
    var prepare: @Sendable (Workplace) throws -> Void = { _ in }
    /// Options, given the folder of the output.
    var options: @Sendable (inout IngestOptions, String) -> Void = { _, _ in }
  }

  private static let labels = "label\nx\n" + (0..<9).map { "l\($0)\n" }.joined()
  private static func things(size: String) -> String {
    "id,node,size,kind,is_new,code\n" + (1...20).map { "\($0),leaf,\(size),,,\n" }.joined()
  }

  static let situations = [
    Situation(testDescription: "the same source files"),
    Situation(testDescription: "no database yet") {
      try FileManager.default.removeItem(atPath: $0.output)
    },
    Situation(
      testDescription: "a table that has shrunk", kind: .data,
      message: "labels shrank from 10 to 1 row, 90% fewer"
    ) { try $0.write("labels.csv", "label\nx\n") },
    Situation(
      testDescription: "one that may shrink", message: "labels shrank from 10 to 1 row"
    ) {
      try $0.write("labels.csv", "label\nx\n")
    } options: { options, _ in
      options.shrinkLimits = PercentLimits(run: 50, tables: ["labels": 100])
    },
    Situation(
      testDescription: "a missing source file", kind: .data,
      message: "source file of owners missing (allowed by --allow-missing): owners "
    ) {
      try FileManager.default.removeItem(atPath: $0.path + "/dumps/owners.csv")
    } options: { options, _ in
      options.allowedMissing = .tables(["owners"])
    },
    Situation(
      testDescription: "a table of the user's own", kind: .data,
      message: "mine, which had 1 row, is gone"
    ) { try $0.changeOutput("CREATE TABLE mine (a)", "INSERT INTO mine VALUES (1)") },
    Situation(
      testDescription: "one that SQL makes again"
    ) {
      try $0.put("CREATE TABLE mine AS SELECT 1 AS a;", "mine.sql")
      try $0.changeOutput("CREATE TABLE mine (a)", "INSERT INTO mine VALUES (1)")
    } options: { options, folder in
      options.sqlFiles = [folder + "/mine.sql"]
    },
    Situation(
      testDescription: "a view of the user's own",
      message: "in the previous database, but not in the new one: view mine"
    ) { try $0.changeOutput("CREATE VIEW mine AS SELECT 1") },
    Situation(
      testDescription: "an emptied column",
      message: "size is NULL in"
    ) { try $0.write("things.csv", things(size: "")) },
    Situation(testDescription: "a damaged database", message: "cannot be read") {
      let file = try FileHandle(forUpdating: URL(filePath: $0.output))
      try file.seek(toOffset: 100)
      try file.write(contentsOf: Data(repeating: 0xff, count: 5000))
      try file.close()
    },
    Situation(
      testDescription: "no folder", kind: .output, message: "cannot be created: No such",
      options: { options, folder in options.output = .file(path: folder + "/none/c.sqlite") }),
    Situation(
      testDescription: "another program's file", kind: .output, message: "was not made by ingest"
    ) {
      try $0.put("text", "other")
    } options: { options, folder in
      options.output = .file(path: folder + "/other")
    },
    Situation(
      testDescription: "a folder", kind: .output, message: "not a regular file",
      options: { options, folder in options.output = .file(path: folder + "/dumps") }),
    Situation(
      testDescription: "another folder where the new file would be written", kind: .output,
      message: ".out.sqlite.ingest nothing, or a folder "
    ) { try makeFolder($0.path + "/.out.sqlite.ingest") },
    Situation(
      testDescription: "a name that is too long", kind: .output, message: "File name too long",
      options: { options, folder in
        options.output = .file(path: folder + "/" + String(repeating: "x", count: 245))
      }),
    Situation(
      testDescription: "a write-ahead log", kind: .output,
      message: "out.sqlite 'PRAGMA journal_mode = DELETE'"
    ) { try $0.changeOutput("PRAGMA journal_mode = WAL") },
    Situation(
      testDescription: "another file at the name of the lock", kind: .output,
      message: "not a lock file of ingest, which needs this name"
    ) { try $0.put("text", ".out.sqlite.ingest.lock") },
    Situation(
      testDescription: "another program's folder for rejected records", kind: .output,
      message: "out.sqlite.rejects: not a rejects folder made by ingest"
    ) {
      try makeFolder($0.path + "/out.sqlite.rejects")
      try $0.put("text", "out.sqlite.rejects/text")
    },
  ]

  @Test(arguments: situations)
  func `a dry run ends like the run and changes nothing`(situation: Situation) throws {
    let workplace = try Family.workplace([
      "labels.csv": Self.labels, "things.csv": Self.things(size: "1"),
    ])
    #expect(load(workplace, Family.schema).error == nil)
    try situation.prepare(workplace)
    let (names, bytes) = (try workplace.names, try? workplace.bytesOfOutput())
    func run(isDryRun: Bool) -> Outcome {
      load(workplace, Family.schema) { options in
        situation.options(&options, workplace.path)
        options.isDryRun = isDryRun
      }
    }
    let dry = run(isDryRun: true)
    #expect(try workplace.names == names)
    #expect((try? workplace.bytesOfOutput()) == bytes)
    let real = run(isDryRun: false)
    for outcome in [dry, real] {
      #expect(outcome.error?.kind == situation.kind)
      let texts = outcome.whole.failures.map(\.message) + outcome.warnings.map(\.message)
      if let message = situation.message {
        #expect(texts.contains { $0.contains(message) }, "\(texts)")
      } else {
        #expect(texts == [])
      }
    }
    // Keys can only be compared after a load.
    let ofKeys: [WarningCode] = [.changesUnusual, .columnConstant]
    let comparable = real.warnings.filter { !ofKeys.contains($0.code) }
    #expect(dry.warnings.map(\.message) == comparable.map(\.message))
  }
}
