import Text
import Vocabulary

extension IngestOptions {
  /// The limits of rejected records, as on the command line.
  var rejectLimitText: String {
    let tables = rejectLimits.tables.sorted { $0.key < $1.key }.map {
      " --max-rejects \($0.key)=\($0.value)"
    }
    return "--max-rejects \(rejectLimits.run)" + tables.joined()
  }

  /// Each option as the reports state it: its key and value in JSON, and its title and value on the page.
  var requested: [(key: String, json: JSON, title: String, html: HTML)] {
    func path(_ path: String?, or words: HTML) -> HTML {
      path.map { "<code>\($0)</code>" } ?? words
    }
    func yes(_ isGiven: Bool, by option: String) -> HTML {
      isGiven ? "yes (<code>\(option)</code>)" : "no"
    }
    func json(_ limits: PercentLimits) -> JSON {
      ["run": JSON(limits.run), "tables": JSON(limits.tables.mapValues { JSON($0) })]
    }
    func words(_ limits: PercentLimits) -> HTML {
      let tables = limits.tables.sorted { $0.key < $1.key }.map {
        ", \($0.key) \(percentText($0.value))"
      }
      return "\(percentText(limits.run) + tables.joined())"
    }
    let (missing, allowed) =
      switch allowedMissing {
      case .all: (["all"], "every table")
      case .tables([]): ([], "no table")
      case .tables(let names): (names.sorted(), names.sorted().joined(separator: ", "))
      }
    let rejects: JSON = [
      "run": JSON(rejectLimits.run.description),
      "tables": JSON(rejectLimits.tables.mapValues { JSON($0.description) }),
    ]
    let sql = sqlFiles.isEmpty ? nil : sqlFiles.joined(separator: ", ")
    let suppressed: HTML? = suppressFile.map { "<code>\($0)</code> (<code>--suppress</code>)" }
    let schema = description?.name
    let drift: HTML = isStrict ? "not allowed (<code>--strict-schema</code>)" : "allowed"
    return [
      ("source", JSON(source), "Source files", path(source, or: "")),
      ("schema", JSON(schema), "Description", path(schema, or: "of Rebrickable's catalog")),
      ("output", JSON(output.name), "Database", path(output.name, or: "")),
      ("max_rejects", rejects, "Rejected records allowed", "<code>\(rejectLimitText)</code>"),
      ("max_shrink", json(shrinkLimits), "Lost rows allowed", words(shrinkLimits)),
      ("max_change", json(changeLimits), "Changed keys allowed", words(changeLimits)),
      ("allow_missing", JSON(missing), "Missing source files allowed", "\(allowed)"),
      (
        "allow_older", JSON(allowsOlder), "Load older source files",
        yes(allowsOlder, by: "--allow-older")
      ),
      ("max_age_seconds", JSON(maxAge), "Age limit", maxAge.map { "\($0.of("second"))" } ?? "none"),
      ("record_limit", JSON(recordLimit), "Record size limit", "\(recordLimit.of("byte"))"),
      ("key_memory_limit", JSON(keyMemory), "Key memory limit", "\(keyMemory.of("byte"))"),
      ("sql_files", JSON(sqlFiles), "Custom SQL", path(sql, or: "none")),
      ("repairs_folder", JSON(repairsFolder), "Repairs", path(repairsFolder, or: "none")),
      ("strict_schema", JSON(isStrict), "Schema drift", drift),
      ("suppress_file", JSON(suppressFile), "Suppressed warnings", suppressed ?? "none"),
      ("search", JSON(hasSearch), "Search", hasSearch ? "yes" : "no (<code>--no-search</code>)"),
      (
        "wait_seconds", JSON(Int(lockTimeout)), "Wait for locks", "\(Int(lockTimeout).of("second"))"
      ),
      (
        "keep_previous", JSON(keepsPrevious), "Keep the previous database",
        yes(keepsPrevious, by: "--keep-previous")
      ),
      (
        "if_changed", JSON(skipsUnchanged), "Skip if up to date",
        yes(skipsUnchanged, by: "--if-changed")
      ),
      ("dry_run", JSON(isDryRun), "Dry run", yes(isDryRun, by: "--dry-run")),
      (
        "rejects_folder", JSON(rejectsFolder), "Folder for rejected records",
        path(rejectsFolder, or: "named after the database")
      ),
    ]
  }
}
