import Files

/// What a run that publishes a catalog has come to, as the catalog keeps it: a run that finds it unchanged
/// repeats it.
package struct CatalogVerdict: Sendable {
  package var tables: [TableCounts]
  package var warnings: [Warning]
  package var suppressed: [Warning]

  package init(tables: [TableCounts], warnings: [Warning], suppressed: [Warning]) {
    self.tables = tables
    self.warnings = warnings
    self.suppressed = suppressed
  }

  package var state: String { RunVerdict(failures: [], warnings: warnings, tables: tables).state }
}

extension WarningCode {
  /// Whether each run that is given the same finds it before it reads any dump, so that an unchanged one tells it
  /// of its own.
  var isFoundAtOnce: Bool { [.fileUnknown, .featureIgnored, .acceptanceUnused].contains(self) }

  /// Whether its warnings name a path that was given to the run, and not a dump.
  private var isOfPath: Bool {
    [.featureIgnored, .acceptanceUnused, .recordsLeftOut].contains(self)
  }

  /// What is kept of the name of a file that a warning is about: no folder of this machine.
  package func keptName(of file: String) -> String { isOfPath ? split(file).name : file }
}

extension Warning {
  package init(
    repeating code: WarningCode, file: String, table: String?, column: String?, message: String,
    acceptedBy line: String?
  ) {
    let plain = Warning(file: file, code: code, table: table, column: column, message, facts: "")
    let subject = plain.suppression.map { $0 + ": " } ?? ""
    let facts = line.map { $0.hasPrefix(subject) ? String($0.dropFirst(subject.count)) : "" }
    self.init(
      file: file, code: code, table: table, column: column, message, facts: facts ?? message)
  }
}
