import Inspection
import SQLiteDestination
import Facts
import Files
import IngestReport
import SQLiteSwiftly
import Schema

/// `ingest diff OLD NEW`: says in what two catalogues differ.
struct DiffCommand {
  private let old: String
  private let new: String
  private let form: Arguments.DiffForm

  init(_ old: String, _ new: String, _ form: Arguments.DiffForm) {
    self.old = old
    self.new = new
    self.form = form
  }

  /// Runs the command.
  ///
  /// - Returns: As `diff` does, 0 if the two are the same and 1 if they are not.
  func run(_ schema: SchemaDescription) -> ExitStatus {
    let output = OutputBuffer()
    do throws(IngestError) {
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
    } catch {
      _ = output.flush()
      Messages(.normal).showFailures([error])
      return ExitStatus(error.kind)
    }
  }

  /// Prints a table of what differs, and before it each key if that is asked for.
  private func compare(
    _ diff: borrowing CatalogDiff, _ output: OutputBuffer
  ) throws(IngestError) -> Bool {
    output.appendLine("old: \(diff.old.path): \(diff.old.summary)")
    output.appendLine("new: \(diff.new.path): \(diff.new.summary)")
    for note in diff.notes { output.appendLine("note: \(note)") }
    var differing: [(TablePair, CatalogChanges.Table)] = []
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
      "\(object.type) \(object.name): only in the \(isInNew ? "new" : "old") catalogue"
    }
    guard !differing.isEmpty || !objects.isEmpty else {
      output.appendLine("the catalogues have the same rows")
      return false
    }
    let tables = differing.isEmpty ? [] : DiffTable(differing).lines
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
