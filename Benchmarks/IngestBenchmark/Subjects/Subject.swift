/// The subjects of measurement, by their names on the command line.
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

  /// The summary for the help and the table.
  var summary: String {
    switch self {
    case .hotPath:
      "inserts of \(PartRows.limit.grouped) rows of inventory_parts at most, CPU time"
    case .stages: "each stage of the pipeline alone, CPU time"
    case .indexes: "the indexes of inventory_parts, bulk-loaded and created, CPU time"
    case .importing: "inventory_parts from gzip to table, no secondary index, wall-clock time"
    case .wholeJob: "all tables, with keys and indexes, wall-clock time"
    case .growth: "the whole job with 1/4, 1 and 4 times the rows, at most three rounds"
    case .rejects: "the whole job with every record invalid, at most three rounds"
    case .layer: "InsertStatement and cursors on artificial rows, CPU time"
    case .questions: "common queries, each on a new connection, wall-clock time"
    case .additions: "the cost of derived tables, views and the search, wall-clock time"
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
