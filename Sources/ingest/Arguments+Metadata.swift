enum MetadataForm: Equatable {
  case dictionary
  case diagram
  case datasette(database: String)
}

extension MetadataForm {
  /// Parses the words after `metadata`; nil for a request for help.
  init?(_ words: ArraySlice<String>) throws(UsageError) {
    let forms = "'--datasette', '--dictionary' or '--diagram'"
    var rest = words
    guard let form = rest.popFirst() else {
      throw UsageError(message: "'metadata' requires \(forms)")
    }
    switch form {
    case "-h", "--help": return nil
    case "--dictionary": self = .dictionary
    case "--diagram": self = .diagram
    case "--datasette": self = .datasette(database: try Self.database(&rest))
    default:
      let suggestion = nearest(
        to: form, of: ["--datasette", "--dictionary", "--diagram", "--help"])
      throw UsageError(
        message: "'metadata' has no option '\(form)': expected \(forms)\(suggestion)")
    }
    guard let word = rest.first else { return }
    throw UsageError(message: "unexpected argument '\(word)'")
  }

  private static func database(_ rest: inout ArraySlice<String>) throws(UsageError) -> String {
    guard let word = rest.first, word == "--database" || word.hasPrefix("--database=") else {
      return "catalog"
    }
    rest.removeFirst()
    let joined = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = joined.count > 1 ? String(joined[1]) : rest.popFirst()
    guard let name, !name.isEmpty else {
      throw UsageError.missingValue(of: "--database")
    }
    return name
  }
}
