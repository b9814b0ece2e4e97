import SQLiteSwiftly

/// Whether what was read and written may be published, and the message if not.
struct Verdict {
  let schema: SchemaDescription
  let options: IngestOptions

  /// Throws if there is anything that cannot be accounted for.
  func check(_ imbalances: [String]) throws(IngestError) {
    guard !imbalances.isEmpty else { return }
    throw IngestError(
      .fault, runCode: .accountsUnbalanced,
      imbalances.joined(separator: "; ")
        + ". Nothing was published; run it again, and if that does "
        + "not help, report it as a fault of ingest.")
  }

  /// Throws if too many records were rejected, or the dumps have changed their form and must not.
  func check(_ tables: [TableAccount], _ notices: [Notice]) throws(IngestError) {
    let excesses = options.rejectLimits.excesses(in: tables)
    guard excesses.isEmpty else {
      throw IngestError(
        .data, runCode: .rejectsOverLimit,
        excesses.joined(separator: "; ")
          + ". Nothing was published. Repair the dumps, or raise the "
          + "limit to publish without those records.")
    }
    let drift = notices.filter(\.code.isDrift)
    guard !options.isStrict || drift.isEmpty else {
      throw IngestError(
        .data, runCode: .schemaDrift,
        "the dumps are not what the schema describes: " + drift.summary
          + "; --strict-schema allows no drift. Nothing was published. Change the description as "
          + "the notices say, or leave the option out.")
    }
  }

  /// The tables that have lost more rows than they may.
  func losses(_ changes: CatalogChanges?) -> [ShrinkLimits.Excess] {
    changes.map(options.shrinkLimits.excesses) ?? []
  }

  /// The failure of a run whose catalogue has lost too much.
  ///
  /// - Parameters:
  ///   - losses: the tables that have lost it.
  ///   - kept: where the catalogue is, or why it could not be kept.
  /// - Returns: The failure, with the options that allow the loss.
  func shrunk(
    _ losses: [ShrinkLimits.Excess], _ kept: Result<String, IngestError>
  ) -> IngestError {
    let known = schema.tables.map(\.name)
    // A table that somebody has added to the catalogue cannot be named on the command line.
    let options =
      losses.allSatisfy { known.contains($0.table) }
      ? losses.map { "--max-shrink \($0.table)=100%" }.joined(separator: " ") : "--max-shrink 100%"
    let place =
      switch kept {
      case .success(let path): "the new catalogue is kept as \(path)"
      case .failure(let error): "the new catalogue could not be kept: \(error.message)"
      }
    return IngestError(
      .data, runCode: .catalogShrunk,
      losses.map(\.sentence).joined(separator: "; ") + ". Nothing was published; \(place). If the "
        + "loss is right, run again with \(options).")
  }
}
