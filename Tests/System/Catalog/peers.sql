-- The subjects of the examples of two other loaders of the same source files, as our own queries, for peers.py.
--
-- Each begins with its loader, subject, change to the loader's own query, and result compared with the loader's.

-- rb.db | colors of a part | temporary views | same
-- fixtures 0 00000000, 2020 49 07c41ea6
SELECT stats.img_url, colors.name, stats.num_parts, stats.num_sets, min_year, max_year
FROM part_color_stats AS stats JOIN colors ON colors.id = color_id JOIN color_properties USING (id)
WHERE part_num = '3001' ORDER BY sort_pos DESC;

-- rb.db | popularity of colors by year | | same
-- fixtures 808 9941cfe9, 2020 2433 9bcb1a40
SELECT year, color_id, sum(quantity) AS pieces,
  round(99 * log(max(sum(quantity)) OVER (PARTITION BY year), sum(quantity))) + 1 AS popularity
FROM ___set_parts_for_stats GROUP BY year, color_id;

-- rb.db | counts of colors by Rebrickable and by the catalog | temporary views | same
-- fixtures 92 9a3dee53, 2020 170 8fd6f4d6
SELECT colors.id, colors.num_parts - whole.num_parts, colors.num_sets - whole.num_sets,
  colors.num_sets - sum(one.num_sets),
  colors.y1 - whole.min_year, colors.y2 - whole.max_year, whole.num_parts, whole.num_sets
FROM colors JOIN color_stats AS whole ON whole.color_id = id JOIN part_color_stats AS one ON one.color_id = id
GROUP BY id;

-- rb.db | colors in order as JSON | before SQLite 3.44: order in a subquery | same
-- fixtures 1 71707614, 2020 1 97434771
SELECT json_group_array(json_array(id, name)) FROM (
  SELECT id, name FROM colors JOIN color_properties USING (id) ORDER BY sort_pos);

-- rb.db | parts with several images | | same
-- fixtures 0 00000000, 2020 0 00000000
SELECT part_num, color_id, img_url, count(DISTINCT set_num)
FROM inventory_parts JOIN inventories ON inventories.id = inventory_id
WHERE (part_num, color_id) IN (
  SELECT part_num, color_id FROM inventory_parts
  GROUP BY part_num, color_id HAVING min(img_url) <> max(img_url))
GROUP BY part_num, color_id, img_url;

-- rb.db | parts with and without an image | | same
-- fixtures 0 00000000, 2020 0 00000000
SELECT part_num, color_id, img_url, count(DISTINCT set_num)
FROM inventory_parts JOIN inventories ON inventories.id = inventory_id
WHERE (part_num, color_id) IN (
  SELECT part_num, color_id FROM inventory_parts
  GROUP BY part_num, color_id HAVING count(img_url) BETWEEN 1 AND count(*) - 1)
GROUP BY part_num, color_id, img_url;

-- rb.db | prints without an image whose plain part has one | | same
-- fixtures 0 00000000, 2020 0 00000000
WITH
  bare AS MATERIALIZED (SELECT part_num, color_id FROM inventory_parts WHERE img_url IS NULL),
  prints AS MATERIALIZED (
    SELECT DISTINCT part_num, color_id, parent_part_num
    FROM bare JOIN part_relationships ON child_part_num = part_num WHERE rel_type = 'P')
SELECT part_num, color_id, parent_part_num FROM prints
WHERE EXISTS (
  SELECT 1 FROM inventory_parts AS plain
  WHERE plain.part_num = parent_part_num AND plain.color_id = prints.color_id AND plain.img_url IS NOT NULL);

-- rb.db | colors by number of pieces | temporary views | same
-- fixtures 92 649c0b5a, 2020 170 2f4aa17e
SELECT colors.name, color_stats.num_parts, color_stats.num_sets,
  row_number() OVER (ORDER BY color_stats.num_parts DESC, color_stats.num_sets DESC) AS by_parts,
  row_number() OVER (ORDER BY color_stats.num_sets DESC, color_stats.num_parts DESC) AS by_sets
FROM color_stats JOIN colors ON id = color_id;

-- rb.db | sets per year | | same
-- fixtures 49 90031d0a, 2020 70 dd3823c1
SELECT year, count(*) FROM sets GROUP BY year;

