import Facts

extension NoticeCode: ExplainedCode {
  static var level: CodeExplanation.Level { .notice }

  /// What the code means, for `ingest explain` and the documentation.
  package var explanation: CodeExplanation {
    switch self {
    case .columnUnknown:
      explanation(
        meaning: "The header has a column that the catalogue does not know. It is not loaded.",
        example: "a column material after those of parts",
        cause: "The publisher has added a column.",
        remedy: "If nobody misses it, accept it. To load it, add it to the table's description.",
        acceptance: "column-unknown parts.material")
    case .columnAbsent:
      explanation(
        meaning: "A column that may be empty is not in the header. It is NULL in every row.",
        example: "inventory_parts of 2020, which has no img_url",
        cause: "A dump that is older than the column, or a column that the publisher has "
          + "dropped.",
        remedy: "Nothing for an old dump. For one of today, ask whether anybody needs the "
          + "column, and if not, accept it.",
        acceptance: "column-absent inventory_parts.img_url")
    case .fileUnknown:
      explanation(
        meaning: "The folder has a dump for which there is no table.",
        example: "moc_parts.csv.gz",
        cause: "The publisher has added a table, or the folder is used for other things, too.",
        remedy: "If nobody misses it, accept it. To load it, describe the table.",
        acceptance: "file-unknown moc_parts.csv.gz")
    case .blankLine:
      explanation(
        meaning: "The dump has lines without anything in them. They are no records.",
        example: "a blank line at the end",
        cause: "An editor, or dumps that were joined.",
        remedy: "Nothing.",
        acceptance: "blank-line themes.csv: 1")
    case .mixedLineEnds:
      explanation(
        meaning: "Some records end in LF and others in CRLF. Both are read.",
        example: "a CRLF header above lines that end in LF",
        cause: "Dumps that were joined, or written on two systems.",
        remedy: "Nothing.",
        acceptance: "mixed-line-ends themes.csv")
    case .columnOrder:
      explanation(
        meaning: "The columns are in a different order than in the catalogue. They are found "
          + "by their names.",
        example: "name,id,parent_id as the header of themes",
        cause: "The publisher has changed the order, or another program has written the dump.",
        remedy: "Nothing. If it stays so, accept it.",
        acceptance: "column-order themes: name,id,parent_id")
    case .booleanSpellings:
      explanation(
        meaning: "A dump has both spellings of booleans, t and f as well as True and False. Both "
          + "are read.",
        example: "t in one line of inventory_parts and True in another",
        cause: "Dumps of before and after November 2024 were joined.",
        remedy: "Nothing, if the dump was put together on purpose; otherwise download it again.",
        acceptance: "boolean-spellings inventory_parts.is_spare")
    case .valueUnknown:
      explanation(
        meaning: "A column whose values may become more has one that was not seen so far. It is "
          + "loaded.",
        example: "X as rel_type in part_relationships",
        cause: "The publisher has added a value; or a typing error.",
        remedy: "Ask what the value means. If it is right, accept it; another one is told again.",
        acceptance: "value-unknown part_relationships.rel_type: \"X\"")
    case .numberRounded:
      explanation(
        meaning:
          "A column has numbers with more digits than floating-point numbers of 64 bits hold. The "
          + "nearest ones are loaded. A number that comes out with the digits it went in with is not meant, "
          + "however it is written.",
        example: "52.51234567890123456789 as a latitude",
        cause:
          "A program that writes more digits than it knows, or numbers that are none to calculate "
          + "with, such as those of accounts.",
        remedy: "If the digits mean something, describe the column as text. Otherwise accept it.",
        acceptance: "number-rounded stops.stop_lat")
    case .mixedGenerations:
      explanation(
        meaning: "The dumps were compressed at times that are far apart, and may not belong "
          + "together. Times in ZIP archives, which have no time zone, are compared only with "
          + "each other.",
        example: "parts.csv.gz of today beside inventory_parts.csv.gz of yesterday",
        cause: "A download failed and left the file of the day before, or the job ran while the "
          + "dumps were being written.",
        remedy: "Download all dumps again, at one time.",
        acceptance: "mixed-generations themes: 2026-11-20T03:00:00Z to 2026-11-21T03:00:00Z")
    case .tableAbsent:
      explanation(
        meaning: "A table has no dump, which --allow-missing allows. It is empty.",
        example: "a folder without inventory_parts.csv.gz, and --allow-missing all",
        cause: "A download that failed, or dumps that were never there, as in an old set.",
        remedy:
          "Put the dump into the folder and run again. If the table is not needed, name it by "
          + "--allow-missing instead of saying all.",
        acceptance: "table-absent inventory_parts")
    case .tableShrunk:
      explanation(
        meaning: "A table has lost more than a tenth of its rows, within what --max-shrink allows.",
        example: "800,000 rows in inventory_parts where there were 1,500,000",
        cause: "A dump that was cut before it was compressed, or dumps of another day.",
        remedy: "Compare the dump with that of the day before. A lower --max-shrink stops such a "
          + "catalogue.")
    case .nullsRisen:
      explanation(
        meaning: "A column is empty in many more rows than in the catalogue that is replaced.",
        example: "img_url of sets, empty in 2 rows yesterday and in all of them today",
        cause: "The publisher has stopped filling the column, or its name has changed.",
        remedy: "Compare the dump with that of the day before. If the values are needed, keep the "
          + "old catalogue.",
        acceptance: "nulls-risen sets.img_url: 1.7% to 100%")
    case .columnEmpty:
      explanation(
        meaning: "The dump has a column with nothing in it. It is NULL in every row.",
        example: "an img_url of sets that is empty in all of them",
        cause: "The publisher has stopped filling the column.",
        remedy: "Ask whether anybody needs the column, and if not, accept it.",
        acceptance: "column-empty sets.img_url")
    case .recordsLeftOut:
      explanation(
        meaning: "A replay has fewer repaired records than those that they replace. The others are "
          + "not in the catalogue.",
        example: "10 rejected records, of which 3 were deleted from TABLE.csv",
        cause: "Whoever repaired the records has deleted those that could not be.",
        remedy:
          "Nothing, if that was meant. Otherwise take them from TABLE.csv of an older rejects "
          + "folder, or run without the replay.")
    case .objectsLost:
      explanation(
        meaning: "The catalogue that is replaced has views, indexes, triggers, tables or columns "
          + "that the new one does not have.",
        example: "a view that somebody has created in catalog.sqlite",
        cause: "Somebody has added to the catalogue, a file is no longer given by --sql, or this "
          + "version of ingest has another schema.",
        remedy: "Write what makes it into a file of SQL and give that by --sql each time. Or keep "
          + "what is your own in a database of its own, and attach the catalogue to it. In PostgreSQL, "
          + "make it again after each run.",
        acceptance: "objects-lost catalog.sqlite: view mine")
    case .catalogUnreadable:
      explanation(
        meaning:
          "The catalogue that is replaced could not be read as a whole, so nothing of it, or of "
          + "one of its tables, was compared.",
        example: "a catalog.sqlite whose pages are damaged, or with a value of 400 MB",
        cause: "The disk or the memory has damaged the old file, or somebody has changed it.",
        remedy: "Nothing for the new catalogue, which was verified. Check the disk.")
    case .accessChanged:
      explanation(
        meaning: "The new catalogue could not be given the owner, the group, the mode or the "
          + "access control list of the one that it replaces.",
        example: "a catalog.sqlite of root's that another user replaces",
        cause: "Only root may give a file away; others may give it to groups that they belong to.",
        remedy: "See whether all who read the catalogue still can. Let the job run as the user who "
          + "owns the file.")
    case .searchAbsent:
      explanation(
        meaning: "The catalogue has no full-text search: the SQLite library cannot make one.",
        example: "a library that was built without FTS5",
        cause: "The program runs with another library than it was built for.",
        remedy:
          "Let it run with a library that has FTS5. If nobody needs the search, say --no-search.")
    case .acceptanceUnused:
      explanation(
        meaning: "A line of the file that --accept names has accepted no notice of this run.",
        example: "line 3 accepts nothing: column-unknown parts.material",
        cause:
          "What it accepted is over, or the notice says something else now; or a typing error.",
        remedy: "Take the line out, or put the one in its place that the notice shows.")
    case .repairNeedless:
      explanation(
        meaning: "The dump has by now what a standing repair would make of it.",
        example: "a part in parts.add.csv that is in parts.csv.gz, too",
        cause: "The publisher has corrected what was repaired here.",
        remedy:
          "Remove the lines from the file of repairs; nothing else changes by that. If they are "
          + "to stay for dumps to come, accept it.",
        acceptance: "repair-needless parts: add line 7")
    case .repairInapplicable:
      explanation(
        meaning:
          "A standing repair does not apply: the dump has no record with its key, or another one "
          + "where a record was to be added.",
        example: "a line in sets.leave-out.csv whose set is not in sets.csv.gz any more",
        cause: "The publisher has removed or changed the record, or a key has a typing error.",
        remedy:
          "Compare the lines with the dump, and correct or remove them. If they are to stay for "
          + "dumps to come, accept it.",
        acceptance: "repair-inapplicable sets: leave-out lines 2-4, 9")
    case .rejectsEdited:
      explanation(
        meaning:
          "The rejected records of an earlier run were edited, but not replayed. They are kept in "
          + "another folder.",
        example:
          "a catalog.sqlite.rejects/parts.csv that somebody repaired, before the job of the night",
        cause:
          "The records of a new night were loaded or rejected before somebody replayed the repaired "
          + "ones.",
        remedy:
          "Replay the folder that the notice names with the dumps that it comes from, or remove it. "
          + "To make repairs stand, see --repairs.")
    case .featureIgnored:
      explanation(
        meaning:
          "The description of the dumps asks for something that ingest does not do. It was passed over, as "
          + "--ignore-unsupported says.",
        example: "a jsonSchema constraint on a field of objects",
        cause: "The description was written for another program.",
        remedy:
          "Check whether the data need it. If not, remove it from the description, or accept the notice.",
        acceptance:
          "feature-ignored datapackage.json: /resources/0/schema/fields/3/constraints/jsonSchema")
    }
  }
}
