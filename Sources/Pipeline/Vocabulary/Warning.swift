import Platform
package import SQLiteSwiftly
import Text
package import Schema

/// A warning about a run that continues.
package struct Warning: Equatable, Sendable {
  /// The name of the source file, or the path of the database or option that it concerns.
  package let file: String
  package let code: WarningCode
  package let table: String?
  package let column: String?
  package let message: String
  /// The line that suppresses it until its facts change; nil if it cannot be suppressed.
  package let suppression: String?
  /// The addition to the description that would load it; nil if unknown.
  package let change: DescriptionChange?
  /// The change since an earlier night that it is about; nil for other warnings.
  package let difference: NightDifference?

  /// A suppression applies until `facts` change, which are the message unless it has figures that grow with the source
  /// files; `suppression` is the line if it is known.
  package init(
    file: String, code: WarningCode, table: String? = nil, column: String? = nil,
    _ message: String, facts: String? = nil, suppression: String? = nil,
    change: DescriptionChange? = nil, difference: NightDifference? = nil
  ) {
    self.file = file
    self.code = code
    self.table = table
    self.column = column
    self.message = message
    self.suppression =
      code == .acceptanceUnused
      ? nil : suppression ?? Self.suppression(code, file, table, column, facts: facts ?? message)
    self.change = change
    self.difference = difference
  }
}

extension Warning {
  /// A warning about a change since an earlier night, which every night finds again from the data.
  package init(
    file: String, code: WarningCode, table: String, column: String?, _ message: String,
    _ difference: NightDifference
  ) {
    self.init(
      file: file, code: code, table: table, column: column, message,
      facts: "as of run \(difference.firstRun)", difference: difference)
  }

  /// The warning about a change that an earlier run showed first.
  package func since(run: Int) -> Warning {
    guard var difference, let table else { return self }
    difference.firstRun = run
    return Warning(file: file, code: code, table: table, column: column, message, difference)
  }

  /// Whether both are about changes of the same kind in the same column.
  package func isAboutSame(as other: Warning) -> Bool {
    code == other.code
      && haveSameBytes([table ?? "", column ?? ""], [other.table ?? "", other.column ?? ""])
  }

  /// A warning about an unsupported feature of a description; a suppression applies as long as `place` is the same.
  package static func featureIgnored(
    _ description: String, at place: String, _ message: String
  ) -> Warning {
    Warning(file: description, code: .featureIgnored, message, facts: place)
  }

  /// Its subject in short: `parts.part_material`, or the name of a file.
  package var subject: String { Self.subject(file, table, column) }

  private static func subject(_ file: String, _ table: String?, _ column: String?) -> String {
    guard let table else { return file.escapedForMessage }
    return column.map { "\(table).\($0)" } ?? table
  }

  /// The line for a file of suppressions; it has only the name of a file, since its folder may differ.
  private static func suppression(
    _ code: WarningCode, _ file: String, _ table: String?, _ column: String?, facts: String
  ) -> String {
    let subject = subject(split(file).name, table, column)
    return "\(code.rawValue) \(subject)\(facts.isEmpty ? "" : ": \(facts)")"
      .printable(keepingLineFeeds: false)
  }

  /// Whether a line suppresses it, or did before its facts changed.
  func hasSubject(of line: String) -> Bool {
    let subject = Self.suppression(code, file, table, column, facts: "")
    return code != .acceptanceUnused
      && (haveSameBytes(line, subject) || line.hasBytePrefix(subject + ": "))
  }
}

extension Warning {
  /// Whether the subject of a line is its table.
  func isOfTable(of line: String) -> Bool {
    table.map { line.hasBytePrefix("\(code.rawValue) \($0): ") } ?? false
  }
}

extension [Warning] {
  /// The number of each code, in the order of the codes: `column-unknown 2, file-unknown 1`.
  package var counts: String {
    WarningCode.allCases.compactMap { code in
      let count = count { $0.code == code }
      return count == 0 ? nil : "\(code.rawValue) \(count.grouped)"
    }.joined(separator: ", ")
  }

  /// Their codes, each with its subjects: `column-unknown parts.a, parts.b; file-unknown x.csv`.
  package var summary: String {
    WarningCode.allCases.compactMap { code in
      let warnings = filter { $0.code == code }
      return warnings.isEmpty ? nil : "\(code.rawValue) \(warnings.subjects)"
    }.joined(separator: "; ")
  }

  /// Their subjects, the first ten by name.
  var subjects: String {
    let more = count > 10 ? " and \((count - 10).grouped) more" : ""
    return prefix(10).map(\.subject).joined(separator: ", ") + more
  }
}

/// An addition to the description that would load the data reported by a warning.
package enum DescriptionChange: Equatable, Sendable {
  case column(ColumnDescription, ofTable: String)
  case table(TableDescription, SourceDescription)
}
