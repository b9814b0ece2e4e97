import Foundation
import Testing

/// Holds reports against their schema, with the `jsonschema` of Python.
enum SchemaCheck {
  private static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../..").standardizedFileURL.path

  /// The schema, in the documentation.
  static let schema =
    package + "/Sources/IngestPipeline/IngestPipeline.docc/Resources/report.schema.json"

  /// For each report what the schema does not allow; empty if it allows all of it.
  static func problems(of reports: [String]) throws -> [[String]] {
    let workplace = try Workplace()
    let files = reports.indices.map { workplace.path + "/\($0).json" }
    for (report, file) in zip(reports, files) {
      try Data(report.utf8).write(to: URL(fileURLWithPath: file))
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", package + "/.ci/check-report.py"] + files
    // A file, not a pipe: however much is printed, the process never waits for a reader.
    let output = workplace.path + "/problems"
    try Data().write(to: URL(fileURLWithPath: output))
    process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
    try process.run()
    process.waitUntilExit()
    let lines = try String(contentsOfFile: output, encoding: .utf8).split(separator: "\n")
    let isSound = process.terminationStatus == 0
    #expect(lines.isEmpty == isSound, "is Debian's python3-jsonschema installed?")
    return files.map { file in lines.filter { $0.hasPrefix(file + ": ") }.map(String.init) }
  }
}
