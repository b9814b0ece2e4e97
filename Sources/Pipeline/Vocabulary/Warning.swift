import Text

/// A warning about a run that continues.
package struct Warning: Equatable, Sendable {
  /// The name of the source file, or the path of the database or option that it concerns.
  package let file: String
  package let code: WarningCode
  package let table: String?
  package let column: String?
  package let message: String
  /// The facts that must not change for a suppression to apply, without figures that grow with the source files.
  package let facts: String
  /// The addition to the description that would load it; nil if unknown.
  package let change: DescriptionChange?

  package init(
    file: String, code: WarningCode, table: String? = nil, column: String? = nil,
    _ message: String, facts: String? = nil, change: DescriptionChange? = nil
  ) {
    self.file = file
    self.code = code
    self.table = table
    self.column = column
    self.message = message
    self.facts = facts ?? message
    self.change = change
  }
}

extension Warning {
  /// A warning about an unsupported feature of a description; a suppression applies as long as `place` is the same.
  package static func featureIgnored(
    _ description: String, at place: String, _ message: String
  ) -> Warning {
    Warning(file: description, code: .featureIgnored, message, facts: place)
  }

  /// Its subject in short: `parts.part_material`, or the name of a file.
  package var subject: String {
    guard let table else { return file.escapedForMessage }
    return column.map { "\(table).\($0)" } ?? table
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
