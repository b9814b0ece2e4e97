/// What can be measured, by the name that the command line knows.
enum Subject: String, CaseIterable {
  case hotPath = "hot-path"
  case stages
  case indexes
  case importing = "import"
  case wholeJob = "whole-job"
  case growth
  case rejects
  case layer
  case questions
  case additions

  /// What the help and the table say of it.
  var summary: String {
    switch self {
    case .hotPath:
      "inserts of \(PartRows.limit.grouped) rows of inventory_parts at most, processor time"
    case .stages: "each stage of the pipeline alone, processor time"
    case .indexes: "the indexes of inventory_parts, loaded and created, processor time"
    case .importing: "inventory_parts from gzip to table, no secondary index, on the clock"
    case .wholeJob: "all tables, with keys and indexes, on the clock"
    case .growth: "the whole job with a quarter, all and four times the rows, three rounds at most"
    case .rejects: "the whole job when every record is bad, three rounds at most"
    case .layer: "InsertStatement and cursors on made-up rows, processor time"
    case .questions: "what people ask a catalog, each with a new connection, on the clock"
    case .additions: "what derived tables, views and the search add to the whole job, on the clock"
    }
  }

  /// Measures it.
  func measure(with workbench: Workbench, into report: inout Report) throws {
    switch self {
    case .hotPath: report.measurements += try HotPath(workbench).measurements()
    case .stages: report.measurements += try Stages(workbench).measurements()
    case .indexes: report.measurements += try IndexLoading(workbench).measurements()
    case .importing:
      if let shell = try shell(&report) {
        report.measurements += try Importing(workbench, shell).measurements()
      }
    case .wholeJob:
      let shell = try shell(&report)
      report.measurements += try WholeJobComparison(workbench).measurements(shell: shell)
    case .growth: report.measurements += try Growth(workbench).measurements()
    case .rejects: report.measurements += try Rejects(workbench).measurements()
    case .layer: report.measurements += try Layer(workbench).measurements()
    case .questions: report.measurements += try Questions(workbench).measurements()
    case .additions: report.measurements += try Additions(workbench).measurements()
    }
  }
}
