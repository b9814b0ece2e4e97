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
-- the last word may be incomplete. Words of a set's theme count, too; a color finds parts in it, and an element number
-- its part and color. A word that is in no name is replaced by similar ones. If no name has all words, similar words
-- match, then any of the words. Exact numbers come first, parts before sets, then exact names; of equally similar
-- names, the most used parts and the largest sets. Prints and Duplo come last.
-- :text = 'milennium falcon'
WITH RECURSIVE
  -- The text, with hyphens for marks inside a word, and 2x4 for 2 x 4.
  typed (text) AS (
    SELECT iif(text GLOB '*[0-9] x [0-9]*', replace(text, ' x ', 'x'), text)
    FROM (
      SELECT replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
        replace(replace(replace(replace(lower(substr(trim(:text), 1, 200)), '×', 'x'), '’', '-'), '''', '-'), '.', '-'),
        ':', '-'), '/', '-'), '•', '-'), '·', '-'), ',', ' '), '&', ' '), '!', ' '), '(', ' '), '°', ' '),
        char(9), ' '), char(10), ' '), char(13), ' '), char(160), ' ') AS text
    )
  ),
  words AS MATERIALIZED (
    SELECT min(key) AS place, trim(value, '-') AS word,
      replace(replace(replace(text, ' ', ''), '-', ''), 'lego', '') AS squeezed
    FROM typed JOIN json_each('[' || replace(json_quote(text), ' ', '","') || ']')
    WHERE value GLOB '*[^ -/:-@{-~]*' AND (value <> 'lego' OR text = 'lego')
    GROUP BY trim(value, '-') ORDER BY place LIMIT 8
  ),
  -- The longest color that is typed, gray in any spelling, lt and dk for light and dark.
  color (color_id, words) AS MATERIALIZED (
    SELECT id, words FROM (SELECT id, ' ' || lower(replace(name, '-', ' ')) || ' ' AS words FROM colors)
    WHERE instr(
      (SELECT replace(replace(' ' || replace(replace(group_concat(word, ' '), '-', ' '), 'rey', 'ray') || ' ',
        ' lt ', ' light '), ' dk ', ' dark ') FROM words), words)
    ORDER BY length(words) DESC, id LIMIT 1
  ),
  -- A word with a role, as a kind or a color, need not be in the name.
  roles AS MATERIALIZED (
    SELECT place, word, squeezed, color_id, word NOT GLOB '*[^a-z0-9]*' AS is_plain,
      lag(word) OVER places AS before, lead(word) OVER places AS after, max(place) OVER () = place AS is_last, CASE
        WHEN word IN ('minifig', 'minifigs', 'minifigure', 'minifigures', 'fig', 'figs') THEN 'minifig'
        WHEN word IN ('part', 'parts', 'piece', 'pieces') THEN 'part'
        WHEN word IN ('set', 'sets', 'theme', 'themes') THEN rtrim(word, 's')
        WHEN instr(words, ' ' || replace(replace(iif(word = 'lt', 'light', iif(word = 'dk', 'dark', word)), '-', ' '),
          'rey', 'ray') || ' ') THEN 'color'
        ELSE '' END AS role
    FROM words LEFT JOIN color WINDOW places AS (ORDER BY place)
  ),
  numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < 30),
  -- Plurals and singulars, 4x2 for 2x4, 1x1x2 for 1x1, words with a space too many or too few, initials of themes.
  spelled AS (
    SELECT roles.*, n, CASE
        WHEN n = 0 THEN word
        WHEN n = 1 AND is_plain THEN word || 's'
        WHEN n = 2 AND word GLOB '*???s' THEN substr(word, 1, length(word) - 1)
        WHEN n = 3 AND word GLOB '*???es' THEN substr(word, 1, length(word) - 2)
        WHEN n = 4 AND word GLOB '*???ies' THEN substr(word, 1, length(word) - 3) || 'y'
        WHEN n = 5 AND word GLOB '*-*' THEN replace(word, '-', '')
        WHEN n = 6 AND word GLOB '[0-9]x[0-9]' THEN substr(word, 3) || 'x' || substr(word, 1, 1)
        WHEN n = 7 THEN before || word
        WHEN n = 8 THEN word || after
        WHEN n = 9 AND word GLOB '[0-9]*x[0-9]*' AND word NOT GLOB '*x*x*' THEN word || 'x' END AS form
    FROM roles JOIN numbers WHERE n < 10
    UNION ALL
    SELECT roles.*, 10, substr(word, 1, n) || ' ' || substr(word, n + 1)
    FROM roles JOIN numbers ON n BETWEEN 1 AND length(word) - 1
    WHERE is_plain AND word GLOB '*[a-z]*' AND word NOT GLOB '*[0-9]x[0-9]*' AND EXISTS (
      SELECT 1 FROM search_index
      WHERE search_index MATCH '"' || substr(word, 1, n) || ' ' || substr(word, n + 1) || '"')
    UNION ALL
    SELECT roles.*, 11, lower(title)
    FROM roles JOIN (SELECT replace(name, 'The ', '') AS title FROM themes WHERE name LIKE '% % %')
    WHERE word GLOB '[a-z][a-z][a-z]*' AND length(title) - length(replace(title, ' ', '')) = length(word) - 1
      AND title LIKE (
        SELECT group_concat(substr(word, n, 1), '% ') || '%' FROM numbers WHERE n BETWEEN 1 AND length(word))
  ),
  forms AS MATERIALIZED (
    SELECT *, NOT max(is_known) OVER (PARTITION BY place) AND word NOT GLOB '*[0-9]*' AS is_unknown,
      n = 9 OR n = 0 AND is_last AND length(word) > 1 AND (before IS NULL OR word NOT GLOB '[0-9]*') AS is_prefix
    FROM (
      SELECT *, n > 8 OR EXISTS (SELECT 1 FROM search_words WHERE term = form) OR n = 0 AND EXISTS (
        SELECT 1 FROM search_index
        WHERE search_index MATCH '"' || replace(word, '"', '""') || iif(is_last, '"*', '"')) AS is_known
      FROM spelled WHERE form IS NOT NULL
    )
  ),
  -- A letter too few, too many or wrong, two exchanged, or the letters of an unknown word in another order or number.
  similar AS (
    SELECT *
    FROM (
      SELECT forms.*, substr(word, 1, at.n) || iif(letter.n, char(96 + letter.n) || substr(word, at.n + 1 + skip),
        iif(skip, '', substr(word, at.n + 2, 1) || substr(word, at.n + 1, 1)) || substr(word, at.n + 3 - skip)) AS slip
      FROM forms JOIN numbers AS at JOIN numbers AS letter JOIN (SELECT 0 AS skip UNION ALL SELECT 1)
      WHERE forms.n = 0 AND word NOT GLOB '*[^a-z]*' AND length(word) > 3 - is_unknown
        AND at.n <= length(word) AND letter.n <= 26
    )
    WHERE EXISTS (SELECT 1 FROM search_words WHERE term = slip)
    UNION
    SELECT forms.*, value
    FROM forms JOIN json_each((
      SELECT json_group_array(term) FROM search_words
      WHERE term >= substr(word, 1, 1) AND term < substr(word, 1, 1) || '{'
        AND abs(length(term) - length(word)) < 3 AND trim(term, word) = '' AND trim(word, term) = ''))
    WHERE n = 0 AND is_unknown AND length(word) > 4
  ),
  phrases AS MATERIALIZED (
    SELECT place, is_last, role, word, squeezed, color_id, form, is_prefix, 1 AS stage
    FROM forms WHERE is_known OR n = 0 AND NOT is_unknown
    UNION ALL
    SELECT place, is_last, role, word, squeezed, color_id, slip, 0, 2 - is_unknown FROM similar WHERE slip <> word
  ),
  -- Every word, every word or a similar one, and some words.
  queries AS (
    SELECT *, ifnull('(' || needed || ')' || ifnull(' OR (' || needed || ' AND ' || other || ')', ''), other) AS every
    FROM (
      SELECT group_concat(either, ' AND ') FILTER (WHERE role = '') AS needed,
        group_concat(either, ' AND ') FILTER (WHERE role > '') AS other,
        group_concat(alike, ' AND ') FILTER (WHERE role = '') AS alike, group_concat(either, ' OR ') AS some,
        squeezed, color_id, max(role = 'theme') AS wants_theme, max(word GLOB '*[0-9]*') AS has_number,
        iif(sum(is_number) = 1, max(word) FILTER (WHERE is_number AND word GLOB '*[0-9]*'), NULL) AS number
      FROM (
        SELECT *, role = '' AND word NOT IN ('no', 'nr', 'number', 'id', 'item', 'element', 'piece') AS is_number,
          '(' || group_concat(phrase, ' OR ') FILTER (WHERE stage = 1) || ')' AS either,
          '(' || group_concat(phrase, ' OR ') || ')' AS alike
        FROM (SELECT *, '"' || replace(form, '"', '""') || iif(is_prefix, '"*', '"') AS phrase FROM phrases)
        GROUP BY place
      )
    )
  ),
  chosen AS MATERIALIZED (
    SELECT *, query IS alike AS is_alike, query IS some AND some IS NOT every AS is_some,
      query || ifnull(' OR key : "' || replace(ifnull(element_part, number), '"', '""') || '"', '') AS final
    FROM (
      SELECT queries.*, part_num AS element_part, elements.color_id AS element_color, CASE
          WHEN EXISTS (SELECT 1 FROM search_index WHERE search_index MATCH ifnull(every, '""')) THEN every
          WHEN EXISTS (SELECT 1 FROM search_index WHERE search_index MATCH ifnull(alike, '""')) THEN alike
          ELSE ifnull(some, '""') END AS query
      FROM queries LEFT JOIN elements ON element_id = number
    )
  ),
  -- Sizes are so rare that they would outweigh all else.
  found AS (
    SELECT search_index.rowid AS id FROM chosen JOIN search_index
    WHERE search_index MATCH final AND search_index.rank MATCH 'bm25(0, 20, 10, 1, 1000, 1)' ORDER BY rank LIMIT 600
  ),
  -- The base of a name has no details: Tile 2 x 2 with Groove is tile 2x2. Key and theme follow the name.
  named AS MATERIALIZED (
    SELECT id, kind, key, name, text, instr(text, '|') AS base_end,
      instr(text, '|') + instr(substr(text, instr(text, '|') + 1), '|') AS name_end, kind = 'part' AND (
        EXISTS (SELECT 1 FROM color JOIN elements USING (color_id) WHERE part_num = key)
        OR EXISTS (SELECT 1 FROM color JOIN part_color_stats USING (color_id) WHERE part_num = key)) AS has_color
    FROM (
      SELECT id, kind, key, name, replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
        replace(replace(replace(replace(lower(' ' || substr(name, 1, base) || ' |' || substr(name, base + 1) || ' | '
        || key || ' ' || ifnull(theme, '') || ' '), ' x ', 'x'), '-', ' '), '’', ' '), '''', ' '), '.', ' '), ':', ' '),
        '/', ' '), '•', ' '), '·', ' '), ',', ' '), '&', ' '), '!', ' '), '(', ' '), '°', ' ') AS text
      FROM (
        SELECT id, kind, key, name, theme, iif(EXISTS (SELECT 1 FROM words WHERE word = 'with'), length(name), min(
          instr(name || ' with', ' with'), instr(name || ' [', ' ['), instr(name || ' (', ' (')) - 1) AS base
        FROM found JOIN search_entries USING (id)
      )
    )
  ),
  -- Where each word matches: 3 is in the base of the name, 2 in its details, and 1 in key or theme.
  hits AS (
    SELECT *, max(iif(at BETWEEN 1 AND base_end, size, 0)) AS covered,
      max((at > 0) + (at BETWEEN 1 AND name_end) + (at BETWEEN 1 AND base_end)) AS region,
      max(is_last AND (role > '' OR whole_at > 0)) AS is_complete
    FROM (
      SELECT *, iif(whole_at = 0 AND is_prefix, instr(text, ' ' || form), whole_at) AS at
      FROM (
        SELECT named.*, place, is_last, role, is_prefix, replace(form, '-', ' ') AS form,
          length(replace(form, '-', '')) AS size, instr(text, ' ' || replace(form, '-', ' ') || ' ') AS whole_at
        FROM phrases JOIN named WHERE stage = 1 OR (SELECT is_alike FROM chosen)
      )
    )
    GROUP BY id, place
  ),
  matched AS MATERIALIZED (
    SELECT *, sum(region > 0 OR role = kind OR role = 'color' AND has_color) AS matches,
      sum(role = '' AND region = 0) AS misses, sum(covered) AS all_covered,
      iif(max(is_complete), 5, 1) * iif(max(role = kind), 3, 1)
        / (1.0 + 4 * sum(region = 2) + sum(region = 1)) AS closeness
    FROM hits GROUP BY id
  ),
  weighed AS (
    SELECT id, kind, key, name,
      iif(key IS element_part, element_color, iif(has_color, chosen.color_id, NULL)) AS color_id,
      ifnull(CASE kind
        WHEN 'set' THEN (number || iif(number GLOB '*-*', '', '-1') = replace(lower(key), '.', '-'))
          + (number IN (replace(lower(key), '.', '-'), substr(key, 1, instr(key, '-') - 1)))
        WHEN 'theme' THEN 2 * (number = key AND wants_theme)
        ELSE 2 * (number = replace(lower(key), '.', '-')) + (key IS element_part) END, 0) AS is_number,
      squeezed = replace(replace(replace(substr(text, 1, name_end), ' ', ''), '|', ''), 'lego', '') AS is_exact,
      matches + iif(is_some, 0, misses) AS matches,
      max(0, length(replace(substr(text, 1, base_end - 1), ' ', '')) - all_covered) AS extra,
      ifnull(CASE kind
        WHEN 'part' THEN max(ifnull((SELECT num_sets FROM part_stats WHERE part_num = key), 0),
          20 * (SELECT count(*) FROM elements WHERE part_num = key))
        WHEN 'set' THEN (
          SELECT 1500.0 * num_parts / (num_parts + 1500) FROM sets WHERE set_num = key AND num_parts > 0)
        WHEN 'theme' THEN (
          SELECT 1000 * (parent_id IS NULL) + 10 * (SELECT count(*) FROM sets WHERE theme_id = themes.id)
          FROM themes WHERE themes.id = CAST(key AS INTEGER))
        ELSE 50 END, 0) + 1 AS uses,
      iif(name LIKE '%print%' OR name LIKE '%pattern%' OR name LIKE '%sticker%'
          OR kind = 'part' AND key GLOB '*p[rb][0-9]*', 0.1, 1)
        * iif(name LIKE '%duplo%', 0.1, 1) * iif(name LIKE '%(pack of%', 0.1, 1)
        * iif(has_color AND NOT has_number, 0.3, 1) * closeness AS factor
    FROM matched JOIN chosen
  ),
  best AS MATERIALIZED (
    SELECT *, row_number() OVER (
      ORDER BY is_number DESC, iif(is_number, kind, ''), is_exact DESC, matches DESC,
        kind = 'theme' AND extra <= 1 DESC, uses / (extra + 30.0) * iif(extra <= 1, 5, 1) * factor DESC,
        length(name), kind, key) AS place
    FROM weighed ORDER BY place LIMIT 20
  )
SELECT best.kind, best.key, best.name, snippet(search_index, 2, '[', ']', '…', 16) AS snippet,
  (SELECT colors.name FROM colors WHERE colors.id = best.color_id) AS color
FROM chosen JOIN search_index JOIN best ON best.id = +search_index.rowid
WHERE search_index MATCH final
ORDER BY place;

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
