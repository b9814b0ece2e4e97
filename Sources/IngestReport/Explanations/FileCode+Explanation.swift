import Facts

extension FileCode: ExplainedCode {
  static var level: CodeExplanation.Level { .file }

  /// What the code means, for `ingest explain` and the documentation.
  package var explanation: CodeExplanation {
    switch self {
    case .fileMissing:
      explanation(
        meaning: "A table has no dump in the folder or the archive.",
        example: "no parts.csv.gz and no parts.csv in dumps/, or no file in parts.csv.zip",
        cause: "A download failed or was left out, or --source names another folder.",
        remedy: "Download the file. If the table may be empty, say so: --allow-missing TABLE.")
    case .fileUnreadable:
      explanation(
        meaning: "A dump is there and cannot be read as a file.",
        example: "parts.csv.gz is a folder, a pipe, or belongs to somebody else",
        cause: "Permissions, or a name that something else has taken.",
        remedy: "Give the user of the job the right to read it, or save what comes from a pipe "
          + "to a file first.")
    case .fileAmbiguous:
      explanation(
        meaning:
          "There are two dumps for a table, in one folder or one archive, and which one is meant "
          + "cannot be known.",
        example: "parts.csv and parts.csv.gz in one folder, or two files in parts.csv.zip",
        cause: "A dump was unpacked for a look and left there.",
        remedy: "Remove one of the two, or pack only the one that is meant.")
    case .notGzip:
      explanation(
        meaning: "A name ends in .gz, but the file does not begin as gzip does, with the bytes "
          + "1f 8b.",
        example: "an error page in HTML, saved as parts.csv.gz",
        cause: "The server answered with an error, and the answer was saved; or a browser "
          + "unpacked the file.",
        remedy: "Look at the first line of the file, and download it again.")
    case .gzipTruncated:
      explanation(
        meaning: "The compressed data ends without its checksum.",
        example: "the first half of parts.csv.gz",
        cause: "A download was cut short, or was still going on when the job began.",
        remedy: "Download the file again, and let the job wait until all downloads are "
          + "complete.")
    case .gzipCorrupt:
      explanation(
        meaning: "The compressed data cannot be unpacked, or its checksum or length is not "
          + "what was unpacked.",
        example: "a byte of parts.csv.gz is another one",
        cause: "Damage on the way or on the disk, or a transfer in text mode.",
        remedy: "Download the file again. If that happens more than once, check the disk and "
          + "the memory.")
    case .gzipTrailingData:
      explanation(
        meaning: "Something that is not gzip follows the compressed data.",
        example: "parts.csv.gz followed by a line of text",
        cause: "A tool has appended to the file, or a download was resumed at the wrong place.",
        remedy: "Download the file again.")
    case .notZip:
      explanation(
        meaning: "A name ends in .zip, but the file neither begins nor ends as a ZIP archive does.",
        example: "an error page in HTML, saved as parts.csv.zip",
        cause: "The server answered with an error, and the answer was saved.",
        remedy: "Look at the first line of the file, and download it again.")
    case .zipTruncated:
      explanation(
        meaning: "A ZIP archive does not end with the record that says where its files are.",
        example: "the first half of parts.csv.zip, or parts.csv.zip followed by a line of text",
        cause: "A download was cut short, or was still going on when the job began.",
        remedy: "Download the file again, and let the job wait until all downloads are "
          + "complete.")
    case .zipCorrupt:
      explanation(
        meaning: "What a ZIP archive says of its files does not fit together, or a file cannot be "
          + "unpacked, or its size or checksum is another one.",
        example: "a byte of parts.csv.zip is another one, or two files in it share their bytes",
        cause: "Damage on the way or on the disk; or somebody has made an archive that different "
          + "programs unpack differently, or to far more bytes than it has.",
        remedy: "Download the file again. If that happens more than once, find out who has made "
          + "it, and check the disk and the memory.")
    case .zipUnsupported:
      explanation(
        meaning: "A ZIP archive has what is not read: a password, another compression than "
          + "deflate, or parts in several files.",
        example: "parts.csv.zip, packed with a password",
        cause: "The archive was packed by hand, with other options than usual.",
        remedy: "Unpack it and load what was in it, or pack it with zip and no options.")
    case .encodingUnsupported:
      explanation(
        meaning: "The dump begins with the byte order mark of UTF-16 or UTF-32.",
        example: "the bytes ff fe at the beginning",
        cause: "A spreadsheet has saved the file anew.",
        remedy: "Use the file as it was downloaded, or convert it: iconv -f UTF-16 -t UTF-8.")
    case .headerMissing:
      explanation(
        meaning: "There is no first record that names the columns.",
        example: "an empty file, or one whose first line has an open quote",
        cause: "The dump was cut to nothing, or the file is not a dump.",
        remedy: "Look at the first line of the file, and download it again.")
    case .columnMissing:
      explanation(
        meaning: "The header lacks a column that no row can do without.",
        example: "part_num,part_cat_id as the header of parts, without name",
        cause: "The publisher has renamed or dropped a column, or the file belongs to another "
          + "table.",
        remedy: "Compare the header with the table's description. If the change is meant to "
          + "stay, the description has to follow it.")
    case .columnDuplicate:
      explanation(
        meaning: "The header has a column twice.",
        example: "id,name,name",
        cause: "Two dumps were joined, or the file was edited.",
        remedy: "Download the file again.")
    case .tooManyColumns:
      explanation(
        meaning: "The header has more columns than a table of SQLite can have, which are 2,000.",
        example: "2,417 columns where at most 2,000 are read",
        cause: "The file is not a dump, or its fields are separated by another character.",
        remedy:
          "Look at the first line of the file. If these are its columns, leave out some, or split the "
          + "file.")
    case .headerMismatch:
      explanation(
        meaning:
          "The header has other columns than the description permits, or has them in another "
          + "order.",
        example:
          "id;name;note as the header of a dump that is described by id and name, with fieldsMatch "
          + "exact",
        cause:
          "The dump was written by another version of the program that it comes from, or the file "
          + "belongs to another table.",
        remedy:
          "Compare the header with the description. If the change is meant to stay, describe the "
          + "columns, or permit others with fieldsMatch.")
    case .unterminatedQuote:
      explanation(
        meaning: "The file ends inside quotes.",
        example: "1,\"Brick as the last line",
        cause: "A closing quote is missing somewhere, or the file was cut before it was "
          + "compressed.",
        remedy: "The message has the line on which the quote opens: look there, and download "
          + "the file again.")
    case .recordEndless:
      explanation(
        meaning: "A record is longer than 256 MiB, and the file was not read any further.",
        example: "a file of zeros, or a quote that does not close for hundreds of megabytes",
        cause: "A quote is missing, or the file is no dump.",
        remedy: "The message has the line on which the record begins: look there, and download the "
          + "file again.")
    case .repairInvalid:
      explanation(
        meaning: "The folder of standing repairs, or a file in it, cannot be read or understood.",
        example: "part.add.csv, where parts.add.csv was meant, or a column nmae in its header",
        cause: "A typing error in a name or in the first line, or --repairs names another folder.",
        remedy:
          "Correct what the message names. A file is called TABLE.add.csv, TABLE.replace.csv or "
          + "TABLE.leave-out.csv, and has the header of the dump.")
    }
  }
}
