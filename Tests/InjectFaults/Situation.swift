import Foundation

/// What a run finds, and what it is asked to do.
struct Situation {
  let name: String
  /// The folder of the dumps, which is copied.
  let dumps: String
  /// What is in the output folder before the run.
  let before: String
  /// The words after `--source` and `--out`.
  let options: [String]
  /// Which calls are of interest; others are those of another situation, too.
  let isOfInterest: @Sendable (Call) -> Bool
  /// How many points are tried of each fault at each kind of call if not all are.
  var sample = 2
  /// What the undisturbed run leaves.
  var baseline = Baseline()

  /// What an undisturbed run leaves.
  struct Baseline {
    var status: Int32 = 0
    var before = FolderContents()
    var after = FolderContents()
    /// What a second run after it leaves.
    var again = FolderContents()
    /// What a run without a catalog leaves.
    var first = FolderContents()
    var calls: [Call] = []
    /// How often SQLite and zlib ask for memory.
    var allocations = 0
  }

  static let rejects = "catalog.sqlite.rejects"
  static let reports = ["report.json", "report.html"]
  /// Where edited records are saved as repairs.
  static let written = "written"
  /// What somebody has put into the output folder for the run to read.
  static let inputs = ["repairs/", "suppressed.txt"]

  /// Whether the command is `ingest repair`, which writes no catalog.
  var isRepair: Bool { options.first == "repair" }
  var writesReports: Bool { options.contains("--report") }
  /// Whether the run first looks whether there is anything to do.
  var looksForChanges: Bool { options.contains("--if-changed") }
  /// Whether there is nothing to do, so that it is right as well to do it all the same.
  var isUnchanged: Bool { looksForChanges && oldCatalog == newDatabase }

  /// The arguments of the command; `OUT` in an option is the output folder, and `DUMPS` that of the dumps.
  func arguments(in workspace: Workspace) -> [String] {
    let source = ["--source", workspace.root + "/dumps"]
    let first = isRepair ? ["repair"] + source : source + ["--out", workspace.catalog, "--quiet"]
    return first
      + options.dropFirst(isRepair ? 1 : 0).map {
        $0.replacingOccurrences(of: "OUT", with: workspace.output)
          .replacingOccurrences(of: "DUMPS", with: workspace.root + "/dumps")
      }
  }

  var oldCatalog: Data? { baseline.before["catalog.sqlite"] }
  var newDatabase: Data? { baseline.after["catalog.sqlite"] }
  var oldRejects: FolderContents { baseline.before.folder(Self.rejects) }
  var newRejects: FolderContents { baseline.after.folder(Self.rejects) }
}
