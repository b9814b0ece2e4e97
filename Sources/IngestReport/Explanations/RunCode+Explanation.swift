import Facts

extension RunCode: ExplainedCode {
  static var level: CodeExplanation.Level { .run }

  /// What the code means, for `ingest explain` and the documentation.
  package var explanation: CodeExplanation {
    switch self {
    case .rejectsOverLimit:
      explanation(
        meaning: "More records were rejected than --max-rejects allows.",
        example: "3 rejected records, and no --max-rejects",
        cause: "Dumps of different days, damage in a dump, or a format that has changed.",
        remedy:
          "Read the reasons beside the rejected records. If parents are missing, download all "
          + "dumps again, at one time. Otherwise repair the records and run ingest replay, or raise "
          + "the limit to publish without them.")
    case .schemaDrift:
      explanation(
        meaning: "The dumps are not what the schema describes, and --strict-schema was given.",
        example: "a new column in parts.csv.gz",
        cause: "The publisher has changed the format of a dump.",
        remedy: "Each notice says which change of the description would accept it. Without "
          + "--strict-schema the catalogue is published.")
    case .catalogShrunk:
      explanation(
        meaning: "The new catalogue has so many fewer rows than the old one that it is not "
          + "published.",
        example: "400,000 rows in inventory_parts where there were 1,500,000",
        cause: "A dump that was cut before it was compressed, or a table that was left empty with "
          + "--allow-missing.",
        remedy:
          "Put a dump that is missing into the folder, and compare the others with those of the "
          + "day before. If a part of the rows is rightly gone, run again with the --max-shrink that "
          + "the message names. If a table is to be empty from now on, move the old catalogue away and "
          + "run again: it is then compared with nothing, and you still have it.")
    case .quarantineStale:
      explanation(
        meaning: "The rejected records that are to be replayed come from other dumps than those "
          + "in --source.",
        example: "records that were rejected yesterday, and the dumps of today",
        cause: "The dumps were downloaded again meanwhile.",
        remedy: "Replay with the dumps of that day, or load those of today and repair what is "
          + "rejected then.")
    case .keyMemoryExceeded:
      explanation(
        meaning: "The keys of the dumps take more memory than --max-key-memory allows.",
        example: "ten million parts, where there are sixty thousand",
        cause:
          "A file that is no dump, or is made to do harm; or a catalogue that has grown very much.",
        remedy:
          "Look at the file and the line of the message. If they are right, run again with the "
          + "limit that the message names.")
    case .sqlFailed:
      explanation(
        meaning: "A statement of a file that was given by --sql has failed, or was not allowed.",
        example: "extra.sql:12: statement 3: no such column: nmae",
        cause:
          "A typing error, a column that the catalogue no longer has, or SQL that would change "
          + "the catalogue's own tables or depend on the clock.",
        remedy:
          "Correct the statement on that line, and try it on a copy of the catalogue. Without "
          + "--sql the catalogue is published.")
    case .acceptanceInvalid:
      explanation(
        meaning: "A line of the file that --accept names is not understood.",
        example: "accepted.txt:4: \"colum-unknown\" is not the code of a notice",
        cause: "A typing error, or a file that is something else.",
        remedy: "Copy the line from the notice that it is to accept, or put a # before it.")
    case .derivationEndless:
      explanation(
        meaning: "The rows of a table that follows from the dumps have no end in sight.",
        example: "set_inventories: the rows that it is filled with have no end in sight",
        cause: "Records that lead to others in ever more ways, such as sets within sets within "
          + "sets; a file that is no dump, or is made to do harm.",
        remedy: "Look at the dumps that the message names for what is inside itself many times "
          + "over, and download them again.")
    case .accountsUnbalanced:
      explanation(
        meaning: "A record or a byte that was read is neither in the catalogue nor among the "
          + "rejected ones.",
        example: "1,000 records read, 998 inserted, 1 rejected",
        cause: "A fault of ingest, or of the machine that it runs on.",
        remedy: "Run it again. If it happens again, report it with the dumps.")
    }
  }
}
