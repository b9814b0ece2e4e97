#if PostgreSQL
  package import Vocabulary
  import SQLiteSwiftly

  extension CandidateSchema {
    /// Chooses how to publish, before anything is loaded: all objects are created without rows, compared with the published
    /// ones, and removed again; unless the published ones are those that the same statements have made.
    ///
    /// - Parameters:
    ///   - requested: the mode; nil for a merge if the published tables can take the rows, otherwise a swap.
    ///   - distribution: the tables that Citus must distribute.
    ///   - creation: the statements that create all tables, keys, indexes, views and the search.
    ///   - scripts: the custom SQL, which must also succeed without rows.
    ///   - allowsLoss: whether a swap may drop what others have added to the published schema.
    /// - Throws: `PostgreSQLError` with `misuse` if a merge is impossible, with `inUse` if a swap would lose something or
    ///   objects of other schemas depend on a schema to be replaced, and with `script` for custom SQL.
    package mutating func plan(
      _ requested: PublishingChoice.Mode?, distribution: Distribution? = nil,
      creating creation: [String],
      running scripts: [SQLScript] = [], allowsLoss: Bool
    ) throws(PostgreSQLError) {
      losesAdditions = allowsLoss
      let origin = try connection.texts(
        "SELECT md5(version() || $1)", [creation.joined(separator: ";\n")])[0]
      let canDiffer = isDryRun || !scripts.isEmpty || connection.usesCitus
      let kept = canDiffer ? nil : try unchanged(since: origin)
      let plan = if let kept { kept } else { try preview(creation, scripts, distribution) }
      try connection.execute(
        """
        UPDATE \(qualified(Self.marker, in: name)) SET shape = \(array(of: plan.shape)), made = \(array(of: plan.made)),
          origin = \(quoted(text: origin))
        """)
      let choice = try choose(requested, plan)
      self.choice = choice
      if choice.mode == .swap { try connection.checkPrivileges(on: []) }
      if choice.mode == .merge {
        try connection.checkReplication(of: plan.tables, in: target)
        guard plan.requiredColumns.isEmpty else {
          throw PostgreSQLError(
            .inUse,
            "Others have added columns to the published tables that are NOT NULL without a default: "
              + plan.requiredColumns.joined(separator: ", "),
            hint: "New rows have no values for them. Set a default, or drop NOT NULL.")
        }
      }
      guard choice.mode == .swap, choice.reason != .firstLoad else {
        (isLogged, mergedComments) = (plan.isLogged, plan.comments)
        if choice.mode == .merge { missingParts = plan.missing }
        return
      }
      do throws(PostgreSQLError) {
        if !keepsPrevious { try connection.checkDependents(of: target) }
        guard !plan.additions.isEmpty, !allowsLoss else { return }
        let canMerge = plan.differences.isEmpty && !keepsPrevious
        throw .added(
          plan.additions, to: target,
          hint: (canMerge ? "Use --publish merge, which keeps it" : "Drop it first")
            + ", or use --allow-loss.")
      } catch {
        guard case .differs = choice.reason, !plan.canComplete else { throw error }
        let merge = cannotMerge(plan.differences).message
        let words = "\(merge.text):\n\(merge.detail ?? "")\n"
        throw PostgreSQLError(error.kind, error.message.prefixed(by: words))
      }
    }

    private func choose(
      _ requested: PublishingChoice.Mode?, _ plan: Plan
    ) throws(PostgreSQLError) -> PublishingChoice {
      guard try connection.exists(schema: target) else {
        guard requested != .merge else {
          throw PostgreSQLError(
            .misuse,
            "The schema \(quoted(identifier: target)) does not exist, so rows cannot be merged into it",
            hint: "Load it first without --publish merge and --staging.")
        }
        return PublishingChoice(mode: .swap, reason: .firstLoad)
      }
      let lacks = PublishingChoice(mode: .merge, reason: .tablesLack(plan.missing.map(\.words)))
      if requested == .merge {
        guard plan.differences.isEmpty || plan.canComplete, !keepsPrevious else {
          throw cannotMerge(plan.differences)
        }
        return plan.canComplete ? lacks : PublishingChoice(mode: .merge, reason: .requested)
      }
      if requested == nil, plan.canComplete, !keepsPrevious {
        // A swap, which blocks no readers, would be refused.
        let dependents = try connection.dependents(of: target)
        let canCreate = try connection.canCreateSchemas()
        let canSwap =
          canCreate && dependents.isEmpty && (plan.additions.isEmpty || losesAdditions)
        let columns = plan.missing.filter(\.isColumn).map(\.table)
        if !canSwap, try !connection.isPublished(columns, in: target) { return lacks }
      }
      let reason: PublishingChoice.Reason? =
        if keepsPrevious { .previousKept } else if requested == .swap { .requested } else {
          plan.differences.first.map { .differs($0) }
        }
      return reason.map { PublishingChoice(mode: .swap, reason: $0) }
        ?? PublishingChoice(mode: .merge, reason: .tablesFit(additions: plan.additions.count))
    }

    private struct Plan {
      /// The parts of the new schema, and the checksums of custom SQL.
      var shape: [String]
      /// The keys of the objects of the new schema.
      let made: [String]
      /// Why the published tables cannot take the rows.
      var differences: [String] = []
      /// What the published schema lacks, and whether it lacks no more, so that a merge can add it.
      var missing: [SchemaPart] = []
      var canComplete = false
      /// What others have added to the published schema.
      var additions: [String] = []
      var comments: [String] = []
      /// The tables of the new schema.
      var tables: [String] = []
      /// The columns of others that new rows cannot have.
      var requiredColumns: [String] = []
      var isLogged = false
    }

    /// The plan if the published schema is the one that the statements of `origin` have made, with the same comments.
    private func unchanged(since origin: String) throws(PostgreSQLError) -> Plan? {
      guard try connection.exists(schema: target),
        try connection.origin(of: target) == "\(origin) \(connection.sumOfComments(in: target))"
      else { return nil }
      let stored = Set(try connection.marked("shape", in: target))
      let published = try connection.shape(of: target, publishedAs: target)
      guard stored.isSubset(of: published.map(\.words)) else { return nil }
      let own = try connection.marked("made", in: target)
      var plan = Plan(shape: stored.sorted(), made: own)
      plan.additions = try connection.objects(in: target, publishedAs: target).besides(own)
      plan.tables = Set(published.filter { stored.contains($0.words) }.map(\.table)).sorted()
      plan.requiredColumns = try connection.requiredColumns(of: target, besides: own)
      return plan
    }

    private func preview(
      _ creation: [String], _ scripts: [SQLScript], _ distribution: Distribution?
    ) throws(PostgreSQLError) -> Plan {
      let isDryRun = isDryRun
      if !isDryRun { try connection.beginTransaction() }
      defer { if !isDryRun { connection.rollbackTransaction() } }
      try connection.execute("SET LOCAL client_min_messages = warning")
      let connection = connection
      try connection.building(in: name) { () throws(PostgreSQLError) in
        try connection.execute(creation)
      }
      let run = scripts.isEmpty ? nil : try ScriptRun(in: name, on: connection)
      var sums: [String] = []
      for script in scripts {
        _ = try run?.run(script)
        sums.append(try words(of: script))
      }
      var shape = try connection.shape(of: name, publishedAs: target)
      var plan = Plan(
        shape: shape.map(\.words) + sums,
        made: try connection.objects(in: name, publishedAs: target).map(\.key))
      plan.isLogged = try run?.refersToOwn() ?? false
      guard try connection.exists(schema: target) else { return plan }
      // Older versions stored neither.
      let stored = Set(try connection.marked("shape", in: target))
      let omitted = { (words: String) in
        distribution != nil && stored.contains(MissingObject.omittedMark + words)
      }
      plan.shape = plan.shape.map { omitted($0) ? MissingObject.omittedMark + $0 : $0 }
      shape.removeAll { omitted($0.words) }
      let own = try connection.marked("made", in: target)
      let parts = try connection.shape(of: target, publishedAs: target)
      let published = Set(parts.map(\.words))
      // In the shapes, it is replaced by the name of the published schema.
      let prefix = try connection.texts("SELECT quote_ident($1) || '.'", [name])[0]
      guard !published.union(stored).contains(where: { $0.contains(prefix) }) else {
        throw PostgreSQLError(
          .misuse,
          "Parts of the published schema have the name of the schema \(quoted(identifier: name))",
          hint: "Use a --staging schema with another name.")
      }
      func isOwn(_ table: String) -> Bool {
        [stored, published].allSatisfy { $0.contains { $0.hasPrefix("column \(table).") } }
      }
      // A merge cannot change the type of a column. It compares rows by the primary key, and adds one only to a table that
      // has all columns and no other primary key.
      func canAdd(_ part: SchemaPart) -> Bool {
        guard !part.isColumn else {
          return !parts.contains { ($0.table, $0.column) == (part.table, part.column) }
        }
        let key = "constraint of \(part.table): PRIMARY KEY "
        return !part.words.hasPrefix(key)
          || !published.contains { $0.hasPrefix(key) }
            && !plan.missing.contains { $0.isColumn && $0.table == part.table }
      }
      plan.missing = shape.filter {
        !published.contains($0.words) && !($0.isOptional && stored.contains($0.words))
      }.sorted { $0.place < $1.place }
      // A description that has changed, or something of it that others have changed. Another version of the server can
      // write the query of the same view differently.
      plan.differences = stored.symmetricDifference(plan.shape)
        .filter { !$0.hasPrefix("view ") || published.contains($0) != plan.shape.contains($0) }
        .union(plan.missing.map(\.words)).sorted()
      let places = try connection.distributedTables(in: target).map(\.words)
      let moved = Set(places).symmetricDifference(distribution?.tables.map(\.words) ?? []).sorted()
      plan.differences = moved + plan.differences
      // Citus cannot change tables whose rows were compared in the same transaction.
      plan.canComplete =
        !plan.missing.isEmpty && distribution == nil && moved.isEmpty
        && stored.isSubset(of: plan.shape)
        && sums.allSatisfy(stored.contains)
        && plan.missing.allSatisfy { $0.addition != nil && isOwn($0.table) && canAdd($0) }
        // A column that others have added has their values.
        && !shape.contains {
          $0.isColumn && !stored.contains($0.words) && published.contains($0.words)
        }
      plan.additions = try connection.objects(in: target, publishedAs: target)
        .besides(own.isEmpty ? plan.made : own)
      plan.tables = try connection.texts(
        "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = $1::regnamespace",
        [quoted(identifier: name)])
      plan.requiredColumns = try connection.requiredColumns(of: target, besides: plan.made)
      plan.comments = try connection.comments(from: name, to: target, replacing: true)
      return plan
    }

    /// Other statements may fill a table with other rows, or change a function, which are not compared.
    private func words(of script: SQLScript) throws(PostgreSQLError) -> String {
      let text = script.statements.map(\.text).joined(separator: ";\n")
      let sum = try connection.texts("SELECT md5($1)", [text])[0]
      return "\(MissingObject.scriptMark)\(script.name) with MD5 \(sum)"
    }

    private func cannotMerge(_ differences: [String]) -> PostgreSQLError {
      guard !keepsPrevious else {
        return PostgreSQLError(.misuse, "A merge keeps no previous schema")
      }
      let rest = differences.count > 5 ? ["and \(differences.count - 5) more"] : []
      return PostgreSQLError(
        .misuse,
        "The published schema \(quoted(identifier: target)) differs from the new one, so rows cannot be merged",
        detail: (differences.prefix(5) + rest).joined(separator: "\n"),
        hint: "Use --publish swap.")
    }
  }
#endif
