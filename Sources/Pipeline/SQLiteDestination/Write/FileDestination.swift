package import Vocabulary
import Platform
import SQLiteFormat
package import Schema

/// A database file.
package struct FileDestination: Destination {
  private let path: String

  package init(_ path: String) { self.path = path }

  package func open(for run: RunContext) throws(IngestError) -> OpenFile {
    OpenFile(
      candidate: try CandidateFile(
        for: run.options, applicationID: run.schema.applicationID, gate: run.gate,
        patience: run.patience), run: run)
  }

  package func check(for run: RunContext) throws(IngestError) -> any PreviousDatabase {
    try CandidateFile.check(
      for: run.options, applicationID: run.schema.applicationID, patience: run.patience)
    return DatabaseComparison(run, of: resolvedPath(path))
  }

  package func removeKept(_ run: RunContext) throws(IngestError) {
    try CandidateFile.removeKept(for: path, applicationID: run.schema.applicationID)
  }

  package var state: OutputState { OutputState(at: path) }

  /// A run itself reports why a database cannot be read.
  package func published(_ schema: SchemaDescription) -> (any PublishedDatabase)? {
    try? DatabaseFile(writablePath(path), applicationID: schema.applicationID)
  }
}

package struct OpenFile: OpenSession, ~Copyable {
  fileprivate let candidate: CandidateFile
  fileprivate let run: RunContext

  package var previous: any PreviousDatabase { DatabaseComparison(run, of: candidate.output) }

  package consuming func write(from ring: Ring) -> WrittenFile {
    let tables: Result<WrittenTables, IngestError>
    do throws(IngestError) {
      tables = .success(
        try candidate.writeTables(of: run.schema, from: ring, run.recorder))
    } catch {
      tables = .failure(error)
    }
    return WrittenFile(candidate: candidate, tables: tables, run: run)
  }
}

package struct WrittenFile: WrittenSession, ~Copyable {
  fileprivate let candidate: CandidateFile
  fileprivate let tables: Result<WrittenTables, IngestError>
  fileprivate let run: RunContext

  package var failure: IngestError? {
    switch tables {
    case .success: nil
    case .failure(let failure): failure
    }
  }

  package consuming func complete(_ outcome: inout IngestOutcome) throws(IngestError)
    -> CompleteFile
  {
    let tables = try tables.get()
    let search = run.options.hasSearch ? run.schema.search : nil
    let helper = Helper()
    var (sums, built) = try candidate.complete(tables, &outcome.tables, search: search, helper)
    outcome.sqlFiles = try candidate.complete(running: run.sqlFiles, run.options, run.recorder)
    outcome.search = built
    if !run.sqlFiles.isEmpty { sums.reading = nil }
    return CompleteFile(
      candidate: candidate, sums: sums, helper: helper,
      search: outcome.search == nil ? nil : search, run: run)
  }
}

package struct CompleteFile: CompleteSession, ~Copyable {
  fileprivate let candidate: CandidateFile
  fileprivate let sums: InsertedSums
  fileprivate let helper: Helper
  fileprivate let search: SearchDescription?
  fileprivate let run: RunContext

  /// The file is synced to disk meanwhile.
  package consuming func verify(
    _ counts: inout [TableCounts]
  ) throws(IngestError) -> VerifiedFile {
    let (run, recorder) = (run, run.recorder)
    let comparison = DatabaseComparison(run, of: candidate.output)
    let verifier = DatabaseVerifier(
      path: candidate.path, descriptor: candidate.descriptor, schema: run.schema, sums: sums,
      helper: helper, search: search, longestRow: run.options.recordLimit)
    let changes = try candidate.sync { () throws(IngestError) in
      try recorder.time(.verify) { () throws(IngestError) in
        let (scans, compared) = try verifier.check { tables in
          let start = recorder.now
          defer { recorder.record(.compare, from: start) }
          return Result { () throws(IngestError) in
            try comparison.changes(tables, recorder)
          }
        }
        for (index, scan) in scans.prefix(counts.count).enumerated() {
          counts[index].inserted = scan.rows.entries
          counts[index].nulls = scan.nulls
        }
        return try compared.get()
      }
    }
    return VerifiedFile(candidate: candidate, changes: changes, run: run)
  }
}

package struct VerifiedFile: VerifiedSession, ~Copyable {
  fileprivate let candidate: CandidateFile
  package let changes: DatabaseChanges?
  fileprivate let run: RunContext

  package consuming func keep() -> Result<String, IngestError> { candidate.keep() }

  package consuming func publish(
    _ bytes: inout Int?, keeping outcome: () -> IngestOutcome
  ) throws(IngestError) {
    let (output, recorder) = (candidate.output, run.recorder)
    let writer = try VerdictWriter(candidate, run.options)
    try candidate.publish(&bytes) { lost throws(IngestError) in
      if let lost { recorder.record(.warning(.accessChanged(output, lost: lost))) }
      let outcome = outcome()
      try writer.write(outcome)
      return outcome.history.followsAccepted
    }
  }
}

extension DatabaseComparison: PreviousDatabase {
  fileprivate init(_ run: RunContext, of catalog: String) {
    self.init(
      candidate: CandidateFile.path(for: catalog), catalog: catalog, schema: run.schema,
      timeout: run.options.catalogTimeout, patience: run.patience,
      longestValue: run.options.recordLimit)
  }
}
