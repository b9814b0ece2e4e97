/// What a run is to do.
package struct IngestOptions: Equatable, Sendable {
  package var source: String
  /// The description of the dumps; nil for the family that needs no name.
  package var description: GivenDescription?
  /// Whether dumps are found in `source` by the names of their tables, and not where the description says.
  package var findsDumpsByName = true
  /// The catalog to write; with `isDryRun` it is only compared, and can be left out.
  package var output: String
  /// The schema to write instead of a file; `output` is then what it is called in messages.
  package var server: ServerSchema?
  package var rejectLimits = RejectLimits()
  package var shrinkLimits = ShrinkLimits()
  /// The folder for the rejected records; nil for one that is named after the output.
  package var rejectsFolder: String?
  /// The folder of an earlier run's rejected records, which were repaired meanwhile and are to be
  /// loaded in place of what they came from.
  package var replayedFolder: String?
  package var repairsFolder: String?
  /// The folder to which a replay adds what was repaired, so that it stands; nil for none.
  package var writtenRepairs: String?
  package var allowedMissing: AllowedMissing
  /// The most bytes that a record may have.
  package var recordLimit: Int
  /// The most bytes of memory that the keys of all tables may take together.
  package var keyMemory = 192 << 20
  /// The files of SQL, and folders of them, that are run on what was loaded before it is published.
  package var sqlFiles: [String] = []
  package var suppressFile: String?
  /// Whether nothing is published if the dumps are no longer what the schema describes.
  package var isStrict = false
  /// The seconds to wait for another run that writes the same output.
  package var lockTimeout = 0.0
  /// The seconds to wait for a program that has locked the catalog to be replaced: a whole run would be
  /// lost for one that is about to finish.
  package var catalogTimeout: Double { max(lockTimeout, 5) }
  /// Whether source files may be older than those of the previous database.
  package var allowsOlder = false
  /// The age of the data, in seconds, above which a run warns; nil for no limit.
  package var maxAge: Int?
  /// Whether the previous database is kept beside the new one.
  package var keepsPrevious = false
  /// Whether everything is checked and nothing is written.
  package var isDryRun = false
  /// Whether nothing is done if the catalog at the output was made from the same.
  package var skipsUnchanged = false
  package var uncheckedByDryRun: String {
    let place =
      output.isEmpty
      ? ["without --out, whether a catalog could be replaced and how it would change"]
      : ["which keys would be added, removed and changed"]
    let sql = sqlFiles.isEmpty ? [] : ["whether your own SQL runs, and what it makes"]
    let room =
      output.isEmpty ? "the catalog" : "more than a quarter of the old catalog's size"
    return (place + sql + ["whether the disk has room for \(room)"]).joined(separator: "; ")
  }
  package var hasSearch = true

  package var defaultRejectsFolder: String { output + ".rejects" }

  package init(
    source: String, output: String, rejectLimits: RejectLimits = RejectLimits(),
    allowedMissing: AllowedMissing = .tables([]), recordLimit: Int = 16 << 20
  ) {
    self.source = source
    self.output = output
    self.rejectLimits = rejectLimits
    self.allowedMissing = allowedMissing
    self.recordLimit = recordLimit
  }
}
