#if PostgreSQL
  package import Vocabulary
  import SQLiteSwiftly
  import Text

  /// A schema that is filled beside the published one, and then replaces it.
  ///
  /// Beside the published schema `lego`, a run fills `lego__new`, and `lego__old` is the previous schema if it is kept. A
  /// table marks all three as made by this tool; a schema without it is never changed. The mark is not a comment on the
  /// schema, because comments are for its users.
  ///
  /// A lock of the session keeps out a second run. A schema that goes out of scope unpublished is dropped.
  package struct CandidateSchema: ~Copyable {
    /// The table that marks a schema as made by this tool: one row.
    package static let marker = "ingest_schema"

    package let name: String
    package let target: String
    private let previous: String
    private var refused: String { target + "__refused" }

    let connection: PostgreSQLConnection
    /// How the rows are published, and why; nil until `plan`.
    package internal(set) var choice: PublishingChoice?
    package var merges: Bool { choice?.mode == .merge }
    /// Whether the tables must be logged nevertheless, since a table of custom SQL refers to them.
    package internal(set) var isLogged = false
    private let observer: DependentObserver
    let keepsPrevious: Bool
    /// Whether the lock is held; otherwise a schema of that name belongs to another run.
    private var isOpen = false
    private var replaces = false
    /// The statements for the grants that new schemas have by default, if this one replaces no other.
    private var grants: [String] = []
    /// Whether everything happens in a transaction of the caller, which is rolled back.
    let isDryRun: Bool
    /// The statements that change comments, if the rows are merged into the published schema.
    var mergedComments: [String] = []
    /// What a merge adds to the published schema.
    var missingParts: [SchemaPart] = []
    /// Whether a swap may drop what others have added to the published schema.
    var losesAdditions = false
    /// The merge whose transaction is open.
    private var merge: SchemaMerge?

    /// Locks the name `target` and that of the new schema, drops the unfinished schema of an earlier run, and creates an
    /// empty schema with the default privileges of the published one, which apply to the tables created in it.
    ///
    /// - Parameters:
    ///   - target: the name of the published schema.
    ///   - tool: the name and version of the program, which are stored in the schema.
    ///   - keepsPrevious: whether the replaced schema is kept until the next run.
    ///   - staging: the new schema, which stays if it exists; nil for `target` with a suffix.
    ///   - connection: a dedicated connection, since the session holds the lock; not one of a pool that changes
    ///     sessions between transactions. The server must allow a second one.
    /// - Throws: `PostgreSQLError` with `locked` if another run holds the lock or a transaction uses a schema to be
    ///   dropped, with `foreign` if a schema with one of the names was not made by this tool, with `inUse` if objects of
    ///   other schemas depend on a leftover or all tables are published, and with `misuse` if the name is
    ///   too long or reserved, or a privilege is missing.
    package init(
      replacing target: String, madeBy tool: String, keepsPrevious: Bool = false,
      staging: String? = nil, on connection: PostgreSQLConnection
    ) throws(PostgreSQLError) {
      name = staging ?? target + "__new"
      previous = target + "__old"
      self.target = target
      self.keepsPrevious = keepsPrevious
      self.connection = connection
      isDryRun = connection.isInTransaction
      observer = DependentObserver(besides: connection)
      // The name with its suffix must not be too long either.
      try check(identifier: name)
      try connection.checkCanWrite()
      try connection.lock(schema: target)
      do throws(PostgreSQLError) {
        // Runs of other targets may use it.
        try connection.lock(schema: name)
        try observer.connect()
        let isOwn = try staging == nil ? connection.canCreateSchemas() : false
        connection.staging = try connection.exists(schema: name) && !isOwn ? name : nil
        try create(madeBy: tool)
      } catch {
        try? connection.unlock([target, name])
        throw error
      }
      isOpen = true
    }

    deinit {
      guard isOpen else { return }
      // A schema can only be dropped outside a transaction.
      connection.rollbackTransaction()
      if !isDryRun {
        try? connection.dropAtOnce(schema: name, observer: observer, losesAdditions: true)
      }
      try? connection.unlock([target, name])
    }

    private mutating func create(madeBy tool: String) throws(PostgreSQLError) {
      if connection.staging != nil { try connection.checkAdditions(toStaging: name) }
      try checkOthers()
      try connection.checkRequirements(
        replacing: target, dropping: [name, previous], or: refused,
        seconds: Double(Self.secondsForLock))
      if try connection.exists(schema: previous) { try connection.checkAdditions(to: previous) }
      let (name, target, connection, observer) = (name, target, connection, observer)
      let creation = { () throws(PostgreSQLError) -> [String] in
        // Others cannot create anything in it.
        try connection.drop(schema: name, observer: observer, losesAdditions: true)
        let table = "\(quoted(identifier: name)).\(Self.marker)"
        let isNew = try !connection.exists(schema: name)
        try connection.execute(
          """
          \(isNew ? "CREATE SCHEMA \(quoted(identifier: name));" : "")
          CREATE TABLE \(table) (made_by text PRIMARY KEY, published_as text NOT NULL, shape text[], made text[],
            rows jsonb, snapshot text, origin text);
          COMMENT ON TABLE \(table) IS 'Marks this schema as made by ingest, which may replace it.';
          INSERT INTO \(table) (made_by, published_as) VALUES (\(quoted(text: tool)), \(quoted(text: target)))
          """)
        guard isNew else { return [] }
        try connection.execute(connection.defaultPrivileges(of: target, for: name, ofMember: true))
        // Until it is published, others must not read this schema, nor create anything in it.
        let grants = try connection.schemaPrivileges(from: name, to: target)
        try connection.execute(try connection.defaultGrantRevocations(of: name))
        return grants
      }
      grants = try isDryRun ? creation() : connection.transaction(creation)
    }

    private func checkOthers() throws(PostgreSQLError) {
      for schema in [target, name, previous]
      where try connection.isForeign(schema: schema, orEmpty: schema != name) {
        throw .foreign(schema, hint: "Load into another schema, or drop this one.")
      }
      try connection.checkDependents(of: previous)
    }

    /// Begins a merge, and stores the rows that differ in some tables, whose new rows must not change afterwards.
    ///
    /// From now on, others cannot write to the published tables; it waits for them up to `seconds`.
    ///
    /// - Returns: For each table, the `FROM` of a query for these rows, in which `n` is the new table and `o` the
    ///   published one; nil without a primary key.
    package mutating func beginMerge(
      of tables: [String], seconds: Double = Double(secondsForLock)
    ) throws(PostgreSQLError) -> [String?] {
      try beginPublishing()
      var merge = try SchemaMerge(from: name, into: target, on: connection, seconds: seconds)
      let differences = try merge.findDifferences(in: tables)
      self.merge = merge
      return differences
    }

    private func beginPublishing() throws(PostgreSQLError) {
      try connection.beginTransaction()
      // Other sessions must not wait long for readers of the previous schema. The commit waits for the disk, which then
      // also has all earlier commits of the session.
      try connection.execute(
        "SET LOCAL lock_timeout = '\(Self.secondsForLock)s'; SET LOCAL synchronous_commit TO DEFAULT"
      )
    }

    /// Replaces the published schema, or changes its rows, in one transaction, without blocking readers.
    ///
    /// If it is replaced:
    /// Owners, privileges, row security and comments are copied to objects with the same name. Triggers, indexes and
    /// statistics that others have added to the tables are not. Views of other schemas still show the previous one.
    ///
    /// - Parameter reportLoss: called with the other tables whose rows foreign keys have deleted or changed, if that is
    ///   allowed.
    /// - Returns: A failure after publishing: to drop the previous schema, which the next run drops, or to unlock the name,
    ///   which is unlocked when the session ends.
    /// - Throws: `PostgreSQLError`; then the published schema is unchanged, except perhaps if the connection was lost.
    package consuming func publish(
      reportLoss: ([String]) -> Void = { _ in }
    ) throws(PostgreSQLError) -> PostgreSQLError? {
      try checkOthers()
      replaces = merges ? false : try connection.exists(schema: target)
      if replaces, !keepsPrevious { try connection.checkDependents(of: target) }
      if merges, merge == nil { _ = try beginMerge(of: []) }
      do throws(PostgreSQLError) {
        let rows = try connection.rowCounts(of: name)
        if merges {
          let lost = try merge?.run(adding: missingParts, losesRows: losesAdditions) ?? []
          if !lost.isEmpty { reportLoss(lost) }
          try connection.execute(mergedComments)
        } else {
          try beginPublishing()
          try exchangeNames()
        }
        try mark(rows)
        try connection.commitTransaction()
      } catch {
        connection.rollbackTransaction()
        throw error
      }
      return dropPrevious()
    }

    /// The default privileges of other roles in the published schema, which only they can set in a new one.
    package func lostPrivileges() throws(PostgreSQLError) -> [String] {
      merges ? [] : try connection.defaultPrivileges(of: target, for: target, ofMember: false)
    }

    /// Records what was published, by which later changes of others are found.
    private func mark(_ rows: String) throws(PostgreSQLError) {
      let marker = qualified(Self.marker, in: target)
      if merges {
        if try !connection.hasOrigin(schema: target) {
          try connection.execute("ALTER TABLE \(marker) ADD origin text")
        }
        try connection.execute(
          """
          UPDATE \(marker) SET (made_by, shape, made, origin) = (
            SELECT made_by, shape, made, origin FROM \(qualified(Self.marker, in: name)))
          """)
      }
      // Citus can hold fewer views than planned. A merge has kept the marks of the others.
      if connection.usesCitus, !merges {
        let held = Set(try connection.shape(of: target, publishedAs: target).map(\.words))
        let shape = try connection.marked("shape", in: target).map {
          let planned =
            $0.hasPrefix(MissingObject.omittedMark)
            ? String($0.dropFirst(MissingObject.omittedMark.count)) : $0
          return planned.hasPrefix("view ") && !held.contains(planned)
            ? MissingObject.omittedMark + planned : planned
        }
        try connection.execute("UPDATE \(marker) SET shape = \(array(of: shape))")
      }
      _ = try connection.query(
        """
        UPDATE \(marker) SET rows = $1, snapshot = concat_ws(' ', txid_current(), txid_current_snapshot()),
          origin = origin || ' ' || $2
        """, [rows, try connection.sumOfComments(in: target)])
    }

    private func exchangeNames() throws(PostgreSQLError) {
      let rowSecurity = try connection.rowSecurity(from: target, to: name)
      // The new owner of a table needs privileges in its schema, as owner or by a grant.
      var statements = try connection.schemaOwner(from: target, to: name)
      statements += try connection.schemaPrivileges(from: target, to: name)
      statements += try connection.owners(from: target, to: name)
      statements += try connection.privileges(from: target, to: name)
      statements += try connection.comments(from: target, to: name)
      try connection.execute(statements)
      if replaces {
        try connection.drop(schema: previous, observer: observer, losesAdditions: false)
        try connection.rename(schema: target, to: previous)
      }
      try connection.rename(schema: name, to: target)
      if !replaces { try connection.execute(grants) }
      try connection.execute(rowSecurity)
      // Finds what others have added during the run; later objects prevent the old schema from being dropped.
      guard replaces else { return }
      if !keepsPrevious { try connection.checkDependents(of: previous) }
      if !losesAdditions {
        try connection.checkAdditions(to: previous, hint: "Run again, or use --allow-loss.")
      }
    }

    private consuming func dropPrevious() -> PostgreSQLError? {
      isOpen = false
      let (connection, observer) = (connection, observer)
      func drop(_ schema: String, losesAdditions: Bool) throws(PostgreSQLError) {
        try connection.dropAtOnce(
          schema: schema, observer: observer, losesAdditions: losesAdditions,
          secondsForLock: Self.secondsForLock)
      }
      do throws(PostgreSQLError) {
        if merges { try drop(name, losesAdditions: true) }
        // A merge drops what an earlier swap has left; a role that can only merge would empty that schema.
        if try merges ? connection.canCreateSchemas() : replaces && !keepsPrevious {
          try drop(previous, losesAdditions: losesAdditions && !merges)
        }
        try connection.unlock([target, name])
      } catch {
        return error
      }
      return nil
    }

    package static let secondsForLock = 5

    /// Keeps the schema as `NAME__refused` without publishing it, and returns that name; an earlier one is dropped.
    ///
    /// A staging schema keeps its name and the rows until the next run.
    package consuming func keep() throws(PostgreSQLError) -> String {
      let (name, connection, observer) = (name, connection, observer)
      let merges = merges
      connection.rollbackTransaction()
      let kept = connection.staging ?? refused
      try check(identifier: kept)
      guard try !connection.isForeign(schema: kept) else { throw .foreign(kept) }
      try connection.transaction { () throws(PostgreSQLError) in
        if kept != name {
          try connection.drop(schema: kept, observer: observer, losesAdditions: false)
          try connection.rename(schema: name, to: kept)
        }
        guard merges else { return }
        // The server would empty unlogged tables after a crash.
        try connection.execute(
          try connection.texts(
            """
            SELECT format('ALTER TABLE %I.%I SET LOGGED', $1::text, relname) FROM pg_class
            WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $1) AND relpersistence = 'u'
            AND relkind = 'r' ORDER BY relname
            """, [kept]))
      }
      isOpen = false
      try connection.unlock([target, name])
      return kept
    }
  }
#endif
