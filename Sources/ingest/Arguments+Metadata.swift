enum MetadataForm: Equatable {
  case dictionary
  case diagram
  case datasette(database: String)
}

extension Arguments {
  mutating func parseMetadata(_ words: ArraySlice<String>) throws(UsageError) {
    let words = try CommandWords(words, of: .metadata, operands: [])
    guard !words.has("--help") else { return task = .help(.command(.metadata)) }
    schema = SchemaChoice(named: words.value(of: "--schema"))
    let forms = ["--datasette", "--dictionary", "--diagram"].filter(words.has)
    guard forms.count == 1 else {
      throw UsageError(
        message: "'metadata' requires one of '--datasette', '--dictionary' and '--diagram'"
          + (forms.isEmpty ? "" : ", not \(forms.count)"))
    }
    let database = words.value(of: "--database")
    try require(
      database == nil || forms == ["--datasette"], "'--database' requires '--datasette'")
    let form: MetadataForm =
      switch forms[0] {
      case "--dictionary": .dictionary
      case "--diagram": .diagram
      default: .datasette(database: database ?? "catalog")
      }
    task = .metadata(form)
  }
}
