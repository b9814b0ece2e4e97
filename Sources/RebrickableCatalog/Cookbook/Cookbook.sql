-- The questions of the cookbook, in its order, and in the form of `CatalogQuestion`: a line `-- # name (kind)`, the
-- title, the explanation in Markdown, values for the parameters, and the query. `CatalogQuestion` and
-- Tests/System/Documentation/cookbook.py, which writes the handbook's page, read this file.

-- # parts-of-a-set (lookup)
-- Which parts are in a set and its minifigs?
-- The contents of the latest version, with colors and images; spare parts follow the others. Parts of a minifig
-- come after the set's own, under its name, multiplied by the number of such minifigs.
-- :set_num = '8880-1'
SELECT minifigs.name AS minifig, part_num, parts.name, colors.name AS color,
  inventory_parts.quantity * set_inventories.quantity AS quantity,
  is_spare, inventory_parts.img_url
FROM set_inventories
  JOIN inventories ON inventories.id = inventory_id
  LEFT JOIN minifigs ON fig_num = inventories.set_num
  JOIN inventory_parts USING (inventory_id)
  JOIN parts USING (part_num)
  JOIN colors ON colors.id = color_id
WHERE set_inventories.set_num IN (:set_num, :set_num || '-1') AND NOT is_sub_set
UNION ALL SELECT NULL, NULL, 'unknown set: ' || :set_num, NULL, NULL, NULL, NULL
WHERE :set_num <> '' AND NOT EXISTS (SELECT 1 FROM sets WHERE set_num IN (:set_num, :set_num || '-1'))
ORDER BY minifig, is_spare, color, parts.name, part_num;

-- # where-used (statistics)
-- Which sets have a part in a color?
-- Sets that have it in the latest version of their own inventory or in a minifig, not only as a spare part, most
-- pieces first. Sets inside a set count separately. For all versions of sets, see `where_ever_used`.
-- :part_num = '3626bp04'
-- :color_id = 14
WITH asked AS (SELECT id FROM colors WHERE id = :color_id OR name = :color_id COLLATE NOCASE)
SELECT set_num, name, year, sum(quantity) AS quantity
FROM where_used JOIN sets USING (set_num)
WHERE part_num = :part_num AND color_id = (SELECT id FROM asked) AND NOT is_spare AND NOT is_sub_set
GROUP BY set_num
UNION ALL SELECT NULL, 'unknown part: ' || :part_num, NULL, NULL
WHERE :part_num <> '' AND :part_num NOT IN (SELECT part_num FROM parts)
UNION ALL SELECT NULL, 'unknown color: ' || :color_id, NULL, NULL
WHERE :color_id <> '' AND NOT EXISTS (SELECT 1 FROM asked)
ORDER BY quantity DESC, set_num
LIMIT 100;

-- # rare-parts (lookup)
-- Which parts of a set are in the fewest other sets?
-- The parts of the set and its minifigs that are in few sets in that color, rarest first. `num_sets` includes the
-- set itself.
-- :set_num = '8880-1'
SELECT DISTINCT part_color_stats.num_sets, part_color_stats.num_parts AS pieces, part_num,
  parts.name, colors.name AS color
FROM set_inventories
  JOIN inventory_parts USING (inventory_id)
  JOIN part_color_stats USING (part_num, color_id)
  JOIN parts USING (part_num)
  JOIN colors ON colors.id = color_id
WHERE set_num IN (:set_num, :set_num || '-1') AND NOT is_sub_set AND NOT is_spare
UNION ALL SELECT NULL, NULL, NULL, 'unknown set: ' || :set_num, NULL
WHERE :set_num <> '' AND NOT EXISTS (SELECT 1 FROM sets WHERE set_num IN (:set_num, :set_num || '-1'))
ORDER BY part_color_stats.num_sets, pieces, part_num, color
LIMIT 20;

-- # what-can-i-build (statistics)
-- Which sets can I build from my parts?
-- `parts` is a JSON list of part, color (ID or name) and quantity. Sets of which you have the largest share come
-- first. Spare parts are not needed, and sets with fewer than ten pieces are omitted. Parts needed by both a set and
-- one of its minifigs are counted for both.
-- :parts = '[["3001", 4, 20], ["3001", 15, 20], ["3003", 4, 20], ["3003", 15, 10], ["3004", 4, 20], ["3010", 4, 10], ["3020", 0, 10], ["3022", 0, 10]]'
WITH mine AS (
  SELECT value, value ->> 0 AS part_num, value ->> 2 AS quantity,
    (SELECT id FROM colors WHERE id = value ->> 1 OR name = value ->> 1) AS color_id
  FROM json_each(ifnull(nullif(:parts, ''), '[]'))
),
found AS (
  SELECT inventory_id, sum(min(mine.quantity, inventory_parts.quantity)) AS pieces
  FROM mine JOIN inventory_parts USING (part_num, color_id)
  WHERE NOT is_spare
  GROUP BY inventory_id
),
shares AS (
  SELECT set_num, sum(pieces * quantity) AS found
  FROM found JOIN set_inventories USING (inventory_id)
  WHERE NOT is_sub_set
  GROUP BY set_num
)
SELECT set_num, name, year, found, set_stats.num_parts AS needed,
  100 * found / set_stats.num_parts AS percent
