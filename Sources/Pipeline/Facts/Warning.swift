/// Something worth knowing about a run that goes on anyway.
package struct Warning: Equatable, Sendable {
  /// The name of the file, in the folder of the dumps, or the path of the catalog that it is about.
  package let file: String
  package let code: WarningCode
  package let table: String?
  package let column: String?
  package let message: String
  /// What of it must stay for an suppression to hold; figures that grow with the dumps are not among it.
  package let facts: String
  /// What the description lacks for it to be loaded; nil if that is not known.
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
  /// The warning of something that a description asks for and that is not done; it holds for as long as the place
  /// is that.
  package static func featureIgnored(
    _ description: String, at place: String, _ message: String
  ) -> Warning {
    Warning(file: description, code: .featureIgnored, message, facts: place)
  }

  /// What it is about, in as few words as possible: `parts.part_material`, or the name of a file.
  package var subject: String {
    guard let table else { return file.escapedForMessage }
    return column.map { "\(table).\($0)" } ?? table
  }
}

extension [Warning] {
  /// How many there are of each code, in the codes' order: `column-unknown 2, file-unknown 1`.
  package var counts: String {
    WarningCode.allCases.compactMap { code in
      let count = count { $0.code == code }
      return count == 0 ? nil : "\(code.rawValue) \(count.grouped)"
    }.joined(separator: ", ")
  }

  /// Their codes, each with what it was said of: `column-unknown parts.a, parts.b; file-unknown x.csv`.
  package var summary: String {
    WarningCode.allCases.compactMap { code in
      let warnings = filter { $0.code == code }
      return warnings.isEmpty ? nil : "\(code.rawValue) \(warnings.subjects)"
    }.joined(separator: "; ")
  }

  /// What they are about, the first ten by name.
  var subjects: String {
    let more = count > 10 ? " and \((count - 10).grouped) more" : ""
    return prefix(10).map(\.subject).joined(separator: ", ") + more
  }
}
