import Vocabulary
import Text

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
        "; \(orphans.grouped) of them have no parent, \($0.words). \(nothingPublished) \($0.remedy), and "
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
