import SQLiteSwiftly
package import Schema
import Text
package import Vocabulary

/// The conditions of publishing, and the errors if they are not met.
package struct PublishingConditions {
  package let schema: SchemaDescription
  package let options: IngestOptions

  package init(schema: SchemaDescription, options: IngestOptions) {
    self.schema = schema
    self.options = options
  }

  package func check(_ imbalances: [String]) throws(IngestError) {
    guard !imbalances.isEmpty else { return }
    throw .unbalanced(imbalances)
  }

  /// Throws if too many records were rejected, or on schema drift that is not allowed.
  package func check(
    _ tables: [TableCounts], _ warnings: [Warning], drift: [Warning], since previous: PreviousRun?,
    knownBefore: ([ParentKey]) -> Set<String>, rejects: [Reject]
  ) throws(IngestError) {
    let excesses = options.rejectLimits.excesses(in: tables)
    guard excesses.isEmpty else {
      throw .rejectsOverLimit(
        excesses,
        cause(ofRejectsIn: tables, warnings, since: previous) {
          knownBefore(schema.missingParents(of: rejects))
        },
        orphans: tables.reduce(0) { $0 + $1.rejectedByCode[.missingParent, default: 0] },
        isFew: Self.areFew(tables))
    }
    guard !options.isStrict || drift.isEmpty else { throw .schemaDrift(drift) }
  }

  package func checkAge(
    of tables: [TableCounts], since previous: PreviousRun?, at now: Int
  ) throws(IngestError) {
    guard !options.allowsOlder, let older = previous?.olderSource(in: tables, at: now) else {
      return
    }
    throw .sourcesOlder(older.file, older.time, previous: older.previous)
  }

  /// A warning if the data is older than `--max-age` allows; nil otherwise, and if its date is unknown.
  package func ageWarning(of tables: [TableCounts], at now: Int) -> Warning? {
    guard let limit = options.maxAge, let time = tables.dataTime(at: now),
      let age = time.age(at: now), age > limit
    else { return nil }
    return Warning(
      file: options.source, code: .sourcesOutdated,
      "the newest source file was written at \(time.text), \(age.daysOrHours) "
        + "before this run; --max-age allows \(limit.daysOrHours). Check the download.",
      facts: "")
  }

  /// A warning if source files state times in the future, which count neither for their age nor as older or newer.
  package func futureWarning(of tables: [TableCounts], at now: Int) -> Warning? {
    let future = tables.futureSources(at: now)
    guard let first = future.first else { return nil }
    let others = future.count > 1 ? " and \((future.count - 1).of("other file"))" : ""
    return Warning(
      file: options.source, code: .sourcesInFuture,
      "\(first.file)\(others) written at \(first.time.text), later than now, so their age is unknown. Check "
        + "the clock of this machine and that of the publisher.", facts: "")
  }

  /// Whether at most 1% of the records are rejected: only then does a message suggest to raise the limit.
  private static func areFew(_ tables: [TableCounts]) -> Bool {
    tables.reduce(0) { $0 + $1.rejected } * 100 <= tables.reduce(0) { $0 + $1.read }
  }

  private func cause(
    ofRejectsIn tables: [TableCounts], _ warnings: [Warning], since previous: PreviousRun?,
    knownBefore: () -> Set<String>
  ) -> LikelyCause? {
    let orphaned = tables.filter { $0.rejectedByCode[.missingParent, default: 0] > 0 }
    guard !orphaned.isEmpty else { return nil }
    let parents = schema.parents(of: orphaned)
    if let cause = LikelyCause(warnings, parents: parents) { return cause }
    let read = tables.filter { parents.contains($0.table) }.map {
      ($0, previous?.rows(of: $0.table) ?? 0)
    }
    if let cause = LikelyCause(rejectedOf: read, orphaned: orphaned) { return cause }
    let known = previous == nil ? [] : knownBefore()
    let suspects = tables.filter {
      parents.contains($0.table) && known.contains($0.table) && $0.file != nil
    }
    return LikelyCause(
      lackingRows: suspects.map { ($0, previous?.rows(of: $0.table) ?? 0) }, orphaned: orphaned)
  }

  package func excesses(
    _ changes: DatabaseChanges?
  ) -> (losses: [PercentLimits.Excess], changed: [PercentLimits.Excess]) {
    guard let changes else { return ([], []) }
    return (
      options.shrinkLimits.losses(in: changes), options.changeLimits.changedTables(in: changes)
    )
  }

  /// The error of a database that has lost too many rows, with remedies; a wider limit is not among them.
  ///
  /// `kept` is nil in a dry run, which builds no database.
  package func shrunk(
    _ losses: [PercentLimits.Excess], in tables: [TableCounts],
    _ kept: Result<String, IngestError>?
  ) -> IngestError {
    let absent = tables.filter { $0.file == nil }.map(\.table)
    let sentences = losses.map { loss in
      absent.contains(loss.table)
        ? "source file of \(loss.table) missing (\(permission(of: loss.table))): \(loss.sentence)"
        : loss.sentence
    }
    return .catalogShrunk(
      sentences, losses.map(\.summary), missing: losses.map(\.table).filter(absent.contains), kept,
      remedies: remedies(losses, absent: absent))
  }

  private func permission(of table: String) -> String {
    schema.sources.contains { $0.table == table && $0.isOptional }
      ? "optional" : "allowed by --allow-missing"
  }

  private func remedies(_ losses: [PercentLimits.Excess], absent: [String]) -> [String] {
    let known = schema.tables.map(\.name)
    let gone = losses.filter { absent.contains($0.table) }.map(\.table)
    let added = losses.filter { !known.contains($0.table) }.map(\.table)
    let others = losses.filter { !gone.contains($0.table) && !added.contains($0.table) }
    let empty = others.filter { $0.after == 0 }.map(\.table)
    let shrunk = others.filter { $0.after > 0 }.map(\.table)
    let more = "see 'ingest explain catalog-shrunk'"
    return [
      gone.isEmpty
        ? nil : "Add the source file of \(gone.joined(separator: ", ")) to the folder; \(more).",
      empty.isEmpty
        ? nil : "Download the source file of \(empty.joined(separator: ", ")) again; \(more).",
      added.isEmpty
        ? nil
        : "Move your own tables (\(added.joined(separator: ", "))) to another database, or create them "
          + "with --sql; \(more).",
      shrunk.isEmpty
        ? nil
        : "Compare the source file of \(shrunk.joined(separator: ", ")) with that of the day before; \(more).",
    ].compactMap(\.self)
  }
}

