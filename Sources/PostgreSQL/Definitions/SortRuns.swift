#if PostgreSQL
  import SQLiteSwiftly

  /// Settings with which the server sorts the rows of a large table in small runs, for keys and indexes.
  ///
  /// By default, it sorts in as much memory as `maintenance_work_mem` allows, and uses parallel workers only if each has
  /// 32 MB of that
  /// (<https://www.postgresql.org/docs/current/runtime-config-resource.html#GUC-MAX-PARALLEL-MAINTENANCE-WORKERS>).
  /// Runs of a few megabytes fit into the cache of the processor: an index of 825,153 rows then takes 0.60 s, instead of
  /// 0.73 s in 64 MB. The runs are as small as possible for a single merge.
  package struct SortRuns: Equatable, Sendable {
    /// For all processes, in bytes.
    let memory: Int
    let helpers: Int

    /// The memory for each run in a merge, in bytes: a buffer and a block
    /// (`tuplesort_merge_order` in the server's src/backend/utils/sort/tuplesort.c).
    private static let mergeBuffer = 264 << 10
    /// The minimum memory of a process, in bytes, as in the server.
    private static let least = 1 << 20
    /// The minimum size of a large table in bytes; the server uses no workers for smaller ones.
    private static let largeTable = 8 << 20

    /// Nil for a table that is too small; `bytes` is the size of the table, which exceeds that of the sorted columns,
    /// and `limit` is for all processes.
    ///
    /// A process can merge as many runs as its memory has buffers. There are `bytes / memory` runs and
    /// `memory / buffer` buffers, so the square root of `bytes * buffer` suffices.
    init?(of bytes: Int, within limit: Int, helpers: Int) {
      guard bytes >= Self.largeTable else { return nil }
      let processes = helpers + 1
      let share = Double(bytes) / Double(processes)
      let enough = Int((share * Double(Self.mergeBuffer)).squareRoot())
      memory = min(max(enough, Self.least) * processes, limit)
      self.helpers = helpers
    }

    /// Encloses statements that add keys or indexes to a table in those that set and reset the memory; run all at once.
    package func around(_ statements: [String], of definition: TableDefinition) -> [String] {
      let memory = ["SET maintenance_work_mem = '\(memory >> 10)kB'"]
      // Checking foreign keys can use all of the memory.
      let reset = ["RESET maintenance_work_mem"]
      // This cannot be set while others create indexes of the table, but without it no worker helps in so little memory.
      guard helpers > 0 else { return memory + statements + reset }
      let table = "ALTER TABLE \(definition.qualifiedName)"
      return memory + ["\(table) SET (parallel_workers = \(helpers))"] + statements + reset
        + ["\(table) RESET (parallel_workers)"]
    }
  }

  extension PostgreSQLConnection {
    /// The settings for loaded tables, with up to `max_parallel_maintenance_workers` helpers or none; nil for a table
    /// with the default settings.
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