-- rb.db | addresses of parts by name | | same
-- fixtures 200 e6bd22b7, 2020 35992 98e5298f
WITH RECURSIVE words (part_num, rest, address) AS (
  SELECT part_num, name, '' FROM parts
  UNION ALL
  SELECT part_num, substr(rest, 2), CASE
    WHEN rest GLOB '[A-Za-z0-9]*' THEN address || lower(substr(rest, 1, 1))
    WHEN rest GLOB ' *' AND address NOT GLOB '*-' THEN address || '-'
    ELSE address END
  FROM words WHERE rest <> '')
SELECT 'https://rebrickable.com/parts/' || part_num || '/' || address || '/' FROM words WHERE rest = '';

-- rb.db | lifetime of parts | temporary views | same
-- fixtures 62 142501dc, 2020 64 f4bd1886
SELECT max_year - min_year + 1 AS years, count(*) FROM part_stats GROUP BY years;

-- rb.db | current molds and alternates | | same
-- fixtures 18 a1fa42ef, 2020 1053 8e0531ae
SELECT rel_type, child_part_num, parent_part_num FROM part_rels_resolved;

-- rb.db | suffixes of prints | | differs: rb.db adds prints by rules of its own
-- fixtures 1 464519a4, 2020 20 3c682fb0
WITH RECURSIVE suffixes (part_num, suffix, rest) AS (
  SELECT child_part_num, '', substr(child_part_num, instr(child_part_num, 'pr') + 2)
  FROM (SELECT * FROM part_relationships UNION ALL SELECT * FROM part_rels_extra)
  WHERE rel_type = 'P' AND child_part_num LIKE '_%pr%'
  UNION ALL
  SELECT part_num, suffix || CASE
    WHEN rest GLOB '[0-9]*' THEN 'N' WHEN rest GLOB '[A-Za-z]*' THEN 'x' ELSE substr(rest, 1, 1) END, substr(rest, 2)
  FROM suffixes WHERE rest <> '')
SELECT suffix, count(DISTINCT part_num) FROM suffixes WHERE rest = '' GROUP BY suffix;

-- rb.db | images of several parts | | same
-- fixtures 0 00000000, 2020 0 00000000
SELECT img_url, part_num, count(DISTINCT set_num), count(DISTINCT color_id)
FROM inventory_parts JOIN inventories ON inventories.id = inventory_id
WHERE img_url IN (SELECT img_url FROM inventory_parts GROUP BY img_url HAVING min(part_num) <> max(part_num))
GROUP BY img_url, part_num;

-- rb.db | images of several parts or colors | | same
-- fixtures 0 00000000, 2020 0 00000000
SELECT img_url, part_num, color_id, count(DISTINCT set_num)
FROM inventory_parts JOIN inventories ON inventories.id = inventory_id
WHERE img_url IN (
  SELECT img_url FROM inventory_parts
  GROUP BY img_url HAVING min(part_num) <> max(part_num) OR min(color_id) <> max(color_id))
GROUP BY img_url, part_num, color_id;

-- rb.db | images of a part in several colors | | same
-- fixtures 0 00000000, 2020 0 00000000
WITH uses AS MATERIALIZED (
  SELECT img_url, part_num, color_id, count(DISTINCT set_num) AS num_sets
  FROM inventory_parts JOIN inventories ON inventories.id = inventory_id
  WHERE img_url IS NOT NULL GROUP BY img_url, part_num, color_id)
SELECT img_url, part_num, one.color_id, one.num_sets, two.color_id, two.num_sets
FROM uses AS one JOIN uses AS two USING (img_url, part_num) WHERE one.color_id < two.color_id;

-- rb.db | colors similar to one | | same
-- fixtures 0 00000000, 2020 10 208e526e
SELECT similar_colors.name, similar_colors.rgb
FROM similar_colors JOIN color_properties USING (id)
WHERE ref_name = 'Red' AND id <> 9999 ORDER BY sort_pos;

-- rb.db | numbers of rows, shortest and longest numbers | | same, but for relations added by rb.db, and the time
-- fixtures 1 182ab02b, 2020 1 30468e11
SELECT
  (SELECT value FROM rb_db_lov WHERE key = 'schema_version'),
  (SELECT count(*) || ' ' || min(length(part_num)) || ' ' || max(length(part_num)) FROM parts),
  (SELECT count(*) FROM part_relationships), (SELECT count(*) FROM part_rels_resolved),
  (SELECT count(*) || ' ' || min(length(set_num)) || ' ' || max(length(set_num)) FROM sets),
  (SELECT min(length(img_url)) || ' ' || max(length(img_url)) FROM sets),
  (SELECT count(*) FROM minifigs), (SELECT min(length(img_url)) || ' ' || max(length(img_url)) FROM minifigs),
  (SELECT count(*) || ' ' || count(DISTINCT set_num) || ' ' || max(version) FROM inventories),
  (SELECT count(*) FROM inventory_parts),
  (SELECT min(length(img_url)) || ' ' || max(length(img_url)) FROM inventory_parts);

