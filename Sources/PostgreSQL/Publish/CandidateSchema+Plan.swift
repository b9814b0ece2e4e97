#if PostgreSQL
  import SQLiteSwiftly

  /// How the rows of a new schema are published.
  package enum PublishingMode: Sendable {
    /// The rows that differ are written into the published tables.
    case merge
    /// The new schema replaces the published one.
    case swap
  }

  extension CandidateSchema {
    /// Chooses how to publish, before anything is loaded: all objects are created without rows, compared with the published
    /// ones, and removed again.
    ///
    /// - Parameters:
    ///   - requested: the mode; nil for a merge if the published schema has the same objects, otherwise a swap.
    ///   - creation: the statements that create all tables, keys, indexes, views and the search.
    ///   - scripts: the custom SQL, which must also succeed without rows.
    ///   - allowsLoss: whether a swap may drop what others have added to the published schema.
    /// - Throws: `PostgreSQLError` with `misuse` if a merge is impossible or a swap would lose something, with `inUse` if
    ///   objects of other schemas depend on a schema to be replaced, and with `script` for custom SQL.
    package mutating func plan(
      _ requested: PublishingMode?, creating creation: [String], running scripts: [SQLScript] = [],
      allowsLoss: Bool
    ) throws(PostgreSQLError) {
      let plan = try preview(creation, scripts)
      try store(plan)
      guard try connection.exists(schema: target) else {
        guard requested != .merge else {
          throw PostgreSQLError(
            .misuse,
            "The schema \(quoted(identifier: target)) does not exist, so rows cannot be merged into it",
            hint: "Load it first without --publish merge.")
        }
        return
      }
      if requested != .swap, !keepsPrevious, plan.differences.isEmpty {
        isLogged = plan.isLogged
        return mergedComments = plan.comments
      }
      guard requested != .merge else { throw cannotMerge(plan.differences) }
      if !keepsPrevious { try connection.checkDependents(of: target) }
      guard !plan.lost.isEmpty, !allowsLoss, !keepsPrevious else { return }
      let isSame = plan.differences.isEmpty && !connection.usesCitus
      throw PostgreSQLError(
        .inUse,
        "Replacing the schema \(quoted(identifier: target)) would drop what was added to it",
        detail: plan.lost.joined(separator: ", "),
        hint: (isSame ? "Use --publish merge, which keeps it" : "Drop it first")
          + ", or use --allow-loss.")
    }

    private struct Plan {
      let shape: [String]
      let objects: [String]
      /// Why the published schema cannot be merged with the new one.
      var differences: [String] = []
      /// What a swap would drop.
      var lost: [String] = []
      var comments: [String] = []
      var isLogged = false
    }

    private func preview(
      _ creation: [String], _ scripts: [SQLScript]
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
      let shape = try connection.shape(of: name, publishedAs: target)
      var plan = Plan(
        shape: shape + sums,
        objects: try connection.objects(in: name, absentFrom: name, made: []))
      plan.isLogged = try run?.refersToOwn() ?? false
      guard try connection.exists(schema: target) else { return plan }
      // Older versions stored neither.
      let stored = Set(try connection.marked("shape", in: target))
      let own = try connection.marked("objects", in: target).sorted()
      let published = Set(try connection.publishedShape(of: target))
      let differing = stored.symmetricDifference(plan.shape)
        .union(Set(shape).subtracting(published))
      plan.differences = differing.sorted()
      plan.lost = try connection.objects(
        in: target, absentFrom: name, made: own.isEmpty ? nil : own)
      plan.comments = try connection.changedComments(from: name, to: target)
      return plan
    }

    /// Other statements may fill a table with other rows, or change a function, which are not compared.
    private func words(of script: SQLScript) throws(PostgreSQLError) -> String {
      let text = script.statements.map(\.text).joined(separator: ";\n")
      let sum = try connection.texts("SELECT md5($1)", [text])[0]
      return "custom SQL \(script.name) with MD5 \(sum)"
    }

    private func store(_ plan: Plan) throws(PostgreSQLError) {
      try connection.execute(
        """
        UPDATE \(qualified(Self.marker, in: name)) SET shape = \(array(of: plan.shape)), objects = \(array(of: plan.objects))
        """)
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
