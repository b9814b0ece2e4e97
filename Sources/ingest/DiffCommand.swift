import Inspection
import SQLiteDestination
import Facts
import Files
import IngestReport
import SQLiteSwiftly
import Schema

/// `ingest diff OLD NEW`: says in what two catalogs differ.
struct DiffCommand {
  let old: String
  let new: String
  let form: Arguments.DiffForm

  func run(_ schema: SchemaDescription) throws(IngestError) -> ExitStatus {
    let output = OutputBuffer()
    // What was found before an error is printed before it.
    defer { _ = output.flush() }
    let diff = try CatalogDiff(old, new, schema: schema)
    let isDifferent =
      if form == .json {
        try DiffDocument(to: output.append).compare(diff)
      } else {
        try compare(diff, output)
      }
    guard output.flush() else {
      Console.error.print(["ingest: standard output did not take all differences"])
      return .inputOutput
    }
    return isDifferent ? .different : .published
  }

  private func compare(
    _ diff: borrowing CatalogDiff, _ output: OutputBuffer
  ) throws(IngestError) -> Bool {
    output.appendLine("old: \(diff.old.path): \(diff.old.summary)")
    output.appendLine("new: \(diff.new.path): \(diff.new.summary)")
    for note in diff.notes { output.appendLine("note: \(note)") }
    var differing: [(table: TablePair, found: CatalogChanges.Table)] = []
    for table in diff.tables {
      var isFirst = true
      let found = try diff.compare(table) { [form] change in
        guard form == .keys else { return }
        if isFirst {
          output.appendLine("")
          output.appendLine("\(table.name) (\(table.key.joined(separator: ", ")))")
        }
        isFirst = false
        output.appendLine("  \(change.line(of: table))")
      }
      if table.isDifferent(found) { differing.append((table, found)) }
    }
    output.appendLine("")
    let objects = diff.objects.map { object, isInNew in
      "\(object.type) \(object.name): only in the \(isInNew ? "new" : "old") catalog"
    }
    guard !differing.isEmpty || !objects.isEmpty else {
      output.appendLine("the catalogs have the same rows")
      return false
    }
    let tables = DiffTable(tables: differing).lines
    let gap = tables.isEmpty || objects.isEmpty ? [] : [""]
    for line in tables + gap + objects { output.appendLine(line) }
    return true
  }
}

/// Text that goes to standard output many lines at a time.
final class OutputBuffer {
  private var text = ""
  private var isTaken = true

  /// Adds a line, in which nothing controls a terminal.
  func appendLine(_ line: String) { append(line.printable(keepingLineFeeds: false) + "\n") }

  /// Adds a piece of a document as it is; nothing is written any more once the stream has not taken something.
  func append(_ text: String) {
    self.text += text
    if self.text.utf8.count > 1 << 16 { _ = flush() }
  }

  /// Writes what there is; returns whether all was taken so far.
  func flush() -> Bool {
    if isTaken, !text.isEmpty { isTaken = Console.output.write(text) }
    text.removeAll(keepingCapacity: true)
    return isTaken
  }
}
