/// The fixtures of the project: three small dump sets, and one tiny set for each thing that can be
/// wrong with a dump set.
public enum Fixtures {
  /// Rows of inventory_parts in the two sound sets.
  private static let rows = 1500

  /// Writes all fixtures into a folder, which is created if need be.
  ///
  /// Equal versions of this package and of zlib write equal bytes. Other files that are in the
  /// folder stay there.
  ///
  /// - Parameter directory: the path of the folder.
  /// - Throws: `DumpError` when the operating system refuses.
  public static func write(to directory: String) throws(DumpError) {
    try DumpSet(rows: rows).write(to: directory + "/dumps")
    try DumpSet(rows: rows, era: .june2020).write(to: directory + "/dumps-2020")
    try MissingParents.files(rows: rows).write(to: directory + "/missing-parents")
    let faults = Fault.ofFiles + Fault.ofRecords + Fault.noticed
    let sound = try FileSet(of: DumpSet(sizes: .tiny, seed: 1, era: .today))
    for fault in faults {
      var broken = sound
      fault.damage(&broken)
      try broken.write(to: "\(directory)/broken/\(fault.code)")
    }
    try write(expectations(of: faults), to: directory + "/broken", name: "expected.json")
    try write(readme, to: directory, name: "README.md")
  }

  private static func write(
    _ text: String, to directory: String, name: String
  ) throws(DumpError) {
    var files = FileSet()
    files[name] = Array(text.utf8)
    try files.write(to: directory)
  }

  /// A JSON object from the code of each fault to where it is and what comes of it.
  private static func expectations(of faults: [Fault]) -> String {
    let lines = faults.map { fault in
      let line = fault.line.map(String.init) ?? "null"
      let column = fault.column.map { "\"\($0)\"" } ?? "null"
      return """
          "\(fault.code)": {"level": "\(fault.level)", "file": "\(fault.file)", "line": \(line), \
        "column": \(column), "exit": \(fault.exitStatus)}
        """
    }
    return "{\n" + lines.joined(separator: ",\n") + "\n}\n"
  }

  private static let readme = """
    # Fixtures

    Made-up dumps, written byte for byte by

        swift run generate-dumps --fixtures fixtures

    so nothing of them is edited by hand; a test compares this folder with what the command writes.
    Only `gtfs/`, `datapackage/`, `camera-traps/` and `values/`, of other families, are not the command's.

    - `dumps/`: a small complete set in today's format, the same as `generate-dumps --rows 1500`.
    - `dumps-2020/`: the same catalog in the format of June 2020.
    - `missing-parents/`: `dumps/`, a catalog as those of 2017 were, in which 182 records of
      inventory_parts name 17 parts that are not there; and `repairs/`, which adds them.
    - `gtfs/datapackage.json`: GTFS Schedule feeds as a Data Package, written from the reference at
      https://gtfs.org/documentation/schedule/reference/; it is also what `ingest --schema gtfs` uses.
    - `camera-traps/`: three tables of another family, described by a Data Package of version 1.
    - `datapackage/cases.json`: descriptions, sound and faulty, that frictionless judges as well.
    - `values/cases.tsv`: texts, and what frictionless reads them as; `Tests/System/Frictionless/values.py` writes it.
    - `broken/<code>/`: a tiny complete set with one fault, named by the code it is reported with.
      A fault of a record is a record of its own, which no other one refers to: the rest of the set
      is sound without it.
    - `broken/expected.json`: for each code its level, the file, the line (from 1) and the column
      where they make sense, and the exit status of a run that allows no rejects.

    """
}
