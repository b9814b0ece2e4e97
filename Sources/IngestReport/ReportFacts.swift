package import Vocabulary
import Platform
import Glibc
package import Schema

package struct ReportFacts: Sendable {
  package let report: IngestOutcome
  package let options: IngestOptions
  package let schema: SchemaDescription
  package let exitCode: Int32
  package let toolVersion: String
  package let host: String
  /// When the run ended, in seconds since 1970 in UTC.
  package let time: Int

  /// Collects the facts of a run; by default the run ended now.
  package init(
    _ report: IngestOutcome, options: IngestOptions, schema: SchemaDescription, exitCode: Int32,
    toolVersion: String, time: Int = Glibc.time(nil), host: String = hostName() ?? "unknown"
  ) {
    self.report = report
    self.options = options
    self.schema = schema
    self.exitCode = exitCode
    self.toolVersion = toolVersion
    self.time = time
    self.host = host
  }
}
