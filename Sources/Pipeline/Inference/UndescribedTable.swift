import SourceFiles
import Facts
import Files

struct UndescribedTable {
  let dump: FoundSource
  let delimiter: String
  let words: NameWords
  /// Its columns; nil in the place of a field without a name.
  let columns: [Column?]

  struct Column {
    let name: String
    let words: NameWords
  }

  init(_ dump: FoundSource, recordLimit: Int) throws(IngestError) {
    self.dump = dump
    delimiter = try DelimiterGuess(dump.file).delimiter
    words = NameWords(dump.table)
    let scan = try SourceScan(dump, delimiter: delimiter, recordLimit: recordLimit)
    columns = scan.header.names.map { name in
      name.isEmpty ? nil : Column(name: name, words: NameWords(name))
    }
    var known: Set<String> = []
    for column in columns.compactMap(\.self)
    where !known.insert(column.name.lowercased()).inserted {
      throw IngestError(
        .data, code: .columnDuplicate,
        "\(dump.file.path): line \(scan.header.line): two columns are called "
          + "\(Array(column.name.utf8).span.quotedForMessage), where each needs a name of its own. "
          + "Correct the header.")
    }
  }

  /// Why the file is no dump; nil if it may be one.
  ///
  /// What ends in `.txt` is a dump of GTFS, or something to be read by people.
  var reasonToPassOver: String? {
    guard dump.file.name.contains(".txt"), columns.count == 1 else { return nil }
    return "\(dump.file.name): its first line is one field, as that of a text for people is"
  }
}
