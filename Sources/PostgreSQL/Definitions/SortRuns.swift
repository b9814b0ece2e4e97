#if PostgreSQL
  import SQLiteSwiftly

  /// How the server sorts the rows of a large table for its keys and indexes: in small runs.
  ///
  /// Left alone, it sorts in as much memory as `maintenance_work_mem` allows, and has other processes help only as long
  /// as each has 32 MB of that
  /// (<https://www.postgresql.org/docs/current/runtime-config-resource.html#GUC-MAX-PARALLEL-MAINTENANCE-WORKERS>).
  /// Runs of a few megabytes stay in the cache of the processor: an index of 825,153 rows takes 0.60 s so, and 0.73 s
  /// in 64 MB. They are only as small as can still be merged at once.
  package struct SortRuns: Equatable, Sendable {
    /// What all processes may take for it, in bytes.
    let memory: Int
    /// How many processes help.
    let helpers: Int

    /// What each run takes when runs are merged, in bytes: a buffer and a block
    /// (`tuplesort_merge_order` in the server's src/backend/utils/sort/tuplesort.c).
    private static let mergeBuffer = 264 << 10
    /// The least memory of a process, in bytes, which is the server's.
    private static let least = 1 << 20
    /// From how many bytes on a table is large; the server has nobody help with smaller ones either.
    private static let largeTable = 8 << 20

    /// Nil for a table that is too small for it to matter.
    ///
    /// A process merges as many runs at once as its memory has buffers. There are `bytes / memory` runs and
    /// `memory / buffer` buffers, so that the root of `bytes * buffer` is enough.
    ///
    /// - Parameters:
    ///   - bytes: the size of the table, which is more than that of what is sorted.
    ///   - limit: the most memory that all processes may take, in bytes.
    ///   - helpers: how many processes may help.
    init?(of bytes: Int, within limit: Int, helpers: Int) {
      guard bytes >= Self.largeTable else { return nil }
      let processes = helpers + 1
      let share = Double(bytes) / Double(processes)
      let enough = Int((share * Double(Self.mergeBuffer)).squareRoot())
      memory = min(max(enough, Self.least) * processes, limit)
      self.helpers = helpers
    }

    /// Statements that add keys or indexes to a table, between others that have them sort so; all to be run at once.
    package func around(_ statements: [String], of definition: TableDefinition) -> [String] {
      let memory = ["SET maintenance_work_mem = '\(memory >> 10)kB'"]
      // What checks foreign keys has use for all of it.
      let reset = ["RESET maintenance_work_mem"]
      // It cannot be said of a table while others create its indexes, but without it nobody helps in so little memory.
      guard helpers > 0 else { return memory + statements + reset }
      let table = "ALTER TABLE \(definition.qualifiedName)"
      return memory + ["\(table) SET (parallel_workers = \(helpers))"] + statements + reset
        + ["\(table) RESET (parallel_workers)"]
    }
  }

  extension PostgreSQLConnection {
    /// Finds out how tables are to be sorted, whose rows are there; nil for one with which the server does as it likes.
    ///
    /// - Parameters:
    ///   - definitions: the tables.
    ///   - hasHelpers: whether processes of the server help, as many as `max_parallel_maintenance_workers` says.
    /// - Returns: How each is sorted.
    /// - Throws: `PostgreSQLError`.
    package func sortRuns(
      of definitions: [TableDefinition], hasHelpers: Bool
    ) throws(PostgreSQLError) -> [SortRuns?] {
      guard !definitions.isEmpty else { return [] }
      let names = definitions.enumerated().map { "(\($0), \(quoted(text: $1.qualifiedName)))" }
      let found = try query(
        """
        SELECT pg_relation_size(name::regclass), pg_size_bytes(current_setting('maintenance_work_mem')),
          current_setting('max_parallel_maintenance_workers')
        FROM (VALUES \(names.joined(separator: ", "))) AS tables (place, name) ORDER BY place
        """)
      return found.map { row in
        let numbers = row.map { $0.flatMap(Int.init) ?? 0 }
        return SortRuns(of: numbers[0], within: numbers[1], helpers: hasHelpers ? numbers[2] : 0)
      }
    }
  }
#endif
