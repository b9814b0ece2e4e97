/// The options of a run.
package struct IngestOptions: Equatable, Sendable {
  package var source: String
  /// The description of the source files; nil for the default family.
  package var description: NamedDescription?
  /// The other options for reading the description, as words of a command.
  package var schemaWords: [String] = []
  /// Whether source files are found in `source` by the names of their tables, and not by the paths of the description.
  package var findsSourcesByName = true
  /// The database to write; in a dry run it is only compared, if there is one.
  package var output: Output
  package var rejectLimits = RejectLimits()
  package var shrinkLimits = PercentLimits(run: 50)
  package var changeLimits = PercentLimits(run: 100)
  /// The folder for rejected records; nil for that of the output.
  package var rejectsFolder: String?
  package var repairsFolder: String?
  package var allowedMissing: AllowedMissing
  /// The most bytes of a record.
  package var recordLimit: Int
  /// The most bytes of memory for the keys of all tables.
  package var keyMemory = 192 << 20
  /// The SQL files, and folders of them, that are run on the loaded data before it is published.
  package var sqlFiles: [String] = []
  package var suppressFile: String?
  /// Whether nothing is published if the source files no longer match the schema.
  package var isStrict = false
  /// The seconds to wait for another run with the same output.
  package var lockTimeout = 0.0
  /// The seconds to wait for a program that has locked the previous database: a whole run would be lost over one that is
  /// about to finish.
  package var catalogTimeout: Double { max(lockTimeout, 5) }
  /// Whether source files may be older than those of the previous database.
  package var allowsOlder = false
  /// The age of the data, in seconds, above which a run warns; nil for no limit.
  package var maxAge: Int?
  /// Whether the previous database is kept beside the new one.
  package var keepsPrevious = false
  /// Whether everything is checked and nothing is written.
  package var isDryRun = false
  /// Whether the run is skipped if the database was made from the same inputs.
  package var skipsUnchanged = false
  package var hasSearch = true
  /// The command line, quoted for a shell and without passwords; empty if unknown.
  package var command = ""

  /// The folder for rejected records; nil for a dry run that keeps none.
  package var usedRejectsFolder: String? { rejectsFolder ?? output.rejectsFolder }

  package init(
    source: String, output: Output, rejectLimits: RejectLimits = RejectLimits(),
    allowedMissing: AllowedMissing = .tables([]), recordLimit: Int = 16 << 20
  ) {
    self.source = source
    self.output = output
    self.rejectLimits = rejectLimits
    self.allowedMissing = allowedMissing
    self.recordLimit = recordLimit
  }
}

/// The tables whose source files may be missing.
package enum AllowedMissing: Equatable, Sendable {
  case all
  case tables(Set<String>)

  package func contains(_ table: String) -> Bool {
    switch self {
    case .all: true
    case .tables(let tables): tables.contains(table)
    }
  }
}

/// The description of source files that a run uses.
package struct NamedDescription: Equatable, Sendable {
  /// Its name on the command line: a path, or a word.
  package let name: String
  /// Its text, which is stored in a file, and compared to detect changes.
  package let text: String

  package init(_ name: String, text: String) {
    self.name = name
    self.text = text
  }
}