FROM shares JOIN set_stats USING (set_num) JOIN sets USING (set_num)
WHERE needed >= 10
UNION ALL SELECT NULL, 'unknown part or color: ' || value, NULL, NULL, NULL, NULL FROM mine
WHERE part_num NOT IN (SELECT part_num FROM parts) OR color_id IS NULL
ORDER BY percent DESC NULLS FIRST, found DESC, set_num
LIMIT 20;

-- # missing-parts (statistics)
-- Which parts are missing to build a set?
-- You have `parts`, a JSON list of part, color (ID or name) and quantity, and all pieces of `sets`, a list with
-- commas, including spare parts and sets inside. The set needs the pieces of its latest version and minifigs.
-- :set_num = '8880-1'
-- :parts = '[["2741", 7, 1], ["2780", 0, 100]]'
-- :sets = '8865-1, 8485-1'
WITH mine AS (
  SELECT value, CAST(value ->> 0 AS TEXT) AS part_num, CAST(value ->> 2 AS INTEGER) AS quantity,
    (SELECT id FROM colors WHERE id = value ->> 1 OR name = value ->> 1) AS color_id
  FROM json_each(ifnull(nullif(:parts, ''), '[]'))
),
given AS (
  SELECT trim(value, char(9, 10, 13, 32)) AS number
  FROM json_each('[' || replace(json_quote(:sets), ',', '","') || ']')
),
pieces AS (
  SELECT part_num, color_id, quantity AS needed, 0 AS have
  FROM where_used
  WHERE set_num IN (:set_num, :set_num || '-1') AND NOT is_sub_set AND NOT is_spare
  UNION ALL
  SELECT part_num, color_id, 0, quantity
  FROM given JOIN where_used ON set_num IN (number, number || '-1')
  UNION ALL
  SELECT part_num, color_id, 0, quantity FROM mine
)
SELECT part_num, parts.name, colors.name AS color, sum(needed) AS needed,
  sum(have) AS have, sum(needed) - sum(have) AS missing
FROM pieces JOIN parts USING (part_num) JOIN colors ON colors.id = color_id
GROUP BY part_num, color_id
HAVING sum(needed) > sum(have)
UNION ALL SELECT NULL, 'unknown set: ' || number, NULL, NULL, NULL, NULL
FROM (SELECT :set_num AS number UNION ALL SELECT number FROM given)
WHERE number <> '' AND NOT EXISTS (SELECT 1 FROM sets WHERE set_num IN (number, number || '-1'))
UNION ALL SELECT NULL, 'unknown part or color: ' || value, NULL, NULL, NULL, NULL FROM mine
WHERE part_num NOT IN (SELECT part_num FROM parts) OR color_id IS NULL
ORDER BY missing DESC NULLS FIRST, part_num, color;

-- # substitutes (lookup)
-- Which parts can replace a part?
-- Its alternates (`A`) and other molds (`M`), and theirs in turn, with the number of sets they are in.
-- :part_num = '3001'
WITH RECURSIVE alike (part_num) AS (
  SELECT :part_num
  UNION
  SELECT iif(child_part_num = part_num, parent_part_num, child_part_num)
  FROM alike JOIN part_relationships
    ON child_part_num = part_num OR parent_part_num = part_num
  WHERE rel_type IN ('A', 'M')
)
SELECT part_num, name, num_sets, min_year, max_year
FROM alike
  JOIN parts USING (part_num)
  LEFT JOIN part_stats USING (part_num)
WHERE part_num <> :part_num
UNION ALL SELECT NULL, 'unknown part: ' || :part_num, NULL, NULL, NULL
WHERE :part_num <> '' AND :part_num NOT IN (SELECT part_num FROM parts)
ORDER BY num_sets DESC, part_num;

-- # prints-of-a-part (lookup)
-- Which prints, patterns and molds of a part exist?
-- Parts of the same shape with a print or pattern (`P`, `T`), and older or newer molds (`M`), with their years and
-- numbers of sets.
-- :part_num = '3626b'
SELECT rel_type, part_num, name, num_sets, min_year, max_year
FROM part_relationships
  JOIN parts ON part_num = child_part_num
  LEFT JOIN part_stats USING (part_num)
