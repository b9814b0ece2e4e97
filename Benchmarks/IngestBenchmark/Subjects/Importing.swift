import RebrickableCatalog
import SQLiteSwiftly

/// inventory_parts from gzip to table, by the pipeline and by the shell.
///
/// Neither side syncs, and none looks at other tables: references are not checked here.
struct Importing {
  private let workbench: Workbench
  private let shell: Shell

  init(_ workbench: Workbench, _ shell: Shell) {
    self.workbench = workbench
    self.shell = shell
  }

  func measurements() throws -> [Measurement] {
    let forms = [(HotPath.Form.catalog, "with its key"), (.rowid, "without a key")]
    return try forms.flatMap { form, title in
      let sides = [
        Side(name: "gunzip | sqlite3 .import, \(title)") { try importByShell(form.table) },
        Side(name: "pipeline, \(title)") { try load(form.table) },
      ]
      let samples = try inTurn(sides, rounds: workbench.rounds, warmUp: false)
      let series = zip(sides, samples).map { side, seconds in
        Series(name: side.name, unit: .seconds, figures: seconds)
      }
      return [
        series[0].measurement(of: .importing),
        series[1].measurement(of: .importing, against: series[0], bar: .atLeast(4)),
      ]
    }
  }

  private func load(_ table: TableDescription) throws -> Double {
    let path = workbench.freshPath("imported.sqlite")
    defer { removeFile(path) }
    try makeEmptyFile(path)
    let source = try workbench.dumps(.compressed)
    let seconds = try clockSeconds {
      let schema = schema(of: table)
      var writing = try WritingStage(path, schema: schema)
      _ = try ReadingStage(schema, source: source).run { batch, table throws(SQLiteError) in
        try writing.insert(batch, table: table)
      }
      try writing.end(table: 0)
    }
    let connection = try Connection(path, opening: .readOnly)
    try check(
      connection.sums(Sums.ofParts), is: workbench.contents.partSums, in: "import by the pipeline")
    return seconds
  }

  private func importByShell(_ table: TableDescription) throws -> Double {
    let path = workbench.freshPath("imported.sqlite")
    defer { removeFile(path) }
    let columns = table.columns.map { "\($0.name) \($0.type == .text ? "TEXT" : "INTEGER")" }
    let key = table.primaryKey.joined(separator: ", ")
    let body = (columns + (key.isEmpty ? [] : ["PRIMARY KEY (\(key))"])).joined(separator: ", ")
    let dump = try workbench.dumps(.compressed) + "/\(table.name).csv.gz"
    let lines =
      [
        "PRAGMA journal_mode = OFF;", "PRAGMA synchronous = OFF;",
        "CREATE TABLE \(table.name) (\(body))\(table.isWithoutRowid ? " WITHOUT ROWID" : "");",
        Shell.importing(dump, into: table.name),
      ]
    let seconds = try shell.run(lines, on: path, script: "\(workbench.folder)/script")
    let connection = try Connection(path, opening: .readOnly)
    let rows = try connection.query("SELECT count(*) FROM inventory_parts", as: Int64.self)
    try check(rows, is: [workbench.contents.partSums.rows], in: "import by the shell, rows")
    return seconds
  }
}
