import SourceFiles
import Facts
import Files

struct UndescribedTable {
  let source: FoundSource
  let delimiter: String
  let words: NameWords
  /// The columns; nil for a field without a name.
  let columns: [Column?]

  struct Column {
    let name: String
    let words: NameWords
  }

  init(_ source: FoundSource, recordLimit: Int) throws(IngestError) {
    self.source = source
    delimiter = try DelimiterGuess(source.file).delimiter
    words = NameWords(source.table)
    let scan = try SourceScan(source, delimiter: delimiter, recordLimit: recordLimit)
    columns = scan.header.names.map { name in
      name.isEmpty ? nil : Column(name: name, words: NameWords(name))
    }
    var known: Set<String> = []
    for column in columns.compactMap(\.self)
    where !known.insert(column.name.lowercased()).inserted {
      throw .duplicateColumn(source.file.path, line: scan.header.line, column.name)
    }
  }

  /// The reason to skip the file; nil if it may be a CSV file.
  ///
  /// A file with the ending `.txt` is a GTFS file, or prose.
  var reasonToSkip: String? {
    guard source.file.name.contains(".txt"), columns.count == 1 else { return nil }
    return "\(source.file.name): its first line is a single field, as in prose"
  }
}