/// The conditions of publishing that a run can fail.
extension IngestError {
  private static let nothingPublished = "Nothing was published."

  static func sourcesOlder(
    _ file: String, _ time: SourceTime, previous: PreviousRun.Source
  ) -> IngestError {
    IngestError(
      .data, code: .run(.sourcesOlder),
      "\(file): written at \(time.text), but \(previous.file) of the previous database at "
        + "\(previous.time.text). \(nothingPublished) Download the source files again, or run once with "
        + "--allow-older to publish these.")
  }

  /// Too many records are rejected; `isFew` if they are few enough to publish without them.
  static func rejectsOverLimit(
    _ excesses: [String], _ cause: LikelyCause?, orphans: Int, isFew: Bool
  ) -> IngestError {
    let remedy =
      cause.map {
        "; \(orphans.grouped) of them \(orphans.verb("has", "have")) no parent, \($0.words). \(nothingPublished) \($0.remedy), and "
          + "run again. If that does not help, fix the records."
      }
      ?? ". \(nothingPublished) Fix the source files"
      + (isFew ? ", or raise the limit to publish without these records." : ".")
    return IngestError(
      .data, code: .run(.rejectsOverLimit), headline: cause?.headline,
      firstStep: cause.map { "\($0.remedy)." }, cause: cause?.words,
      excesses.joined(separator: "; ") + remedy)
  }

  static func schemaDrift(_ drift: [Warning]) -> IngestError {
    IngestError(
      .data, code: .run(.schemaDrift),
      "schema drift, which --strict-schema does not allow: \(drift.summary). \(nothingPublished) "
        + "Suppress the warnings (--suppress FILE), or omit the option.")
  }

  /// Tables have lost too many rows; `missing` are those without a source file, `kept` is nil in a dry run.
  static func catalogShrunk(
    _ losses: [String], _ summaries: [String], missing: [String],
    _ kept: Result<String, IngestError>?, remedies: [String]
  ) -> IngestError {
    IngestError(
      .data, code: .run(.catalogShrunk),
      headline: missing.isEmpty ? summaries.joined(separator: "; ") : nil,
      firstStep: remedies.first,
      cause: missing.isEmpty
        ? nil : "because of missing source files: \(missing.joined(separator: ", "))",
      "\(losses.joined(separator: "; ")). \(fate(kept)). \(remedies.joined(separator: " "))")
  }

  static func catalogChanged(
    _ excesses: [PercentLimits.Excess], _ kept: Result<String, IngestError>?
  ) -> IngestError {
    IngestError(
      .data, code: .run(.catalogChanged),
      headline: excesses.map(\.summary).joined(separator: "; "),
      "\(excesses.map(\.sentence).joined(separator: "; ")). \(fate(kept)). Compare the source "
        + "files with those of the day before; see 'ingest explain catalog-changed'.")
  }

  /// What became of a refused database, as a sentence without its end; `kept` is nil in a dry run.
  private static func fate(_ kept: Result<String, IngestError>?) -> String {
    switch kept {
    case .success(let path): "\(nothingPublished) The refused database was kept as \(path)"
    case .failure(let error):
      "\(nothingPublished) The refused database could not be kept: \(error.message)"
    case nil: "Nothing would be published"
    }
  }
}

extension IngestError {
  /// A failure after the database was published; `undone` is a clause, and `advice` a sentence.
  func afterPublishing(undone: String, _ advice: String) -> IngestError {
    IngestError(
      kind, code: code?.file.map { .file($0) }, undone: undone,
      "\(message) The database was published. \(advice)")
  }

  static func headerMismatch(
    _ path: String, line: Int, _ names: [String], first: String, _ expected: [String]
  ) -> IngestError {
    func quoted(_ names: [String]) -> String { names.joined(separator: ",").quotedForMessage }
    return IngestError(
      .data, code: .file(.headerMismatch),
      "\(path): line \(line): the header is \(quoted(names)), but that of \(first) is \(quoted(expected)). All "
        + "files of a table need the same columns in the same order.")
  }
}
