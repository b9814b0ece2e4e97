import SQLiteSwiftly

extension CatalogQuestion {
  /// The query ends with its limit, which `CatalogStore.search` replaces.
  ///
  /// Each word is quoted for FTS5, so no text is an error; `substr` ends a text at a NUL. At most 200 characters, 12
  /// words, and 1,000 results of FTS5 count, which bounds the time.
  static let search = CatalogQuestion(
    name: "search-by-name",
    title: "Which sets, parts, minifigs and themes have these words?",
    explanation: """
      Type words and numbers as you like: case, accents, punctuation and plurals do not matter, `2 x 4` is `2x4`, \
      and the last word may be incomplete. If no name has all words, words with one wrong letter match, then any of \
      the words. Parts with the exact number come first, then sets; of equally similar names, the most used parts \
      and the largest sets. Prints and Duplo come last.
      """,
    kind: .statistics, example: ["text": "milennium falcon"],
    sql: """
      WITH RECURSIVE
        typed (place, word) AS (
          SELECT key, lower(value)
          FROM json_each('[' || replace(json_quote(replace(replace(replace(replace(replace(
            substr(trim(:text), 1, 200),
            '×', 'x'), char(9), ' '), char(10), ' '), char(13), ' '), char(160), ' ')),
            ' ', '","') || ']')
          WHERE value GLOB '*[^ -/:-@{-~]*' AND (lower(value) <> 'lego' OR lower(trim(:text)) = 'lego')
          LIMIT 12
        ),
        -- 2 x 4 is one word: 2x4.
        sized (place, word) AS (
          SELECT
            sum(NOT (
              word = 'x' AND before GLOB '*[0-9]' AND after GLOB '[0-9]*'
              OR before = 'x' AND earlier GLOB '*[0-9]' AND word GLOB '[0-9]*'
            )) OVER (ORDER BY place),
            word
          FROM (
            SELECT place, word, lag(word, 2, '') OVER places AS earlier,
              lag(word, 1, '') OVER places AS before, lead(word, 1, '') OVER places AS after
            FROM typed WINDOW places AS (ORDER BY place)
          )
        ),
        words (place, word, is_plain) AS MATERIALIZED (
          SELECT place, group_concat(word, ''), group_concat(word, '') NOT GLOB '*[^a-z0-9]*'
          FROM sized GROUP BY place
        ),
        whole (size, places, has_details, last, number) AS MATERIALIZED (
          SELECT sum(length(word) + 1) - 1, max(place), max(word = 'with'),
            (SELECT substr(word, 1, max(3, length(word) - 2)) FROM words ORDER BY place DESC LIMIT 1),
            (SELECT CASE WHEN count(*) = 1 THEN max(trim(word, '#.,:;!?()')) END FROM words
              WHERE trim(word, '#.,:;!?()') NOT IN ('minifig', 'no', 'number', 'part', 'set', 'theme'))
          FROM words
        ),
        cuts (place, head, tail) AS (
          SELECT place, '', word FROM words WHERE is_plain AND length(word) <= 30
          UNION ALL
          SELECT place, head || substr(tail, 1, 1), substr(tail, 2) FROM cuts WHERE tail <> ''
        ),
        -- Plurals and singulars, 4x2 for 2x4, and words with a space too many or too few.
        forms (place, form, closeness) AS MATERIALIZED (
          SELECT place, word, 2 FROM words
          UNION ALL SELECT place, word || 's', 1 FROM words WHERE is_plain
          UNION ALL
          SELECT place, substr(word, 1, length(word) - 1), 1 FROM words WHERE word GLOB '*??s'
          UNION ALL
          SELECT place, substr(word, 1, length(word) - 2), 1 FROM words WHERE word GLOB '*??es'
          UNION ALL
          SELECT place, substr(word, 1, length(word) - 3) || 'y', 1 FROM words WHERE word GLOB '*??ies'
          UNION ALL
          SELECT place, substr(word, 3) || 'x' || substr(word, 1, 1), 0 FROM words
          WHERE word GLOB '[0-9]x[0-9]'
          UNION ALL
          SELECT word.place + is_next, word.word || next.word, 1
          FROM words AS word JOIN words AS next ON next.place = word.place + 1
            JOIN (SELECT 0 AS is_next UNION SELECT 1)
          UNION ALL
          SELECT place, head || ' ' || tail, 1 FROM cuts
          WHERE EXISTS (SELECT 1 FROM search_words WHERE term = head)
            AND EXISTS (SELECT 1 FROM search_words WHERE term = tail)
        ),
        letters (letter) AS (
          SELECT 'a' UNION ALL SELECT char(unicode(letter) + 1) FROM letters WHERE letter < 'z'
        ),
        -- A letter too few, two letters exchanged, a letter too many, a wrong letter.
        slips (place, slip) AS (
          SELECT place, head || substr(tail, 2) FROM cuts
          UNION
          SELECT place, head || substr(tail, 2, 1) || substr(tail, 1, 1) || substr(tail, 3) FROM cuts
          UNION SELECT place, head || letter || tail FROM cuts JOIN letters
          UNION SELECT place, head || letter || substr(tail, 2) FROM cuts JOIN letters
        ),
        similar (place, form) AS MATERIALIZED (
          SELECT place, form FROM forms
          UNION ALL
          SELECT place, term FROM slips JOIN search_words ON term = slip
          WHERE slip GLOB '[a-z][a-z][a-z]*'
        ),
        phrases (place, phrase, stage) AS (
          SELECT place, '"' || replace(form, '"', '""') || '"' || iif(
            closeness = 2 AND place = places AND form GLOB '*[^ -/][^ -/]*'
            AND (place = 1 OR form NOT GLOB '[0-9]*'), '*', ''), 1
          FROM forms JOIN whole
          UNION ALL
          SELECT place, '"' || replace(form, '"', '""') || '"', 2 FROM similar
          UNION ALL
          SELECT place, '"' || replace(form, '"', '""') || '"', 0 FROM forms WHERE closeness > 0
        ),
        -- Stage 1 has all words, stage 2 similar ones, and stage 3 any of these.
        queries (stage, query) AS (
          SELECT 1, group_concat('(' || either || ')', ' AND ') || ifnull(
            (SELECT ' OR key : "' || replace(number, '"', '""') || '"' FROM whole), '')
          FROM (SELECT group_concat(phrase, ' OR ') AS either FROM phrases WHERE stage = 1 GROUP BY place)
          UNION ALL
          SELECT 2, group_concat('(' || either || ')', ' AND ')
          FROM (SELECT group_concat(phrase, ' OR ') AS either FROM phrases WHERE stage = 2 GROUP BY place)
          UNION ALL
          SELECT 3, group_concat(phrase, ' OR ') FROM phrases WHERE stage = 2
        ),
        chosen (stage, query) AS MATERIALIZED (
          SELECT stage, query FROM queries
          WHERE EXISTS (SELECT 1 FROM search_index WHERE search_index MATCH ifnull(query, '""'))
          LIMIT 1
        ),
        complete (id) AS (
          SELECT search_index.rowid
          FROM (
            SELECT group_concat('(' || either || ')', ' AND ') AS query
            FROM (SELECT group_concat(phrase, ' OR ') AS either FROM phrases WHERE stage = 0 GROUP BY place)
          ) JOIN search_index
          WHERE search_index MATCH ifnull(query, '""')
        ),
        found (stage, id, query, rank) AS MATERIALIZED (
          SELECT stage, search_index.rowid, query, search_index.rank FROM chosen JOIN search_index
          WHERE search_index MATCH query ORDER BY search_index.rank LIMIT 1000
        ),
        -- The base of a name has no details: Tile 2 x 2 with Groove is tile 2x2.
        named AS (
          SELECT found.*, whole.*, kind, key, name,
            replace(lower(substr(name, 1, iif(has_details, length(name), min(instr(name || ' with', ' with'),
              instr(name || ' [', ' ['), instr(name || ' (', ' (')) - 1))), ' x ', 'x') AS base
          FROM found JOIN search_entries USING (id) JOIN whole
        ),
        weighed AS (
          SELECT stage, id, query, rank, kind, key, name,
            kind IN (SELECT trim(word, '.,:;') FROM words) AS is_kind,
            CASE kind
              WHEN 'set' THEN number IN (lower(key), substr(key, 1, instr(key, '-') - 1))
              WHEN 'theme' THEN number = key AND 'theme' IN (SELECT trim(word, '.,:;') FROM words)
              ELSE number = lower(key)
            END AS is_number,
            abs(length(base) - size) AS distance,
            ifnull(CASE kind
              WHEN 'part' THEN (SELECT num_sets FROM part_stats WHERE part_num = key)
              WHEN 'set' THEN (
                SELECT 1500.0 * num_parts / (num_parts + 1500) FROM sets
                WHERE set_num = key AND num_parts > 0)
              WHEN 'theme' THEN (
                SELECT 1000 * (parent_id IS NULL)
                  + (SELECT count(*) FROM sets WHERE theme_id = themes.id)
                FROM themes WHERE themes.id = CAST(key AS INTEGER))
              ELSE 50
            END, 0) + 1 AS uses,
            iif(name LIKE '%print%' OR name LIKE '%pattern%' OR name LIKE '%sticker%', 0.1, 1)
              * iif(name LIKE '%duplo%', 0.1, 1) * iif(name LIKE '%(pack of%', 0.1, 1)
              * iif(id IN (SELECT id FROM complete), 5, 1) * iif(instr(base, last), 5, 1) AS factor
          FROM named
        )
      SELECT kind, key, name, (
        SELECT snippet(search_index, 2, '[', ']', '…', 16) FROM search_index
        WHERE search_index MATCH query AND search_index.rowid = id
      ) AS snippet
      FROM weighed
      ORDER BY is_number DESC, iif(is_number OR stage = 3, is_kind, 0) DESC,
        iif(is_number, kind, ''), iif(stage = 3, rank, 0), kind = 'theme' AND distance <= 1 DESC,
        uses / (distance + 30.0) * iif(distance <= 1, 5, 1) * factor DESC, length(name), kind, key
      LIMIT 20
      """)
}
