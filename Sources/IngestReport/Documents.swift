package import SQLiteDestination
package import SQLiteFormat
package import Vocabulary
import Text
import SQLiteSwiftly

/// Writes the differences of two databases as one JSON document; see `diff.schema.json`.
///
/// Differences are written as they are found, because there can be millions.
package struct DiffDocument {
  private let write: (String) -> Void

  package init(to write: @escaping (String) -> Void) { self.write = write }

  /// Compares all tables; returns whether anything differs.
  ///
  /// After an error the document is incomplete.
  package func compare(_ diff: borrowing DatabaseDiff) throws(IngestError) -> Bool {
    // New keys do not change the version of the format.
    let versions: JSON = ["diff": JSON(1), "tool": JSON(toolVersion)]
    write("{\n\"versions\": \(versions.line),\n")
    write("\"old\": \(json(of: diff.old).line),\n\"new\": \(json(of: diff.new).line),\n")
    write("\"notes\": \(JSON(diff.notes).line),\n\"tables\": [")
    var isDifferent = false
    for (index, table) in diff.tables.enumerated() {
      write(index > 0 ? ",\n" : "\n")
      if try compare(table, in: diff) { isDifferent = true }
    }
    let objects = diff.objects.map { object, isInNew -> JSON in
      [
        "type": JSON(object.type), "name": JSON(object.name),
        "only_in": JSON(isInNew ? "new" : "old"),
      ]
    }
    isDifferent = isDifferent || !objects.isEmpty
    write("\n],\n\"objects\": \(JSON(objects).line),\n\"is_different\": \(isDifferent)\n}\n")
    return isDifferent
  }

  private func json(of file: DatabaseFile) -> JSON {
    [
      "path": JSON(file.path), "schema_version": JSON(file.version),
      "tool_version": JSON(file.toolVersion),
    ]
  }

  private func compare(
    _ table: TablePair, in diff: borrowing DatabaseDiff
  ) throws(IngestError) -> Bool {
    let facts: [(String, JSON)] = [
      ("name", JSON(table.name)), ("key", JSON(table.key)), ("columns", JSON(table.columns)),
      ("columns_added", JSON(table.addedColumns)), ("columns_removed", JSON(table.removedColumns)),
    ]
    write("{" + facts.map { "\"\($0)\": \($1.line), " }.joined() + "\"differences\": [")
    var isFirst = true
    let write = write
    let changes = try diff.compare(table) { change in
      write((isFirst ? "\n" : ",\n") + change.json(of: table).line)
      isFirst = false
    }
    let counts: [(String, JSON)] = [
      ("rows_before", JSON(changes.rowsBefore)), ("rows_after", JSON(changes.rowsAfter)),
      ("added", JSON(changes.keys?.added)), ("removed", JSON(changes.keys?.removed)),
      ("changed", JSON(changes.keys?.changed)),
      (
        "changed_columns",
        JSON(
          Dictionary(
            changes.columns.map { ($0.name, JSON($0.keys)) },
            uniquingKeysWith: { first, _ in first })
        )
      ),
    ]
    write((isFirst ? "]" : "\n]") + counts.map { ", \"\($0)\": \($1.line)" }.joined() + "}")
    return table.isDifferent(changes)
  }
}

extension RowChange {
  fileprivate func json(of table: TablePair) -> JSON {
    let fields = fields.map { field -> JSON in
      [
        "column": JSON(table.columns[field.column]), "before": field.before.json,
        "after": field.after.json,
      ]
    }
    return JSON(members: [
      ("change", JSON(kind.rawValue)), ("fields", kind == .changed ? JSON(fields) : nil),
      ("key", JSON(key.map(\.json))),
    ])
  }

  /// The change as one line for people: `~ "3001": name "Brick", now "Brick 2 x 4"`.
  package func line(of table: TablePair) -> String {
    let key = key.map { $0.json.line }.joined(separator: ", ")
    switch kind {
    case .added: return "+ \(key)"
    case .removed: return "- \(key)"
    case .changed:
      let fields = fields.map { field in
        "\(table.columns[field.column]) \(field.before.json.line), now \(field.after.json.line)"
      }
      return "~ \(key): \(fields.joined(separator: "; "))"
    }
  }
}

extension SQLiteValue {
  /// The value as JSON; a blob is an object with its hexadecimal digits.
  fileprivate var json: JSON {
    switch self {
    case .null: .null
    case .integer(let number): JSON(number)
    case .real(let number): JSON(number)
    case .text(let text): JSON(text)
    case .blob(let bytes): ["blob": JSON(bytes.map(\.hexadecimal).joined().uppercased())]
    }
  }
}

extension History {
  /// The history of a database as one JSON document; see `history.schema.json`.
  package var document: String {
    let document: JSON = [
      // New keys do not change the version of the format.
      "versions": ["history": JSON(2), "tool": JSON(toolVersion)],
      "runs": JSON(runs.map(json)),
      "lasting_warnings": JSON(
        lasting.map { json($0, isSuppressed: false) }
          + accepted.map { json($0, isSuppressed: true) }),
    ]
    return document.written(as: .report)
  }

  private func json(_ run: Run) -> JSON {
    let tables = run.tables.map { table -> JSON in
      [
        "name": JSON(table.name), "rows": JSON(table.rows), "rejected": JSON(table.rejected),
        "keys": table.keys?.json ?? .null, "is_unusual": JSON(table.isUnusual),
      ]
    }
    return [
      "run": JSON(run.number), "data_time": JSON(run.dataTime), "state": JSON(run.state),
      "tables": JSON(tables),
    ]
  }

  private func json(_ warning: Warning, isSuppressed: Bool) -> JSON {
    [
      "code": JSON(warning.code.rawValue), "table": JSON(warning.table),
      "column": JSON(warning.column), "run": JSON(warning.difference?.firstRun),
      "message": JSON(warning.message), "difference": warning.difference?.json ?? .null,
      "suppression": JSON(warning.suppression), "is_suppressed": JSON(isSuppressed),
    ]
  }
}

extension DatabaseChanges.Keys {
  var json: JSON { ["added": JSON(added), "removed": JSON(removed), "changed": JSON(changed)] }
}
