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
    /// What a second run after it leaves: a replay of a replay reads other files.
    var again = FolderContents()
    /// What a run without a catalog leaves.
    var first = FolderContents()
    var calls: [Call] = []
    /// How often SQLite and zlib ask for memory.
    var allocations = 0
  }

  static let rejects = "catalog.sqlite.rejects"
  static let reports = ["report.json", "report.html"]
  /// Where a replay writes what it has repaired.
  static let written = "written"
  /// What somebody has put into the output folder for the run to read.
  static let inputs = ["repairs/", "suppressed.txt"]

  var isReplay: Bool { options.first == "replay" }
  var writesReports: Bool { options.contains("--report") }
  /// Whether the run first looks whether there is anything to do.
  var looksForChanges: Bool { options.contains("--if-changed") }
  /// Whether there is nothing to do, so that it is right as well to do it all the same.
  var isUnchanged: Bool { looksForChanges && oldCatalog == newCatalog }

  /// The arguments of the command; `OUT` in an option is the output folder, and `DUMPS` that of the dumps.
  func arguments(in workspace: Workspace) -> [String] {
    let first = options.first == "replay" ? ["replay"] : []
    return first + ["--source", workspace.root + "/dumps", "--out", workspace.catalog, "--quiet"]
      + options.dropFirst(first.count).map {
        $0.replacingOccurrences(of: "OUT", with: workspace.output)
          .replacingOccurrences(of: "DUMPS", with: workspace.root + "/dumps")
      }
  }

  var oldCatalog: Data? { baseline.before["catalog.sqlite"] }
  var newCatalog: Data? { baseline.after["catalog.sqlite"] }
  var oldRejects: FolderContents { baseline.before.folder(Self.rejects) }
  var newRejects: FolderContents { baseline.after.folder(Self.rejects) }
}
