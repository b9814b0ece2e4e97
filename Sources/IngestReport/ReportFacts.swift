package import Facts
import Glibc
import SQLiteSwiftly
package import Schema

/// All that a written report says of a run.
package struct ReportFacts: Sendable {
  package let report: IngestOutcome
  package let options: IngestOptions
  /// What the dumps were taken for.
  package let schema: SchemaDescription
  package let exitCode: Int32
  package let toolVersion: String
  /// When the run ended, in seconds since 1970 in UTC.
  package let time: Int

  /// Puts the facts together; the run ended now if `time` does not say otherwise.
  package init(
    _ report: IngestOutcome, options: IngestOptions, schema: SchemaDescription, exitCode: Int32,
    toolVersion: String, time: Int = Glibc.time(nil)
  ) {
    self.report = report
    self.options = options
    self.schema = schema
    self.exitCode = exitCode
    self.toolVersion = toolVersion
    self.time = time
  }
}