WHERE parent_part_num = :part_num AND rel_type IN ('P', 'T', 'M')
UNION ALL SELECT NULL, NULL, 'unknown part: ' || :part_num, NULL, NULL, NULL
WHERE :part_num <> '' AND :part_num NOT IN (SELECT part_num FROM parts)
ORDER BY num_sets DESC, part_num;

-- # part-lifetime (statistics)
-- When was a part made in each color?
-- The first and last year with a set that has it, itself or in a minifig, not only as a spare part; the number of
-- years with such a set; and the number of sets. All versions of sets count, not only the latest: `versions` is
-- their number.
-- :part_num = '3024'
SELECT colors.name AS color, min(year) AS first_year, max(year) AS last_year,
  count(DISTINCT year) AS years, count(DISTINCT set_num) AS sets,
  count(DISTINCT set_num || ' ' || version) AS versions
FROM where_ever_used JOIN sets USING (set_num) JOIN colors ON colors.id = color_id
WHERE part_num = :part_num AND NOT is_spare
GROUP BY color_id
UNION ALL SELECT 'unknown part: ' || :part_num, NULL, NULL, NULL, NULL, NULL
WHERE :part_num <> '' AND :part_num NOT IN (SELECT part_num FROM parts)
ORDER BY first_year, color;

-- # minifigs-of-a-theme (statistics)
-- Which minifigs are in the sets of a theme and its subthemes?
-- Minifigs in the most sets come first. `pieces` is their total number in all these sets. `theme_id` is an ID, the
-- name of a top-level theme, or a path such as `Technic / Star Wars`.
-- :theme_id = 'Castle'
WITH asked AS (SELECT id FROM theme_paths WHERE id = :theme_id OR path = :theme_id COLLATE NOCASE)
SELECT fig_num, minifigs.name, count(*) AS num_sets, sum(quantity) AS pieces,
  min(year) AS min_year, max(year) AS max_year
FROM theme_paths
  JOIN sets ON theme_id = theme_paths.id
  JOIN set_inventories USING (set_num)
  JOIN inventories ON inventories.id = inventory_id
  JOIN minifigs ON fig_num = inventories.set_num
WHERE '/' || id_path || '/' LIKE '%/' || (SELECT id FROM asked) || '/%' AND NOT is_sub_set
GROUP BY fig_num
UNION ALL SELECT NULL, 'unknown theme: ' || :theme_id, NULL, NULL, NULL, NULL
WHERE :theme_id <> '' AND NOT EXISTS (SELECT 1 FROM asked)
ORDER BY num_sets DESC, fig_num
LIMIT 20;

-- # sets-of-a-theme (statistics)
-- Which sets belong to a theme and its subthemes?
-- Newest first. `theme` is the path of each set's theme. `theme_id` is an ID, the name of a top-level theme, or a
-- path such as `Technic / Star Wars`.
-- :theme_id = 'Technic'
WITH asked AS (SELECT id FROM theme_paths WHERE id = :theme_id OR path = :theme_id COLLATE NOCASE)
SELECT set_num, sets.name, year, path AS theme, num_parts
FROM theme_paths
  JOIN sets ON theme_id = theme_paths.id
WHERE '/' || id_path || '/' LIKE '%/' || (SELECT id FROM asked) || '/%'
UNION ALL SELECT NULL, 'unknown theme: ' || :theme_id, NULL, NULL, NULL
WHERE :theme_id <> '' AND NOT EXISTS (SELECT 1 FROM asked)
ORDER BY year DESC, set_num;

-- # sets-inside-a-set (lookup)
-- Which sets are inside a set?
-- Nested sets are included at any depth. `quantity` is the number of each in the outermost set.
-- :set_num = '9645-1'
SELECT sets.set_num, sets.name, sets.year, quantity
FROM set_inventories
  JOIN inventories ON inventories.id = inventory_id
  JOIN sets ON sets.set_num = inventories.set_num
WHERE set_inventories.set_num IN (:set_num, :set_num || '-1') AND is_sub_set AND NOT is_minifig
UNION ALL SELECT NULL, 'unknown set: ' || :set_num, NULL, NULL
WHERE :set_num <> '' AND NOT EXISTS (SELECT 1 FROM sets WHERE set_num IN (:set_num, :set_num || '-1'))
ORDER BY sets.set_num;

