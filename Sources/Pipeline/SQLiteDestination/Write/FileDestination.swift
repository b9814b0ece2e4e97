package import Facts
package import Threads
import SQLiteFormat
import Files
import SQLiteSwiftly
package import Schema

/// A database in an SQLite file.
package struct FileDestination: ~Copyable, Destination {
  private let candidate: CandidateFile
  private let schema: SchemaDescription
  private let options: IngestOptions
  private let recorder: RunRecorder
  private let patience: Patience
  /// The written tables; nil before they are written, and after they are completed.
  private var written: WrittenTables? = nil
  /// The checksums to verify the finished file against.
  private var sums = InsertedSums()
  private var hasSearch = false

  package init(
    _ schema: SchemaDescription, _ options: IngestOptions, gate: Gate, patience: Patience,
    recorder: RunRecorder
  ) throws(IngestError) {
    candidate = try CandidateFile(
      for: options, applicationID: schema.applicationID, gate: gate, patience: patience)
    self.schema = schema
    self.options = options
    self.recorder = recorder
    self.patience = patience
  }

  package borrowing func previousRun() throws(IngestError) -> PreviousRun? {
    try Self.previousRun(schema, options, patience: patience)
  }

  package mutating func write(from ring: Ring, waited: inout Double) throws(IngestError) {
    written = try candidate.writeTables(of: schema, from: ring, recorder, waited: &waited)
  }

  package mutating func complete(
    _ outcome: inout IngestOutcome, running sqlFiles: [SQLFile]
  ) throws(IngestError) {
    guard let tables = written.take() else { return }
    let (sums, search) = try candidate.finish(
      tables, &outcome.tables, search: options.hasSearch ? schema.search : nil)
    outcome.sqlFiles = try candidate.complete(running: sqlFiles, options, recorder)
    outcome.search = search
    self.sums = sums
    hasSearch = search != nil
  }

  /// The file is synced to disk meanwhile.
  package mutating func verify(_ counts: inout [TableCounts]) throws(IngestError)
    -> CatalogChanges?
  {
    let recorder = recorder
    let comparison = CatalogComparison(
      schema, options, candidate: candidate.path, catalog: candidate.output, patience)
    let verifier = CatalogVerifier(
      path: candidate.path, descriptor: candidate.descriptor, schema: schema, sums: sums,
      search: hasSearch ? schema.search : nil, longestRow: options.recordLimit)
    return try candidate.sync { () throws(IngestError) in
      try recorder.time(.verify) { () throws(IngestError) in
        let (looks, compared) = try verifier.check { tables in
          let start = recorder.now
          defer { recorder.record(.compare, from: start) }
          return Result { () throws(IngestError) in try comparison.changes(tables, recorder) }
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

  package static func check(
    _ schema: SchemaDescription, _ options: IngestOptions, patience: Patience
  ) throws(IngestError) {
    try CandidateFile.check(for: options, applicationID: schema.applicationID, patience: patience)
  }

  package static func previousRun(
    _ schema: SchemaDescription, _ options: IngestOptions, patience: Patience
  ) throws(IngestError) -> PreviousRun? {
    let output = resolvedPath(options.output)
    return try CatalogComparison(
      schema, options, candidate: unfinishedPath(of: output), catalog: output, patience
    ).previousRun()
  }

  package static func foreseenChanges(
    _ schema: SchemaDescription, _ read: [ReadRows], _ options: IngestOptions,
    patience: Patience, recorder: RunRecorder
  ) throws(IngestError) -> CatalogChanges? {
    let output = resolvedPath(options.output)
    return try CatalogComparison(
      schema, options, candidate: unfinishedPath(of: output), catalog: output, patience
    ).foreseenChanges(read, options, recorder)
  }
}

extension CatalogComparison {
  fileprivate init(
    _ schema: SchemaDescription, _ options: IngestOptions, candidate: String, catalog: String,
    _ patience: Patience
  ) {
    self.init(
      candidate: candidate, catalog: catalog, schema: schema, timeout: options.catalogTimeout,
      patience: patience, longestValue: options.recordLimit)
  }
}
