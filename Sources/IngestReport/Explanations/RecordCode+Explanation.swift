import Facts

extension RecordCode: ExplainedCode {
  static var level: CodeExplanation.Level { .record }

  /// What the code means, for `ingest explain` and the documentation.
  package var explanation: CodeExplanation {
    switch self {
    case .wrongFieldCount:
      explanation(
        meaning: "The record has more or fewer fields than the header.",
        example: "3001,Brick 2 x 4,11,Plastic,surplus",
        cause: "A comma in a text that has no quotes around it, or a line that was cut.",
        remedy: "Put the text into quotes, or complete the line.")
    case .strayQuote:
      explanation(
        meaning: "There is a quote inside a field that does not begin with one.",
        example: "3001,Brick 1/2\" high,11",
        cause: "An inch sign in a text that has no quotes around it.",
        remedy: "Put the field into quotes, and double those inside: \"Brick 1/2\"\" high\".")
    case .textAfterQuote:
      explanation(
        meaning: "Text follows a closing quote before the next comma.",
        example: "3001,\"Brick\" 2 x 4,11",
        cause: "A quote inside a quoted text that is not doubled.",
        remedy: "Double the quotes inside: \"\"\"Brick\"\" 2 x 4\".")
    case .bareCarriageReturn:
      explanation(
        meaning: "There is a carriage return outside quotes that no line feed follows.",
        example: "3001,Brick<CR>2 x 4,11",
        cause: "A file with line ends of old Macs, or a line end inside a text without quotes.",
        remedy: "Put the text into quotes, or write line ends as LF or CRLF.")
    case .invalidUTF8:
      explanation(
        meaning: "The record has bytes that are not UTF-8.",
        example: "Caf<E9>, which is Latin-1",
        cause: "A file that was saved in another encoding, or a letter that was cut in half.",
        remedy: "Convert the file or the record to UTF-8.")
    case .nulByte:
      explanation(
        meaning: "The record has a NUL byte, which text never holds.",
        example: "3001,Brick<NUL>2 x 4,11",
        cause: "Damage, or a file in UTF-16 without its mark.",
        remedy: "Remove the byte, or download the file again.")
    case .recordTooLong:
      explanation(
        meaning: "The record is longer than 16 MiB.",
        example: "a quote that opens and does not close for the rest of the file",
        cause: "A quote is missing, most likely far from the beginning of the record.",
        remedy: "Look for the quote that opens on the line of the message, and close it.")
    case .missingValue:
      explanation(
        meaning: "A required value is missing.",
        example: "3001,,11 in parts, where every part has a name",
        cause: "The value was not known when the dump was written.",
        remedy: "Fill it in, or leave the record out and raise --max-rejects.")
    case .notAnInteger:
      explanation(
        meaning: "The value is not an integer in plain decimal digits.",
        example: "12x, 1.0, 1e3, +7 or 007",
        cause: "A comma that moved the columns, or a file that a spreadsheet has saved anew.",
        remedy: "Write it as SQLite would: digits without leading zeros, with - where it is "
          + "negative.")
    case .integerOutOfRange:
      explanation(
        meaning: "The value is an integer that 64 bits with a sign do not hold.",
        example: "99999999999999999999",
        cause: "Two values that ran together.",
        remedy: "Correct the value.")
    case .notANumber:
      explanation(
        meaning: "The value is not a decimal number.",
        example:
          "12,5 where the fraction follows a point, or NaN, for which a database has only NULL",
        cause:
          "Columns that have moved, or another way to write numbers than the description says.",
        remedy:
          "Write digits, with a point before the fraction. If all records are written otherwise, "
          + "say so in the description: decimalChar, groupChar, bareNumber, or missingValues for NaN."
      )
    case .numberOutOfRange:
      explanation(
        meaning: "The value is a number that is too large for floating-point numbers of 64 bits.",
        example: "1e400",
        cause: "Two values that ran together, or an exponent with a typing error.",
        remedy: "Correct the value.")
    case .notATime:
      explanation(
        meaning:
          "The value is not the date, time or duration that its column has, or there is no such "
          + "day.",
        example: "2023-02-29, or 31.12.2024 where ISO 8601 is expected",
        cause: "A typing error, or another way to write dates than the description says.",
        remedy:
          "The message says what is expected. If all records are written otherwise, say so in the "
          + "description: format is a pattern such as %d.%m.%Y.")
    case .notJSON:
      explanation(
        meaning: "The value is not JSON, or not the object or array that its column has.",
        example: "{'a': 1}, where JSON has double quotes",
        cause: "Text that a program has printed for people, or that was cut.",
        remedy: "Write JSON as in RFC 8259, not deeper than 1,000 levels.")
    case .wrongLength:
      explanation(
        meaning: "The text has fewer or more characters than its column may have.",
        example: "DEUT where a country has two letters",
        cause: "Columns that have moved, or a text that was cut or has grown.",
        remedy:
          "The message says how many are allowed. If the text is right, the description has to "
          + "follow it.")
    case .notABoolean:
      explanation(
        meaning:
          "The value is none of True, False, t and f, or of those that the description lists.",
        example: "yes",
        cause: "A spelling that no dump had so far, or columns that have moved.",
        remedy: "Write True or False. If the spelling is new in all records, ingest has to "
          + "learn it.")
    case .notAllowed:
      explanation(
        meaning: "The value has the right type, but is outside what the column may hold.",
        example: "-1 as a quantity",
        cause: "Damage, or a meaning that the value did not have before.",
        remedy: "The message says what is allowed. If the value is right, the column's domain "
          + "has to follow it.")
    case .wrongFormat:
      explanation(
        meaning: "The text does not have the form of its column.",
        example: "05131G as an rgb, or a name with a line feed in it",
        cause: "Two stray quotes that happen to meet, so that two lines are taken for one; or "
          + "a typing error.",
        remedy: "The message says which form is expected. Look at the quotes of the line and "
          + "of those after it.")
    case .keyTooLong:
      explanation(
        meaning: "The text is part of a key or of an index, and is longer than one may be.",
        example: "a part_num of 2,000 bytes, where 1,024 are taken",
        cause:
          "A quote is missing, so that two fields are taken for one; or a file that is no dump.",
        remedy:
          "Look at the quotes of the line. If the text is right, the column's description has "
          + "to allow it.")
    case .duplicateKey:
      explanation(
        meaning: "A record before this one has the same key.",
        example: "two lines for the inventory, part, colour and spare mark of inventory_parts",
        cause: "The dump was written while the data changed, or a line was copied.",
        remedy: "Decide which of the records is right, and remove the other.")
    case .missingParent:
      explanation(
        meaning: "The value refers to a record that is not there, or that was itself rejected.",
        example: "a part of the colour 12345, which colors does not have",
        cause: "The dumps are of different days; or the parent was rejected, and then one "
          + "reject brings many.",
        remedy: "Repair the parent if it was rejected. Otherwise download all dumps again, at "
          + "one time.")
    }
  }
}
