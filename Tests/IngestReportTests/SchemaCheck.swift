import Foundation
import TestSupport
import Testing

/// Validates reports with Python's `jsonschema`.
enum SchemaCheck {
  private static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../..").standardizedFileURL.path

  /// The schema, in the documentation.
  static let schema = package + "/Sources/ingest/ingest.docc/Resources/report.schema.json"

  /// The violations of each report; empty if it is valid.
  ///
  /// - Parameters:
  ///   - reports: the texts of the reports.
  ///   - options: `--diff` for differences of databases, `--log` for events.
  /// - Returns: The violations.
  /// - Throws: an error of a file or of the validator.
  static func problems(of reports: [String], _ options: [String] = []) throws -> [[String]] {
    let workplace = try Workplace()
    let files = reports.indices.map { workplace.path + "/\($0).json" }
    for (report, file) in zip(reports, files) {
      try Data(report.utf8).write(to: URL(fileURLWithPath: file))
    }
    let check = ChildProcess(
      Tool.pythonPath, [package + "/Tests/System", "Reports.schema"] + options + files)
    let outcome = try check.run()
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.isEmpty == (outcome.status == 0), "\(outcome)")
    return files.map { file in lines.filter { $0.hasPrefix(file + ": ") }.map(String.init) }
  }
}
