@testable import Vocabulary
@testable import Platform
import Foundation
import SQLiteSwiftly
import Schema
import Testing
import Quarantine
@testable import Run
import SQLiteDestination
// For all files of these tests, most of which use the family of tables.
@_exported import TestSupport

/// What a run came to.
struct Outcome {
  /// What a run published, or nil if it failed.
  let report: IngestOutcome?
  /// What is known of it in either case.
  let whole: IngestOutcome
  let error: IngestError?
  let events: [IngestEvent]

  var rejects: [Reject] {
    events.compactMap { if case .reject(let reject) = $0 { reject } else { nil } }
  }

  var warnings: [Warning] {
    events.compactMap { if case .warning(let warning) = $0 { warning } else { nil } }
  }

  /// Each reject as `file:line code column`.
  var rejected: [String] {
    rejects.map {
      "\($0.file):\($0.lines.lowerBound) \($0.reasons[0].code.rawValue) \($0.reasons[0].column ?? "-")"
    }
  }
}

/// Loads the dumps of a workplace.
func load(
  _ workplace: Workplace, _ schema: SchemaDescription, limit: RejectLimit = .records(1000),
  allowedMissing: AllowedMissing = .tables([]), recordLimit: Int = 16 << 20,
  change: (inout IngestOptions) -> Void = { _ in }
) -> Outcome {
  // Not a Mutex, in which the thread sanitizer sees races that are none on Linux.
  let events = Monitor<[IngestEvent]>([])
  var options = IngestOptions(
    source: workplace.path + "/dumps", output: .file(path: workplace.output),
    rejectLimits: RejectLimits(run: limit),
    allowedMissing: allowedMissing, recordLimit: recordLimit)
  change(&options)
  let run = IngestRun(schema, into: FileDestination(options.output.name), options: options) {
    event in
    events.with { $0.append(event) }
  }
  let report = run.run()
  return Outcome(
    report: report.failure == nil ? report : nil, whole: report, error: report.failure,
    events: events.with { $0 })
}

/// Loads the dumps of a workplace, which succeeds.
@discardableResult
func loaded(
  _ workplace: Workplace, _ schema: SchemaDescription, limit: RejectLimit = .records(1000),
  allowedMissing: AllowedMissing = .tables([]), recordLimit: Int = 16 << 20,
  at location: SourceLocation = #_sourceLocation, change: (inout IngestOptions) -> Void = { _ in }
) -> Outcome {
  let outcome = load(
    workplace, schema, limit: limit, allowedMissing: allowedMissing, recordLimit: recordLimit,
    change: change)
  #expect(outcome.error == nil, sourceLocation: location)
  return outcome
}

/// Saves the edited records of a rejects folder as repairs; returns the files that changed, as `file +added -removed`.
@discardableResult
func repair(
  _ workplace: Workplace, _ schema: SchemaDescription = Family.schema, from folder: String? = nil,
  recordLimit: Int = 16 << 20
) throws(IngestError) -> [String] {
  let edited = try EditedRejects(
    folder ?? workplace.kept.folder, of: schema, source: workplace.path + "/dumps",
    recordLimit: recordLimit)
  let saved = try edited.save(to: workplace.repairs)
  return saved.files.map {
    "\($0.path.split(separator: "/").last ?? "") +\($0.added) -\($0.removed)"
  }
    + saved.unsaved.map { "\($0.table) unsaved: \($0.records)" }
}

/// Loads the dumps of a workplace with its repairs.
func loadRepaired(
  _ workplace: Workplace, _ schema: SchemaDescription = Family.schema,
  limit: RejectLimit = .records(0)
) -> Outcome {
  load(workplace, schema, limit: limit) { $0.repairsFolder = workplace.repairs }
}

extension Workplace {
  var repairs: String { path + "/repairs" }

  func repairs(_ name: String) throws -> String {
    String(
      decoding: try Data(contentsOf: URL(fileURLWithPath: "\(repairs)/\(name)")), as: UTF8.self)
  }

  /// The rows of a query on the output, each as its values joined by `|`, NULL as `-`.
  func rows(_ query: SQL) throws -> [String] {
    let connection = try Connection(output, opening: .readOnly)
    return try connection.query(query).map { row in
      row.map { value in
        switch value {
        case .null: "-"
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)r"
        case .text(let text): "'\(text)'"
        case .blob(let bytes): "\(bytes)"
        }
      }.joined(separator: "|")
    }
  }
}

extension Family {
  /// A workplace with sound dumps, some of them replaced.
  static func workplace(_ replacements: [String: String] = [:]) throws -> Workplace {
    let workplace = try Workplace()
    let sound = [
      "nodes.csv": "name,parent\nroot,\nleaf,root\n",
      "things.csv": "id,node,size,kind,is_new,code\n1,leaf,,,,\n",
      "labels.csv": "label\nx\n",
      "owners.csv": "owner,of,rank\nme,leaf,1\nme,x,1\n",
    ]
    for (name, text) in sound.merging(replacements, uniquingKeysWith: { $1 }) {
      try workplace.write(name, text)
    }
    return workplace
  }
}
