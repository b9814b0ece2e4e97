import Foundation
import Testing

/// Holds reports against their schema, with the `jsonschema` of Python.
enum SchemaCheck {
  /// The schema, in the documentation.
  static let schema = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent(
      "../../Sources/IngestPipeline/IngestPipeline.docc/Resources/report.schema.json"
    ).standardizedFileURL

  private static let script = """
    import json, sys
    from jsonschema import Draft202012Validator
    def refuse(name):
        raise ValueError(name + " is no number of JSON")
    schema = json.load(open(sys.argv[1], encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    for report in json.load(open(sys.argv[2], encoding="utf-8")):
        errors = Draft202012Validator(schema).iter_errors(json.loads(report, parse_constant=refuse))
        print("; ".join(error.json_path + ": " + error.message for error in errors))
    """

  /// For each report what the schema does not allow, in one line; empty if it allows all of it.
  static func problems(of reports: [String]) throws -> [String] {
    let workplace = try Workplace()
    try JSONEncoder().encode(reports).write(to: URL(fileURLWithPath: workplace.path + "/reports"))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "python3", "-W", "ignore", "-c", script, schema.path, workplace.path + "/reports",
    ]
    // A file, not a pipe: however much is printed, the process never waits for a reader.
    try Data().write(to: URL(fileURLWithPath: workplace.path + "/problems"))
    let output = try FileHandle(
      forWritingTo: URL(fileURLWithPath: workplace.path + "/problems"))
    process.standardOutput = output
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "is Debian's python3-jsonschema installed?")
    let lines = try String(contentsOfFile: workplace.path + "/problems", encoding: .utf8)
    return lines.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(
      String.init)
  }
}
