import Text

/// The verdict on a run, worded the same in the summary, page, JSON and messages.
package struct Verdict: Equatable, Sendable {
  package enum State: String, Sendable {
    /// Published without warnings, or in a dry run, publishable.
    case clean
    case warnings
    /// Published and valid, but a later step failed; perhaps with warnings.
    case incomplete
    case notPublished = "not_published"
    case unknown
  }

  package let state: State
  /// The verdict in words: `published with 2 warnings`.
  package let words: String
  /// The warnings about a published database, likely causes of others first; empty if nothing was published.
  package let warnings: [VerdictWarning]
}

extension IngestOutcome {
  /// The verdict; the first failure decides.
  package var verdict: Verdict {
    let warnings = VerdictWarning.all(warnings, tables)
    let count = warnings.count.of("warning")
    let published =
      isUnchanged ? "unchanged" : ending == .checked ? "would be published" : "published"
    guard let failure else {
      let rest =
        isUnchanged
        ? ", nothing was loaded\(warnings.isEmpty ? "" : "; \(count)")"
        : warnings.isEmpty ? ", clean" : " with \(count)"
      return Verdict(
        state: warnings.isEmpty ? .clean : .warnings, words: published + rest, warnings: warnings)
    }
    if let undone = failure.undone {
      return Verdict(state: .incomplete, words: "\(published), but \(undone)", warnings: warnings)
    }
    guard failure.kind != .uncertain else {
      return Verdict(state: .unknown, words: "possibly published: \(failure.reason)", warnings: [])
    }
    let files = failure.code?.file == nil ? 0 : failures.count { $0.code?.file != nil }
    let reason = files > 1 ? "\(files) source files cannot be used" : failure.reason
    let cause = failure.headline == nil ? failure.cause.map { ", \($0)" } ?? "" : ""
    let not = ending == .checked ? "would not be published" : "not published"
    return Verdict(state: .notPublished, words: "\(not): \(reason)\(cause)", warnings: [])
  }
}

/// A warning of the verdict: all warnings of one code, or all records rejected for one reason.
package struct VerdictWarning: Equatable, Sendable {
  package let code: String
  package let message: String
  /// The common meaning of the warnings; nil if each has its own, or for rejected records.
  package var meaning: String?
  /// The warnings; empty for rejected records.
  package var warnings: [Warning] = []

  /// The codes of likely causes of others.
  private static let causes: [WarningCode] = [
    .mixedGenerations, .tableAbsent, .tableEmpty, .columnConstant, .textEncodedTwice,
    .tableShrunk, .keysRenumbered, .changesUnusual, .tableGrown,
  ]

  /// All warnings of the verdict, likely causes of others first.
  package static func all(_ warnings: [Warning], _ tables: [TableCounts] = []) -> [VerdictWarning] {
    func grouped(_ codes: [WarningCode]) -> [VerdictWarning] {
      codes.compactMap { code in VerdictWarning(code, warnings.filter { $0.code == code }) }
    }
    return grouped(causes)
      + RecordCode.allCases.compactMap { VerdictWarning($0, tables, warnings) }
      + grouped(WarningCode.allCases.filter { $0.affectsVerdict && !causes.contains($0) })
  }

  private init?(_ code: WarningCode, _ warnings: [Warning]) {
    guard !warnings.isEmpty else { return nil }
    self.code = code.rawValue
    self.warnings = warnings
    meaning = code.meaningOfMany
    message =
      meaning.map { "\($0): \(warnings.subjects)" }
      ?? warnings.map { "\($0.file.escapedForMessage): \($0.message)" }.joined(separator: "; ")
  }

  private init?(_ code: RecordCode, _ tables: [TableCounts], _ warnings: [Warning]) {
    let counts = tables.map { (table: $0.table, count: $0.rejectedByCode[code, default: 0]) }
      .filter { $0.count > 0 }
    guard !counts.isEmpty else { return nil }
    let names = counts.map { "\($0.table) \($0.count.grouped)" }.joined(separator: ", ")
    let sum = counts.reduce(0) { $0 + $1.count }.of("record")
    let cause = code == .missingParent ? LikelyCause(warnings).map { ", \($0.words)" } ?? "" : ""
    self.code = code.rawValue
    message = "\(sum) rejected\(cause): \(names)"
  }
}

extension WarningCode {
  /// A heading for a list of the tables, columns or files with this warning; nil if each warning states more.
  fileprivate var meaningOfMany: String? {
    switch self {
    case .columnUnknown: "unknown columns, not loaded"
    case .columnAbsent: "missing from the source files, NULL in every row"
    case .fileUnknown: "files without a table, not loaded"
    case .columnOrder: "source files with columns in another order"
    case .booleanSpellings: "source files with two spellings of booleans"
    case .valueUnknown: "new values"
    case .numberRounded: "numbers rounded to 64 bits"
    case .tableAbsent: "source files missing, tables left empty (allowed by --allow-missing)"
    case .tableShrunk: "lost more than a tenth of the rows"
    case .nullsRisen: "many more NULLs than before"
    case .columnEmpty: "NULL in every row"
    default: nil
    }
  }
}

extension IngestError {
  package var reason: String {
    if let headline { return headline }
    return switch code {
    case .file(.fileMissing): "source files are missing"
    case .file(.repairInvalid): "the repairs are invalid"
    case .file: "a source file cannot be used"
    case .run(.rejectsOverLimit): "too many records are rejected"
    case .run(.keyMemoryExceeded): "keys exceed the memory limit"
    case .run(.schemaDrift): "the source files no longer match the schema"
    case .run(.catalogShrunk): "too many rows were lost"
    case .run(.catalogChanged): "too many keys were changed or removed"
    case .run(.sourcesOlder): "the source files are older than those of the previous database"
    case .run(.quarantineStale): "the fixed records belong to other source files"
    case .run(.sqlFailed): "the custom SQL failed"
    case .run(.acceptanceInvalid): "the suppressions are invalid"
    case .run(.derivationEndless): "a derived table would grow without bound"
    case .run(.accountsUnbalanced): "the row counts do not add up"
    case .description, nil: kind.reason
    }
  }
}

extension IngestError.Kind {
  fileprivate var reason: String {
    switch self {
    case .usage: "an option is invalid"
    case .data: "the data is invalid"
    case .inputMissing: "an input is missing"
    case .fault: "an internal error of ingest"
    case .output: "the output cannot be written"
    case .inputOutput: "reading or writing failed"
    case .uncertain: "the connection was lost while publishing"
    case .locked: "locked by another program; try again"
    case .interrupted: "interrupted by a signal"
    }
  }
}
