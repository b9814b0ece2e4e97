import Files

/// What a run that publishes a catalogue has come to, as the catalogue keeps it: a run that finds it unchanged
/// repeats it.
package struct CatalogVerdict: Sendable {
  package var tables: [TableAccount]
  package var notices: [Notice]
  package var accepted: [Notice]

  package init(tables: [TableAccount], notices: [Notice], accepted: [Notice]) {
    self.tables = tables
    self.notices = notices
    self.accepted = accepted
  }

  package var state: String { RunVerdict(failures: [], notices: notices, tables: tables).state }
}

extension NoticeCode {
  /// Whether each run that is given the same finds it before it reads any dump, so that an unchanged one tells it
  /// of its own.
  var isFoundAtOnce: Bool { [.fileUnknown, .featureIgnored, .acceptanceUnused].contains(self) }

  /// Whether its notices name a path that was given to the run, and not a dump.
  private var isOfPath: Bool {
    [.featureIgnored, .acceptanceUnused, .recordsLeftOut].contains(self)
  }

  /// What is kept of the name of a file that a notice is about: no folder of this machine.
  package func keptName(of file: String) -> String { isOfPath ? split(file).name : file }
}

extension Notice {
  package init(
    repeating code: NoticeCode, file: String, table: String?, column: String?, message: String,
    acceptedBy line: String?
  ) {
    let plain = Notice(file: file, code: code, table: table, column: column, message, facts: "")
    let subject = plain.acceptance.map { $0 + ": " } ?? ""
    let facts = line.map { $0.hasPrefix(subject) ? String($0.dropFirst(subject.count)) : "" }
    self.init(
      file: file, code: code, table: table, column: column, message, facts: facts ?? message)
  }
}