-- rb.db | themes with all themes above | | same
-- fixtures 60 befe1882, 2020 644 52346b0b
WITH RECURSIVE chains (id, ids, names, size) AS (
  SELECT id, CAST(id AS TEXT), name, 1 FROM themes WHERE parent_id IS NULL
  UNION ALL
  SELECT themes.id, ids || ',' || themes.id, names || ' → ' || name, size + 1
  FROM chains JOIN themes ON parent_id = chains.id)
SELECT id, ids, names, size FROM chains;

-- rebrickable-sqlite | colors | | same
-- fixtures 100 72e5ecb9, 2020 184 12fade45
SELECT id, name FROM colors;

-- rebrickable-sqlite | parts of a set from its latest inventory | | same
-- fixtures 0 00000000, 2020 301 699d35d2
SELECT part_num, color_id, quantity FROM inventory_parts
WHERE inventory_id = (SELECT id FROM inventories WHERE set_num = '10193-1' ORDER BY version DESC LIMIT 1);

-- rebrickable-sqlite | parts of a set by its view | | same; if a set has several inventories, the latest instead of version 1
-- fixtures 0 00000000, 2020 301 699d35d2
SELECT part_num, color_id, quantity FROM set_parts WHERE set_num = '10193-1';

-- rebrickable-sqlite | parts with the most pieces | | same
-- fixtures 5 30d4db4f, 2020 5 b881bcff
SELECT part_num, sum(quantity) AS pieces FROM inventory_parts GROUP BY part_num ORDER BY pieces DESC, part_num LIMIT 5;

-- rebrickable-sqlite | parts with the most pieces, by name | | same
-- fixtures 5 76459cb2, 2020 5 c983c837
SELECT part_num, name, sum(quantity) AS pieces
FROM inventory_parts JOIN parts USING (part_num) GROUP BY part_num ORDER BY pieces DESC, part_num LIMIT 5;

-- rebrickable-sqlite | number of parts | | same
-- fixtures 1 2e1f23ed, 2020 1 fff320bb
SELECT count(*) FROM parts;

-- rebrickable-sqlite | sets with a part | | same
-- fixtures 0 00000000, 2020 1383 fa1b45b3
SELECT set_num, name, quantity
FROM inventory_parts JOIN inventories ON inventories.id = inventory_id JOIN sets USING (set_num)
WHERE part_num = 6541;

-- rebrickable-sqlite | sets with a part in a color | | same
-- fixtures 0 00000000, 2020 32 67f7c544
SELECT set_num, name, quantity
FROM inventory_parts JOIN inventories ON inventories.id = inventory_id JOIN sets USING (set_num)
WHERE part_num = 3004 AND color_id = 3;

-- rebrickable-sqlite | years and use of a part | | differs: it counts a row once for each element of the part, and no minifigs
-- fixtures 1 adee5f7c, 2020 1 74abdc49
SELECT part_num, year_from, year_to, num_sets, num_set_parts FROM part_info WHERE part_num = 3004;

-- rebrickable-sqlite | addresses of a part | | differs: the image is one from the source files, not one made from a number
-- fixtures 1 ff7d623b, 2020 1 d158907a
SELECT part_num, part_url, part_img_url FROM part_info WHERE part_num = 3004;

-- rebrickable-sqlite | years and use of a part in a color | | differs: it counts spare parts, version 1 and no minifigs
-- fixtures 0 00000000, 2020 1 fcff0ff6
SELECT part_num, year_from, year_to, num_sets, num_set_parts, part_img_url
FROM part_color_info WHERE part_num = 3004 AND color_id = 10;

-- rebrickable-sqlite | children of a part | | same
-- fixtures 0 00000000, 2020 66 fdef291b
SELECT child_part_num FROM part_relationships WHERE parent_part_num = 3001;

-- rebrickable-sqlite | canonical parts | | same for molds; prints, patterns and alternates are followed, too
-- fixtures 0 00000000, 2020 3 122c03d7
SELECT part_num, canonical_part_num FROM canonical_parts WHERE part_num IN ('4085', '4085a', '4085b', '2536c');

-- rebrickable-sqlite | number of pieces of a set by its view | | same
-- fixtures 1 a168593c, 2020 1 a168593c
SELECT sum(quantity) FROM set_parts WHERE set_num = '41449-1';
