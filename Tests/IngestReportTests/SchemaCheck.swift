import Foundation
import TestSupport
import Testing

@testable import IngestPipeline
@testable import IngestReport

/// Holds reports against their schema, with the `jsonschema` of Python.
enum SchemaCheck {
  private static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../..").standardizedFileURL.path

  /// The schema, in the documentation.
  static let schema =
    package + "/Sources/IngestReport/IngestReport.docc/Resources/report.schema.json"

  /// For each report what the schema does not allow; empty if it allows all of it.
  static func problems(of reports: [String]) throws -> [[String]] {
    let workplace = try Workplace()
    let files = reports.indices.map { workplace.path + "/\($0).json" }
    for (report, file) in zip(reports, files) {
      try Data(report.utf8).write(to: URL(fileURLWithPath: file))
    }
    let output = workplace.path + "/problems"
    let words = ["/usr/bin/python3", package + "/.ci/check-report.py"] + files
    let command = words.map(shellWord).joined(separator: " ") + " > " + shellWord(output)
    // Not a Process of Foundation, which leaks a weak reference to itself.
    let status = unsafe system(command)
    let lines = try String(contentsOfFile: output, encoding: .utf8).split(separator: "\n")
    #expect(lines.isEmpty == (status == 0), "is Debian's python3-jsonschema installed?")
    return files.map { file in lines.filter { $0.hasPrefix(file + ": ") }.map(String.init) }
  }
}
