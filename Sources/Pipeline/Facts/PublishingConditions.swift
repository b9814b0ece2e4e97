import SQLiteSwiftly
package import Schema

/// What must hold before what was read and written is published, and the message if it does not.
package struct PublishingConditions {
  package let schema: SchemaDescription
  package let options: IngestOptions

  package init(schema: SchemaDescription, options: IngestOptions) {
    self.schema = schema
    self.options = options
  }

  package func check(_ imbalances: [String]) throws(IngestError) {
    guard !imbalances.isEmpty else { return }
    throw IngestError(
      .fault, runCode: .accountsUnbalanced,
      imbalances.joined(separator: "; ")
        + ". Nothing was published; run it again, and if that does "
        + "not help, report it as a fault of ingest.")
  }

  /// Throws if too many records were rejected, or the dumps have changed their form and must not.
  package func check(
    _ tables: [TableCounts], _ warnings: [Warning], drift: [Warning]
  ) throws(IngestError) {
    let excesses = options.rejectLimits.excesses(in: tables)
    guard excesses.isEmpty else {
      let cause = cause(ofRejectsIn: tables, warnings)
      throw IngestError(
        .data, runCode: .rejectsOverLimit, cause: cause?.words,
        excesses.joined(separator: "; ") + remedy(of: tables, cause))
    }
    guard !options.isStrict || drift.isEmpty else {
      throw IngestError(
        .data, runCode: .schemaDrift,
        "the dumps are not what the schema describes: " + drift.summary
          + "; --strict-schema allows no drift. Nothing was published. Accept the warnings "
          + "(--suppress FILE), or leave the option out.")
    }
  }

  /// Throws if source files are older than those of the previous database.
  package func checkAge(of tables: [TableCounts], since previous: PreviousRun?) throws(IngestError)
  {
    guard !options.allowsOlder, let older = previous?.olderSource(in: tables) else { return }
    let before = older.previous.time?.text ?? ""
    throw IngestError(
      .data, runCode: .sourcesOlder,
      "\(older.file): written at \(older.time.text), but \(older.previous.file) of the previous "
        + "database at \(before). Nothing was published. Download the source files again; "
        + "--allow-older loads the older ones.")
  }

  /// A warning if the data is older than `--max-age` allows; nil otherwise, and if its date is unknown.
  package func ageWarning(of tables: [TableCounts], at now: Int) -> Warning? {
    guard let limit = options.maxAge, let time = tables.dataTime, time.age(at: now) > limit else {
      return nil
    }
    return Warning(
      file: options.source, code: .sourcesOutdated,
      "the newest source file was written at \(time.text), \(words(forSeconds: time.age(at: now))) "
        + "before this run; --max-age allows \(words(forSeconds: limit)). Check the download.",
      facts: "")
  }

  private func cause(ofRejectsIn tables: [TableCounts], _ warnings: [Warning]) -> LikelyCause? {
    let orphaned = tables.filter { $0.rejectedByCode[.missingParent, default: 0] > 0 }
    guard !orphaned.isEmpty else { return nil }
    return LikelyCause(warnings, parents: parents(of: orphaned.map(\.table)))
  }

  private func remedy(of tables: [TableCounts], _ cause: LikelyCause?) -> String {
    guard let cause else {
      return
        ". Nothing was published. Repair the dumps, or raise the limit to publish without those "
        + "records."
    }
    let orphans = tables.reduce(0) { $0 + $1.rejectedByCode[.missingParent, default: 0] }
    return "; \(orphans.grouped) of them have no parent, \(cause.words). Nothing was published. "
      + "\(cause.remedy), and run again; only if that does not help, repair the records."
  }

  /// The tables of the dumps that tables refer to, be it through a union of keys.
  private func parents(of tables: [String]) -> Set<String> {
    let keys = schema.tables.filter { tables.contains($0.name) }.flatMap(\.foreignKeys)
    return Set(keys.flatMap(schema.sources).map { schema.tables[$0.table].name })
  }

  package func losses(_ changes: CatalogChanges?) -> [ShrinkLimits.Excess] {
    changes.map(options.shrinkLimits.excesses) ?? []
  }

  /// The failure of a run whose catalog has lost too much, with what can be done; a table that has lost
  /// everything is not let through by a wider limit.
  ///
  /// `kept` is nil if there is no catalog yet.
  package func shrunk(
    _ losses: [ShrinkLimits.Excess], in tables: [TableCounts],
    _ kept: Result<String, IngestError>?
  ) -> IngestError {
    let absent = tables.filter { $0.file == nil }.map(\.table)
    let place =
      switch kept {
      case .success(let path): "Nothing was published; the new catalog is kept as \(path)"
      case .failure(let error):
        "Nothing was published; the new catalog could not be kept: \(error.message)"
      case nil: "Nothing would be published"
      }
    let sentences = losses.map { loss in
      absent.contains(loss.table)
        ? "there is no dump of \(loss.table), which \(permission(of: loss.table)): \(loss.sentence)"
        : loss.sentence
    }
    let gone = losses.map(\.table).filter(absent.contains).joined(separator: ", ")
    return IngestError(
      .data, runCode: .catalogShrunk,
      cause: gone.isEmpty ? nil : "since there is no dump of \(gone)",
      "\(sentences.joined(separator: "; ")). \(place). "
        + remedies(losses, absent: absent).joined(separator: " "))
  }

  private func permission(of table: String) -> String {
    schema.sources.contains { $0.table == table && $0.isOptional }
      ? "is optional" : "--allow-missing allows"
  }

  private func remedies(_ losses: [ShrinkLimits.Excess], absent: [String]) -> [String] {
    let known = schema.tables.map(\.name)
    let gone = losses.filter { absent.contains($0.table) }.map(\.table)
    let added = losses.filter { !known.contains($0.table) }.map(\.table)
    let others = losses.filter { !gone.contains($0.table) && !added.contains($0.table) }
    let empty = others.filter { $0.after == 0 }.map(\.table)
    let limits = others.filter { $0.after > 0 }.map { "--max-shrink \($0.table)=\($0.leastLimit)" }
    let why = "'ingest explain catalog-shrunk' says what else can be done"
    return [
      gone.isEmpty
        ? nil : "Put the dump of \(gone.joined(separator: ", ")) into the folder; \(why).",
      empty.isEmpty
        ? nil : "Download the dump of \(empty.joined(separator: ", ")) again; \(why).",
      added.isEmpty
        ? nil
        : "Move what is your own (\(added.joined(separator: ", "))) into a database of its own, or make "
          + "it by --sql; \(why).",
      limits.isEmpty
        ? nil
        : "Compare the dumps with those of the day before; if the loss is right, run again with "
          + limits.joined(separator: " ") + ".",
    ].compactMap(\.self)
  }
}
