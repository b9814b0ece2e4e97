import Platform
import Text

/// The verdict of the run that published a database, as stored in it; a run that finds it unchanged repeats it.
package struct CatalogVerdict: Sendable {
  package var tables: [TableCounts]
  package var warnings: [Warning]
  package var suppressed: [Warning]
  /// With the run itself; empty if it is read from a database.
  package var history = History()

  package init(tables: [TableCounts], warnings: [Warning], suppressed: [Warning]) {
    self.tables = tables
    self.warnings = warnings
    self.suppressed = suppressed
  }

  package var state: String { RunVerdict(failures: [], warnings: warnings, tables: tables).state }
}

extension WarningCode {
  /// Whether every run finds it before it is skipped, so that an unchanged one need not repeat it.
  var isFoundAtOnce: Bool {
    [.fileUnknown, .featureIgnored, .acceptanceUnused, .typeWidened].contains(self)
  }

  /// Whether its warnings name a path from the command line, and not a source file.
  private var isOfPath: Bool {
    [.featureIgnored, .acceptanceUnused, .recordsLeftOut].contains(self)
  }

  /// The stored name of the file of a warning, without folders of this machine.
  package func keptName(of file: String) -> String { isOfPath ? split(file).name : file }
}
