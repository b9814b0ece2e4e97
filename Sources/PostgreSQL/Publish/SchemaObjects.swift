#if PostgreSQL
  import SQLiteSwiftly

  /// An object in a schema or on one of its relations, or a property that a description does not set.
  struct ServerObject {
    /// Its kind, name and definition; constraints and indexes have no name in it, since the server chooses their names.
    let key: String
    /// Its kind and name, such as `index mine of sets`.
    let words: String
    /// The key of the object that it belongs to.
    let owner: String?
  }

  extension [ServerObject] {
    /// The objects that are not among those with these keys, without what belongs to another such object, sorted.
    ///
    /// Of equal objects, there can be as many as there are equal keys.
    func besides(_ own: [String]) -> [String] {
      // By bytes: others can have chosen names that are only canonically equal.
      var remaining = Dictionary(own.map { ([UInt8]($0.utf8), 1) }, uniquingKeysWith: +)
      let added = filter { object in
        let left = remaining[[UInt8](object.key.utf8), default: 0]
        remaining[[UInt8](object.key.utf8)] = left - 1
        return left <= 0
      }
      let keys = Set(added.map { [UInt8]($0.key.utf8) })
      return added.filter { $0.owner.map { !keys.contains([UInt8]($0.utf8)) } ?? true }
        .map(\.words).sorted()
    }
  }

  extension PostgreSQLConnection {
    /// The objects in a schema and on its relations, and their properties, in the order of their creation.
    ///
    /// They are found by their dependencies, so no kind of object is missing. It skips what replacing a schema copies:
    /// owners, privileges, policies, and the comments of relations and columns.
    ///
    /// If `hasDefinitions`, keys have definitions, in which the schema is called `target`; otherwise they have object
    /// identifiers. Only the latter can be read while another transaction drops the schema.
    func objects(
      in schema: String, publishedAs target: String, hasDefinitions: Bool = true
    ) throws(PostgreSQLError) -> [ServerObject] {
      try query(
        """
        WITH \(Self.members),
        relations AS (SELECT * FROM pg_class WHERE relnamespace = (SELECT oid FROM schema)),
        attributes AS (SELECT relkind, a.* FROM relations AS r JOIN pg_attribute AS a ON attrelid = r.oid
          WHERE attnum > 0 AND NOT attisdropped),
        attached (class, oid, sub, relation, owner, place) AS (
          SELECT m.class, m.oid, 0, i.indrelid, coalesce(k.oid, i.indrelid), 0 FROM members AS m
          LEFT JOIN pg_index AS i ON m.class = 'pg_class'::regclass AND indexrelid = m.oid
          LEFT JOIN pg_type AS t ON m.class = 'pg_type'::regclass AND t.oid = m.oid
          LEFT JOIN pg_constraint AS k ON conindid = i.indexrelid AND contype IN ('p', 'u', 'x')
          WHERE m.class <> 'pg_namespace'::regclass
          -- A relation has a type of its own, and most types have one of arrays.
          AND (t.oid IS NULL OR typtype IN ('b', 'd', 'e', 'r') AND typcategory <> 'A')
          UNION SELECT 'pg_class'::regclass, attrelid, attnum, attrelid, attrelid, 0 FROM attributes
          WHERE relkind IN ('r', 'p', 'v', 'm', 'f')
          UNION SELECT d.classid, d.objid, 0, r.oid, r.oid, coalesce(f.adnum, 0)
          FROM members AS m JOIN pg_depend AS d ON d.refclassid = m.class AND d.refobjid = m.oid
          -- NOT NULL is a property of columns, and since PostgreSQL 18 a constraint as well.
          LEFT JOIN pg_constraint AS k ON d.classid = 'pg_constraint'::regclass AND k.oid = d.objid AND contype <> 'n'
          LEFT JOIN pg_attrdef AS f ON d.classid = 'pg_attrdef'::regclass AND f.oid = d.objid
          LEFT JOIN pg_trigger AS t ON d.classid = 'pg_trigger'::regclass AND t.oid = d.objid AND NOT tgisinternal
          LEFT JOIN pg_rewrite AS w ON d.classid = 'pg_rewrite'::regclass AND w.oid = d.objid AND rulename <> '_RETURN'
          JOIN relations AS r ON r.oid IN (k.conrelid, f.adrelid, t.tgrelid, w.ev_class)),
        named AS (
          SELECT a.*, \(hasDefinitions ? Self.definition : "concat_ws(' ', class, a.oid, sub)") AS key,
            CASE type WHEN 'table column' THEN 'column' WHEN 'view column' THEN 'column'
              WHEN 'table constraint' THEN 'constraint' ELSE type END || ' ' || identity
              || CASE type WHEN 'index' THEN ' of ' || relation::regclass ELSE '' END AS words
          FROM attached AS a, pg_identify_object(class, a.oid, sub)),
        properties (class, oid, sub, words) AS (\(Self.properties)),
        found (oid, sub, key, words, owner) AS (
          SELECT n.oid, n.sub, n.key, n.words, o.key FROM named AS n
          LEFT JOIN named AS o ON o.oid = n.owner AND o.sub = n.place
            AND o.class IN ('pg_class'::regclass, 'pg_constraint'::regclass)
          UNION ALL
          SELECT p.oid, p.sub, p.words || ' of ' || n.words, p.words || ' of ' || n.words, n.key
          FROM properties AS p JOIN named AS n USING (class, oid, sub))
        SELECT replace(key, prefix, quote_ident($2) || '.'), replace(replace(words, prefix, ''), 'pg_catalog.', ''), replace(owner, prefix, quote_ident($2) || '.')
        FROM found, schema WHERE key <> '' ORDER BY found.oid, sub, key
        """, [schema, target]
      ).map { ServerObject(key: $0[0] ?? "", words: $0[1] ?? "", owner: $0[2]) }
    }

    /// The objects of a schema, and those that are in it or belong to its relations, as class and identifier.
    static let members = """
      schema AS (SELECT oid, quote_ident(nspname) || '.' AS prefix FROM pg_namespace WHERE nspname = $1),
      members (class, oid) AS (
        SELECT 'pg_namespace'::regclass::oid, oid FROM schema
        UNION SELECT 'pg_class'::regclass::oid, oid FROM pg_class WHERE relnamespace = (SELECT oid FROM schema)
        UNION SELECT 'pg_type'::regclass::oid, oid FROM pg_type WHERE typnamespace = (SELECT oid FROM schema)
        -- Citus hides its parts of tables in pg_class, but not in pg_depend.
        UNION SELECT classid, objid FROM pg_depend
        WHERE refclassid = 'pg_namespace'::regclass AND refobjid = (SELECT oid FROM schema)
          AND classid NOT IN ('pg_class'::regclass, 'pg_extension'::regclass, 'pg_default_acl'::regclass) AND deptype = 'n')
      """

    private static let definition = """
      type || ' ' || CASE type
        WHEN 'table constraint' THEN relation::regclass || ' '
          || replace(pg_get_constraintdef(a.oid), ' NOT VALID', '')
        WHEN 'index' THEN relation::regclass || ' ' || regexp_replace(pg_get_indexdef(a.oid), ' INDEX .*? ON ', ' ')
        WHEN 'view' THEN identity || ' AS ' || pg_get_viewdef(a.oid)
        WHEN 'materialized view' THEN identity || ' AS ' || pg_get_viewdef(a.oid)
        WHEN 'default value' THEN identity
          || (SELECT ' ' || pg_get_expr(adbin, adrelid) FROM pg_attrdef AS f WHERE f.oid = a.oid)
        ELSE identity END
      """

    /// What others can set for an object that is not theirs, as text before its name.
    ///
    /// The server may lack columns that later versions have.
    private static let properties = """
      SELECT 'pg_class'::regclass, oid, 0, 'option ' || unnest(reloptions) FROM relations
      WHERE relkind NOT IN ('v', 'm')
      UNION ALL SELECT 'pg_class'::regclass, r.oid, 0, 'option toast.' || unnest(t.reloptions)
      FROM relations AS r JOIN pg_class AS t ON t.oid = r.reltoastrelid
      UNION ALL SELECT 'pg_class'::regclass, oid, 0, 'replica identity' FROM relations
      WHERE relkind IN ('r', 'p') AND relreplident <> 'd'
      UNION ALL SELECT 'pg_class'::regclass, r.oid, 0, 'tablespace ' || quote_ident(spcname)
      FROM relations AS r JOIN pg_tablespace AS t ON t.oid = reltablespace
      UNION ALL SELECT 'pg_class'::regclass, r.oid, 0, 'access method ' || quote_ident(amname)
      FROM relations AS r JOIN pg_am AS m ON m.oid = relam WHERE relkind IN ('r', 'm')
      UNION ALL SELECT 'pg_class'::regclass, indexrelid, 0, 'clustering' FROM pg_index JOIN relations ON oid = indexrelid
      WHERE indisclustered
      UNION ALL SELECT 'pg_class'::regclass, inhrelid, 0, CASE WHEN relispartition THEN 'attachment to ' ELSE 'inheritance from ' END
        || inhparent::regclass
      FROM pg_inherits JOIN relations ON oid = inhrelid AND relkind IN ('r', 'p', 'f')
      UNION ALL SELECT 'pg_class'::regclass, srrelid, 0, 'subscription ' || quote_ident(subname)
      FROM pg_subscription_rel JOIN pg_stat_subscription ON subid = srsubid
      UNION ALL SELECT classid, objid, 0, 'membership in ' || pg_describe_object(refclassid, refobjid, 0)
      FROM pg_depend JOIN relations ON oid = objid
      -- Citus makes its tables depend on it without a membership.
      WHERE classid = 'pg_class'::regclass AND refclassid = 'pg_extension'::regclass AND deptype = 'e'
      UNION ALL SELECT 'pg_class'::regclass, attrelid, CASE relkind WHEN 'i' THEN 0 ELSE attnum END,
        'statistics target ' || attstattarget
      FROM attributes WHERE attstattarget >= 0
      -- Since 15.20, the server stores a version of each column there.
      UNION ALL SELECT 'pg_class'::regclass, attrelid, attnum, 'option ' || option
      FROM attributes, unnest(attoptions) AS option WHERE option !~ '^pg_attver='
      UNION ALL SELECT 'pg_class'::regclass, attrelid, attnum, 'storage ' || attstorage::text
      FROM attributes JOIN pg_type AS t ON t.oid = atttypid WHERE attstorage <> typstorage
      UNION ALL SELECT 'pg_class'::regclass, attrelid, attnum, 'compression ' || (to_jsonb(a) ->> 'attcompression')
      FROM attributes AS a WHERE to_jsonb(a) ->> 'attcompression' <> ''
      UNION ALL SELECT 'pg_class'::regclass, attrelid, attnum, 'identity' FROM attributes WHERE attidentity <> ''
      UNION ALL SELECT 'pg_class'::regclass, attrelid, attnum, 'NOT NULL' FROM attributes
      WHERE attnotnull AND relkind = 'r'
      UNION ALL SELECT 'pg_class'::regclass, tgrelid, 0, 'state of trigger ' || quote_ident(tgname)
      FROM pg_trigger JOIN relations AS r ON r.oid = tgrelid WHERE tgenabled <> 'O'
      UNION ALL SELECT 'pg_class'::regclass, ev_class, 0, 'state of rule ' || quote_ident(rulename)
      FROM pg_rewrite JOIN relations AS r ON r.oid = ev_class WHERE ev_enabled <> 'O'
      UNION ALL SELECT classoid, objoid, objsubid, 'comment' FROM pg_description
      WHERE NOT (classoid = 'pg_class'::regclass AND EXISTS (
        SELECT FROM relations WHERE oid = objoid AND relkind IN ('r', 'v', 'm')))
      """

    /// The objects that others have added to a published schema; none if an older version has published it.
    package func additions(to schema: String) throws(PostgreSQLError) -> [String] {
      let own = try marked("made", in: schema)
      return own.isEmpty
        ? [] : try objects(in: schema, publishedAs: publishedName(of: schema)).besides(own)
    }

    /// Throws `inUse` if a staging schema has anything but what an unfinished run has left there.
    func checkAdditions(toStaging schema: String) throws(PostgreSQLError) {
      let marker = qualified(CandidateSchema.marker, in: schema)
      let isMarked = try !isForeign(schema: schema)
      // Without the privilege to read the marker, the requirements name it.
      if isMarked, try texts("SELECT has_schema_privilege($1, 'USAGE')", [schema]) != ["t"] {
        return
      }
      // A published schema has a snapshot. It is never a leftover of a run, even if it was renamed.
      let isLeftover =
        isMarked ? try query("SELECT FROM \(marker) WHERE snapshot IS NULL").count == 1 : false
      let own = try isLeftover ? marked("made", in: schema) : []
      let target = try isLeftover ? publishedName(of: schema) : schema
      // The indexes and constraints of unfinished tables differ from those that were planned.
      let found = try objects(in: schema, publishedAs: target).filter {
        $0.owner == nil && !(isLeftover && $0.words == "table \(CandidateSchema.marker)")
      }.besides(own)
      guard !found.isEmpty else { return }
      throw .added(
        found, to: schema, by: "Emptying",
        hint: "Move these objects to another schema, drop them, or use another --staging schema.")
    }

    /// Throws `inUse` if others have added anything to a published schema.
    func checkAdditions(
      to schema: String, hint: String = PostgreSQLError.moveAdditions
    ) throws(PostgreSQLError) {
      let additions = try additions(to: schema)
      guard !additions.isEmpty else { return }
      throw .added(additions, to: schema, hint: hint)
    }
  }

  extension PostgreSQLError {
    private static let maximumNames = 20
    static let moveAdditions = "Move these objects to another schema, or drop them."

    static func added(
      _ objects: [String], to schema: String, by removal: String = "Dropping",
      hint: String = moveAdditions
    ) -> PostgreSQLError {
      let rest = objects.count - maximumNames
      let list = objects.prefix(maximumNames).joined(separator: ", ")
      return PostgreSQLError(
        .inUse,
        "\(removal) the schema \(quoted(identifier: schema)) would drop what others added to it",
        detail: list + (rest > 0 ? " and \(rest) more" : ""), hint: hint)
    }
  }
#endif
