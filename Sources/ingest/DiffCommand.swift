import SQLiteDestination
import Vocabulary
import IngestReport
import Schema
import Text

/// `ingest diff OLD NEW`: compares two databases.
struct DiffCommand {
  let old: DatabaseOperand
  let new: DatabaseOperand
  let form: Arguments.DiffForm

  func run(_ schema: SchemaDescription) throws(IngestError) -> ExitStatus {
    let output = OutputBuffer()
    // Differences found before an error are still printed.
    defer { _ = output.flush() }
    let before = try ComparedFile(old, schema)
    let after = try ComparedFile(new, schema)
    let diff = try DatabaseDiff(before.open(schema), after.open(schema), schema: schema)
    let isDifferent =
      if form == .json {
        try DiffDocument(to: output.append).compare(diff)
      } else {
        try compare(diff, output)
      }
    guard output.flush() else {
      Console.error.print(["ingest: cannot write all differences to standard output"], .error)
      return .inputOutput
    }
    return isDifferent ? .different : .published
  }

  private func compare(
    _ diff: borrowing DatabaseDiff, _ output: OutputBuffer
  ) throws(IngestError) -> Bool {
    output.appendLine("old: \(diff.old.path): \(diff.old.summary)")
    output.appendLine("new: \(diff.new.path): \(diff.new.summary)")
    for note in diff.notes { output.appendLine("note: \(note)") }
    var differing: [(table: TablePair, changes: DatabaseChanges.Table)] = []
    for table in diff.tables {
      var isFirst = true
      let changes = try diff.compare(table) { [form] change in
        guard form == .keys else { return }
        if isFirst {
          output.appendLine("")
          output.appendLine("\(table.name) (\(table.key.joined(separator: ", ")))")
        }
        isFirst = false
        output.appendLine("  \(change.line(of: table))")
      }
      if table.isDifferent(changes) { differing.append((table, changes)) }
    }
    output.appendLine("")
    let objects = diff.objects.map { object, isInNew in
      "\(object.type) \(object.name): only in the \(isInNew ? "new" : "old") database"
    }
    guard !differing.isEmpty || !objects.isEmpty else {
      output.appendLine("the databases have the same rows")
      return false
    }
    let tables = lines(of: differing)
    let gap = tables.isEmpty || objects.isEmpty ? [] : [""]
    for line in tables + gap + objects { output.appendLine(line) }
    return true
  }

  /// The differing tables with their counts, followed by the differing columns.
  private func lines(
    of tables: [(table: TablePair, changes: DatabaseChanges.Table)]
  ) -> [String] {
    guard !tables.isEmpty else { return [] }
    let changed = tables.flatMap { table, changes in
      changes.columns.map { ["\(table.name).\($0.name)", $0.keys.grouped] }
    }
    let names = tables.flatMap { table, _ in
      table.removedColumns.map { "\(table.name).\($0): only in the old database" }
        + table.addedColumns.map { "\(table.name).\($0): only in the new database" }
    }
    return columns([DatabaseChanges.Table.header] + tables.map(\.changes.cells))
      + (changed.isEmpty ? [] : [""] + columns([["changed column", "keys"]] + changed))
      + (names.isEmpty ? [] : [""] + names)
  }
}

final class OutputBuffer {
  private var text = ""
  private var isWritten = true

  /// Appends a line, with control characters escaped.
  func appendLine(_ line: String) { append(line.printable(keepingLineFeeds: false) + "\n") }

  /// Appends text unchanged; after a failed write, nothing more is written.
  func append(_ text: String) {
    self.text += text
    if self.text.utf8.count > 1 << 16 { _ = flush() }
  }

  /// Writes the buffer; returns whether all output so far was written.
  func flush() -> Bool {
    if isWritten, !text.isEmpty { isWritten = Console.output.write(text) }
    text.removeAll(keepingCapacity: true)
    return isWritten
  }
}
