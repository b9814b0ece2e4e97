extension NoticeCode: ExplainedCode {
  static var level: CodeExplanation.Level { .notice }

  /// What the code means, for `ingest explain` and the documentation.
  package var explanation: CodeExplanation {
    switch self {
    case .columnUnknown:
      explanation(
        meaning: "The header has a column that the catalogue does not know. It is not loaded.",
        example: "a column material behind those of parts",
        cause: "Rebrickable has added a column.",
        remedy: "Nothing, if nobody misses it. To load it, add it to the table's description "
          + "in RebrickableCatalog.")
    case .columnAbsent:
      explanation(
        meaning: "A column that may be empty is not in the header. It is NULL in every row.",
        example: "inventory_parts of 2020, which has no img_url",
        cause: "A dump that is older than the column, or a column that Rebrickable has "
          + "dropped.",
        remedy: "Nothing for an old dump. For one of today, ask whether anybody needs the "
          + "column.")
    case .fileUnknown:
      explanation(
        meaning: "The folder has a dump for which there is no table.",
        example: "moc_parts.csv.gz",
        cause: "Rebrickable has added a table, or the folder is used for other things, too.",
        remedy: "Nothing, if nobody misses it. To load it, describe the table in "
          + "RebrickableCatalog.")
    case .blankLine:
      explanation(
        meaning: "The dump has lines without anything in them. They are no records.",
        example: "a blank line at the end",
        cause: "An editor, or dumps that were joined.",
        remedy: "Nothing.")
    case .mixedLineEnds:
      explanation(
        meaning: "Some records end in LF and others in CRLF. Both are read.",
        example: "a CRLF header above lines that end in LF",
        cause: "Dumps that were joined, or written on two systems.",
        remedy: "Nothing.")
    }
  }
}
