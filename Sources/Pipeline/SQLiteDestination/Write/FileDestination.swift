package import Vocabulary
package import Platform
import SQLiteFormat
package import Schema

package struct FileDestination: ~Copyable, Destination {
  private let candidate: CandidateFile
  private let schema: SchemaDescription
  private let options: IngestOptions
  private let sqlFiles: [SQLFile]
  private let recorder: RunRecorder
  private let patience: Patience
  /// The written tables; nil before they are written, and after they are completed.
  private var written: WrittenTables? = nil
  private var sums = InsertedSums()
  private var hasSearch = false

  package init(
    _ schema: SchemaDescription, _ options: IngestOptions, running sqlFiles: [SQLFile], gate: Gate,
    patience: Patience, recorder: RunRecorder
  ) throws(IngestError) {
    candidate = try CandidateFile(
      for: options, applicationID: schema.applicationID, gate: gate, patience: patience)
    self.schema = schema
    self.options = options
    self.sqlFiles = sqlFiles
    self.recorder = recorder
    self.patience = patience
  }

  private var comparison: CatalogComparison {
    CatalogComparison(schema, options, of: candidate.output, patience)
  }

  package borrowing func previousRun() throws(IngestError) -> PreviousRun? {
    try comparison.previousRun()
  }

  package borrowing func previousTables(having keys: [ParentKey]) -> Set<String> {
    comparison.previousTables(having: keys)
  }

  package mutating func write(from ring: Ring, waited: inout Double) throws(IngestError) {
    written = try candidate.writeTables(of: schema, from: ring, recorder, waited: &waited)
  }

  package mutating func complete(_ outcome: inout IngestOutcome) throws(IngestError) {
    guard let tables = written.take() else { return }
    let (sums, search) = try candidate.finish(
      tables, &outcome.tables, search: options.hasSearch ? schema.search : nil)
    outcome.sqlFiles = try candidate.complete(running: sqlFiles, options, recorder)
    outcome.search = search
    self.sums = sums
    if !sqlFiles.isEmpty { self.sums.reading = nil }
    hasSearch = search != nil
  }

  /// The file is synced to disk meanwhile.
  package mutating func verify(
    _ counts: inout [TableCounts], after history: History
  ) throws(IngestError) -> CatalogChanges? {
    let recorder = recorder
    let comparison = comparison
    let verifier = CatalogVerifier(
      path: candidate.path, descriptor: candidate.descriptor, schema: schema, sums: sums,
      search: hasSearch ? schema.search : nil, longestRow: options.recordLimit)
    return try candidate.sync { () throws(IngestError) in
      try recorder.time(.verify) { () throws(IngestError) in
        let (looks, compared) = try verifier.check { tables in
          let start = recorder.now
          defer { recorder.record(.compare, from: start) }
          return Result { () throws(IngestError) in
            try comparison.changes(tables, after: history, recorder)
          }
        }
        for (index, look) in looks.prefix(counts.count).enumerated() {
          counts[index].inserted = look.rows.entries
          counts[index].nulls = look.nulls
        }
        return try compared.get()
      }
    }
  }

  package consuming func keep() -> Result<String, IngestError> { candidate.keep() }

  package consuming func publish(
    _ bytes: inout Int?, keeping verdict: () -> CatalogVerdict
  ) throws(IngestError) {
    let (output, recorder) = (candidate.output, recorder)
    let writer = try VerdictWriter(candidate, options)
    try candidate.publish(&bytes) { lost throws(IngestError) in
      if let lost {
        recorder.record(.warning(.accessChanged(output, lost: lost)))
      }
      try writer.write(verdict())
    }
  }

  package static func removeKept(
    _ schema: SchemaDescription, _ options: IngestOptions
  ) throws(IngestError) {
    try CandidateFile.removeKept(for: options.output, applicationID: schema.applicationID)
  }

  package static func state(of output: String) -> PreviousDatabase.State {
    PreviousDatabase.State(at: output)
  }

  package static func dryRun(
    _ schema: SchemaDescription, _ options: IngestOptions, running _: [SQLFile],
    patience: Patience, recorder _: RunRecorder
  ) throws(IngestError) -> any DryRun {
    try CandidateFile.check(for: options, applicationID: schema.applicationID, patience: patience)
    return CatalogComparison(schema, options, of: resolvedPath(options.output), patience)
  }
}

extension CatalogComparison: DryRun {
  fileprivate init(
    _ schema: SchemaDescription, _ options: IngestOptions, of catalog: String, _ patience: Patience
  ) {
    self.init(
      candidate: CandidateFile.path(for: catalog), catalog: catalog, schema: schema,
      timeout: options.catalogTimeout, patience: patience, longestValue: options.recordLimit)
  }
}
