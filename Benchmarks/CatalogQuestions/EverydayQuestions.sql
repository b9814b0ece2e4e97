-- What else people look up, add up, and join as it comes to mind, in the form of Cookbook.sql.

-- # a-set (lookup)
-- What is known about a set?
-- One row, with the path of its theme.
-- :set_num = '8880-1'
SELECT sets.*, path, num_lots, set_stats.num_parts AS pieces, num_spares
FROM sets JOIN theme_paths ON theme_paths.id = theme_id LEFT JOIN set_stats USING (set_num)
WHERE set_num = :set_num;

-- # a-part (lookup)
-- What is known about a part?
-- One row, with its category and statistics.
-- :part_num = '3001'
SELECT parts.*, part_categories.name AS category, part_stats.*
FROM parts JOIN part_categories ON part_categories.id = part_cat_id
  LEFT JOIN part_stats USING (part_num)
WHERE part_num = :part_num;

-- # colors-of-a-part (lookup)
-- In which colors does a part exist, in how many sets, and in which years?
-- With LEGO's element numbers.
-- :part_num = '3001'
SELECT colors.name, part_color_stats.num_sets, min_year, max_year, part_color_stats.num_parts,
  (SELECT group_concat(element_id, ' ') FROM elements
    WHERE elements.part_num = part_color_stats.part_num
      AND elements.color_id = part_color_stats.color_id) AS element_ids
FROM part_color_stats JOIN colors ON colors.id = color_id
WHERE part_num = :part_num
ORDER BY part_color_stats.num_sets DESC, colors.name;

-- # an-element (lookup)
-- Which part in which color is an element?
-- One row.
-- :element_id = '300121'
SELECT part_num, parts.name, colors.name AS color
FROM elements JOIN parts USING (part_num) JOIN colors ON colors.id = color_id
WHERE element_id = :element_id;

-- # sets-of-a-minifig (lookup)
-- Which sets have a minifig?
-- Joined from the source tables, as a user would.
-- :fig_num = 'fig-000869'
SELECT sets.set_num, sets.name, year, quantity
FROM inventory_minifigs
  JOIN inventories ON inventories.id = inventory_id
  JOIN sets USING (set_num)
WHERE fig_num = :fig_num
ORDER BY year, sets.set_num;

-- # contents-by-hand (lookup)
-- What is in a set, joined by hand from the source tables?
-- The latest version, without spare parts and minifigs.
-- :set_num = '8880-1'
SELECT parts.part_num, parts.name, colors.name, part_categories.name, quantity
FROM sets
  JOIN inventories USING (set_num)
  JOIN inventory_parts ON inventory_id = inventories.id
  JOIN parts USING (part_num)
  JOIN part_categories ON part_categories.id = part_cat_id
  JOIN colors ON colors.id = color_id
WHERE sets.set_num = :set_num AND is_spare = 0
  AND version = (SELECT max(version) FROM inventories WHERE set_num = :set_num)
ORDER BY part_categories.name, parts.name;

-- # most-of-one-color (statistics)
-- Which sets have the most parts in one color?
-- The latest version, without spare parts and minifigs.
SELECT set_num, sets.name, year, colors.name AS color, pieces
FROM (
    SELECT inventory_id, color_id, sum(quantity) AS pieces
    FROM inventory_parts
    WHERE NOT is_spare
    GROUP BY color_id, inventory_id
    HAVING inventory_id IN (SELECT id FROM latest_inventories JOIN sets USING (set_num))
    ORDER BY pieces DESC LIMIT 5
  )
  JOIN inventories ON inventories.id = inventory_id
  JOIN sets USING (set_num)
  JOIN colors ON colors.id = color_id
ORDER BY pieces DESC, set_num;

-- # statistics-by-hand (statistics)
-- Which parts are in the most inventories, added up by hand?
-- Like `part_stats`, but counts inventories of any version.
SELECT part_num, parts.name, count(DISTINCT inventory_id) AS inventories,
  count(DISTINCT color_id) AS colors, sum(quantity) AS pieces
FROM inventory_parts JOIN parts USING (part_num)
WHERE is_spare = 0
GROUP BY part_num
ORDER BY inventories DESC, part_num
LIMIT 20;

-- # unused-parts (statistics)
-- How many parts of each category are in no inventory?
-- Read from the source tables, as a user would.
SELECT part_categories.name, count(*) AS parts
FROM parts JOIN part_categories ON part_categories.id = part_cat_id
WHERE part_num NOT IN (SELECT part_num FROM inventory_parts)
GROUP BY part_cat_id
ORDER BY parts DESC, part_categories.name;

-- # sets-in-a-color (statistics)
-- Which sets have the most pieces in a color?
-- Without minifigs and spare parts.
-- :color_id = 272
SELECT set_num, sets.name, year, sum(quantity) AS pieces
FROM latest_inventories
  JOIN sets USING (set_num)
  JOIN inventory_parts ON inventory_id = latest_inventories.id
WHERE color_id = :color_id AND NOT is_spare
GROUP BY set_num
ORDER BY pieces DESC, set_num
LIMIT 20;