-- # similar-sets (statistics)
-- Which sets have the most parts in common with a set, or with several?
-- `set_num` is a set, or a list with commas, such as the sets that you own. Pieces of the same part in the same
-- color, from latest versions, without minifigs and spare parts. `percent` is their share of the pieces of the
-- given sets.
-- :set_num = '8880-1, 8865-1'
WITH given AS (
  SELECT trim(value, char(9, 10, 13, 32)) AS number, set_num
  FROM json_each('[' || replace(json_quote(:set_num), ',', '","') || ']')
    LEFT JOIN sets ON set_num IN (number, number || '-1')
  WHERE number <> ''
),
own AS (
  SELECT part_num, color_id, sum(quantity) AS quantity
  FROM given JOIN latest_inventories USING (set_num)
    JOIN inventory_parts ON inventory_id = id
  WHERE NOT is_spare
  GROUP BY part_num, color_id
),
common AS (
  SELECT inventory_id, sum(min(own.quantity, inventory_parts.quantity)) AS pieces
  FROM own JOIN inventory_parts USING (part_num, color_id)
  WHERE NOT is_spare
  GROUP BY inventory_id
)
SELECT set_num, name, year, pieces,
  100 * pieces / (SELECT sum(quantity) FROM own) AS percent
FROM common JOIN latest_inventories ON id = inventory_id JOIN sets USING (set_num)
WHERE set_num NOT IN (SELECT set_num FROM given WHERE set_num IS NOT NULL)
UNION ALL SELECT NULL, 'unknown set: ' || number, NULL, NULL, NULL FROM given WHERE set_num IS NULL
ORDER BY pieces DESC NULLS FIRST, set_num
LIMIT 20;

-- # versions-of-a-set (lookup)
-- What has changed between two versions of a set's inventory?
-- Versions differ if LEGO changed a set while it was sold, or if a count was corrected. `change` is how many more
-- pieces the newer version has, or fewer if negative. `where_ever_used` and the columns `ever_…` of the statistics
-- cover all versions; other statistics and views use the latest.
-- :set_num = '8880-1'
-- :old = 1
-- :new = 2
SELECT part_num, parts.name, colors.name AS color, is_spare,
  sum(iif(version = :new, quantity, 0)) - sum(iif(version = :old, quantity, 0))
    AS change
FROM inventories
  JOIN inventory_parts ON inventory_id = inventories.id
  JOIN parts USING (part_num)
  JOIN colors ON colors.id = color_id
WHERE set_num IN (:set_num, :set_num || '-1') AND version IN (:old, :new)
GROUP BY part_num, color_id, is_spare
HAVING change <> 0
UNION ALL SELECT NULL, 'unknown version: ' || :set_num || ', ' || value, NULL, NULL, NULL
FROM json_each(json_array(:old, :new))
WHERE :set_num <> '' AND value NOT IN (
  SELECT version FROM inventories WHERE set_num IN (:set_num, :set_num || '-1'))
ORDER BY part_num, color;

-- # search-by-name (statistics)
-- Which sets, parts, minifigs and themes have these words?
-- Type words and numbers as you like: case, accents, punctuation and plurals do not matter, `2 x 4` is `2x4`, and
-- the last word may be incomplete. If no name has all words, words with one wrong letter match, then any of the
-- words. Parts with the exact number come first, then sets; of equally similar names, the most used parts and the
-- largest sets. Prints and Duplo come last.
-- :text = 'milennium falcon'
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
LIMIT 20;

-- # spares (statistics)
-- Which parts are most often spare parts?
-- The number of spare pieces, the number of pieces that sets need, and the percentage of spare ones.
SELECT part_num, name, num_spares, num_parts,
  round(100.0 * num_spares / (num_spares + num_parts), 1) AS percent
FROM part_stats JOIN parts USING (part_num)
ORDER BY num_spares DESC, part_num
LIMIT 20;

-- # color-through-the-years (statistics)
-- How common was a color in each year?
-- The pieces in sets of the year and their minifigs, without spare parts, and the number of parts and sets with
-- the color.
-- :color_id = 'Dark Blue'
WITH asked AS (SELECT id FROM colors WHERE id = :color_id OR name = :color_id COLLATE NOCASE)
SELECT year, count(DISTINCT set_num) AS sets, count(DISTINCT part_num) AS parts,
  sum(quantity) AS pieces
FROM where_used JOIN sets USING (set_num)
WHERE color_id = (SELECT id FROM asked) AND NOT is_spare AND NOT is_sub_set
GROUP BY year
UNION ALL SELECT 'unknown color: ' || :color_id, NULL, NULL, NULL
WHERE :color_id <> '' AND NOT EXISTS (SELECT 1 FROM asked)
ORDER BY year;

-- # sets-per-year (statistics)
-- How many sets came out each year, and how large were they?
-- Pieces include those of minifigs but not spare parts. Sets without an inventory count in `sets`, but not in the
-- other columns.
SELECT year, count(*) AS sets, sum(set_stats.num_parts) AS pieces,
  round(avg(set_stats.num_parts), 1) AS average, max(set_stats.num_parts) AS largest
FROM sets LEFT JOIN set_stats ON set_stats.set_num = sets.set_num AND num_lots > 0
GROUP BY year
ORDER BY year DESC;
