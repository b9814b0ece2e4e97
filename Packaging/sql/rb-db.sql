-- The tables and views of rb.db (https://github.com/ojuuji/rb.db, schema version 8), for queries written for it:
--
--   ingest --source dumps/current --out catalog.sqlite --sql rb-db.sql
--
-- The catalog has tables part_color_stats, part_stats and color_stats of its own, so rb.db's begin with rb_ here. The
-- article ComingFromRbDb has three statements by which a connection finds them under rb.db's names.
--
-- Needs SQLite with its mathematical functions, as Debian's has.

CREATE TABLE rb_db_lov (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
INSERT INTO rb_db_lov VALUES ('schema_version', '8');
-- Equal source files give equal databases, so this is the time of the newest source file.
INSERT INTO rb_db_lov
  SELECT 'data_timestamp', CAST(newest AS TEXT)
  FROM (SELECT max(gzip_time_stamp) AS newest FROM ingest_sources) WHERE newest IS NOT NULL;

-- Red, green and blue from 0 to 1.
CREATE TEMP TABLE channels AS
  WITH places (digits) AS (VALUES ('0123456789ABCDEF'))
  SELECT id, name,
    (16 * instr(digits, substr(rgb, 1, 1)) + instr(digits, substr(rgb, 2, 1)) - 17) / 255.0 AS r,
    (16 * instr(digits, substr(rgb, 3, 1)) + instr(digits, substr(rgb, 4, 1)) - 17) / 255.0 AS g,
    (16 * instr(digits, substr(rgb, 5, 1)) + instr(digits, substr(rgb, 6, 1)) - 17) / 255.0 AS b
  FROM (SELECT id, name, upper(rgb) AS rgb FROM colors), places;

-- The order of colors: four by name, grays from dark to light, all others by hue, saturation and value.
CREATE TABLE color_properties (
  id INTEGER PRIMARY KEY REFERENCES colors,
  sort_pos INTEGER NOT NULL,
  is_grayscale INTEGER CHECK (is_grayscale IN (0, 1))
) STRICT;
INSERT INTO color_properties
  WITH
    spread AS MATERIALIZED (
      SELECT *, max(r, g, b) AS high, min(r, g, b) AS low,
        max(abs(r - g), abs(r - b), abs(g - b)) < 20 / 255.0 AS is_gray,
        CASE name
          WHEN '[Unknown]' THEN 1 WHEN '[No Color/Any Color]' THEN 2 WHEN 'White' THEN 3 WHEN 'Black' THEN 4
        END AS place
      FROM channels
    ),
    hues AS MATERIALIZED (
      SELECT *,
        CASE high
          WHEN low THEN 0
          WHEN r THEN (high - b) / (high - low) - (high - g) / (high - low)
          WHEN g THEN 2 + (high - r) / (high - low) - (high - b) / (high - low)
          ELSE 4 + (high - g) / (high - low) - (high - r) / (high - low)
        END / 6.0 AS hue
      FROM spread
    )
  SELECT id,
    row_number() OVER (
      ORDER BY place IS NULL, place, NOT is_gray, CASE WHEN is_gray THEN r WHEN hue < 0 THEN hue + 1 ELSE hue END,
        CASE WHEN NOT is_gray THEN (high - low) / high END, CASE WHEN NOT is_gray THEN high END, id) - 1,
    CASE WHEN place IN (1, 2) THEN NULL ELSE is_gray END
  FROM hues ORDER BY id;

-- Colors in the CIELAB space of a standard screen (sRGB, D65).
CREATE TEMP TABLE lab AS
  WITH
    linear AS MATERIALIZED (
      SELECT id,
        CASE WHEN r > 0.04045 THEN pow((r + 0.055) / 1.055, 2.4) ELSE r / 12.92 END AS r,
        CASE WHEN g > 0.04045 THEN pow((g + 0.055) / 1.055, 2.4) ELSE g / 12.92 END AS g,
        CASE WHEN b > 0.04045 THEN pow((b + 0.055) / 1.055, 2.4) ELSE b / 12.92 END AS b
      FROM channels
    ),
    xyz AS MATERIALIZED (
      SELECT id, (0.412424 * r + 0.357579 * g + 0.180464 * b) / 0.95047 AS x,
        0.212656 * r + 0.715158 * g + 0.0721856 * b AS y,
        (0.0193324 * r + 0.119193 * g + 0.950444 * b) / 1.08883 AS z
      FROM linear
    ),
    roots AS MATERIALIZED (
      SELECT id,
        CASE WHEN x > 216.0 / 24389 THEN pow(x, 1 / 3.0) ELSE 7.787 * x + 16 / 116.0 END AS x,
        CASE WHEN y > 216.0 / 24389 THEN pow(y, 1 / 3.0) ELSE 7.787 * y + 16 / 116.0 END AS y,
        CASE WHEN z > 216.0 / 24389 THEN pow(z, 1 / 3.0) ELSE 7.787 * z + 16 / 116.0 END AS z
      FROM xyz
    )
  SELECT id, 116 * y - 16 AS l, 500 * (x - y) AS a, 200 * (y - z) AS b,
    sqrt(pow(500 * (x - y), 2) + pow(200 * (y - z), 2)) AS c
  FROM roots;

-- Pairs of colors whose difference by CIEDE2000 is at most 20. 9999 (any color) is similar to all, -1 (unknown) to none.
CREATE TABLE similar_color_ids (
  ref_id INTEGER NOT NULL REFERENCES colors,
  id INTEGER NOT NULL REFERENCES colors
) STRICT;
INSERT INTO similar_color_ids
  WITH
    pairs AS MATERIALIZED (
      SELECT one.id AS ref_id, two.id, one.l AS l1, two.l AS l2, one.b AS b1, two.b AS b2,
        one.a * stretch AS a1, two.a * stretch AS a2, (one.l + two.l) / 2 AS l,
        sqrt(one.a * stretch * one.a * stretch + one.b * one.b) AS c1,
        sqrt(two.a * stretch * two.a * stretch + two.b * two.b) AS c2
      FROM (
        SELECT ref.id AS ref_id, other.id,
          1.5 - 0.5 * sqrt(pow((ref.c + other.c) / 2, 7) / (pow((ref.c + other.c) / 2, 7) + pow(25, 7)))
            AS stretch
        FROM lab AS ref JOIN lab AS other ON -1 NOT IN (ref.id, other.id)
      ) AS pair
        JOIN lab AS one ON one.id = pair.ref_id JOIN lab AS two ON two.id = pair.id
    ),
    angles AS MATERIALIZED (
      SELECT *, (c1 + c2) / 2 AS c,
        degrees(atan2(b1, a1)) + CASE WHEN atan2(b1, a1) < 0 THEN 360 ELSE 0 END AS h1,
        degrees(atan2(b2, a2)) + CASE WHEN atan2(b2, a2) < 0 THEN 360 ELSE 0 END AS h2
      FROM pairs
    ),
    means AS MATERIALIZED (
      SELECT *, (h1 + h2) / 2 + CASE WHEN abs(h1 - h2) > 180 THEN 180 ELSE 0 END AS h,
        h2 - h1 - CASE WHEN abs(h1 - h2) > 180 THEN 360 * sign(h2 - h1) ELSE 0 END AS turn
      FROM angles
    ),
    steps AS MATERIALIZED (
      SELECT ref_id, id, c, h,
        (l2 - l1) / (1 + 0.015 * pow(l - 50, 2) / sqrt(20 + pow(l - 50, 2))) AS lightness,
        (c2 - c1) / (1 + 0.045 * c) AS chroma,
        2 * sqrt(c1 * c2) * sin(radians(turn / 2)) / (1 + 0.015 * c * (
          1 - 0.17 * cos(radians(h - 30)) + 0.24 * cos(radians(2 * h)) + 0.32 * cos(radians(3 * h + 6))
            - 0.2 * cos(radians(4 * h - 63)))) AS hue
      FROM means
    )
  SELECT ref_id, id FROM steps
  WHERE 9999 IN (ref_id, id)
    OR sqrt(
      lightness * lightness + chroma * chroma + hue * hue
        - 2 * sqrt(pow(c, 7) / (pow(c, 7) + pow(25, 7))) * sin(radians(60 * exp(-pow((h - 275) / 25, 2))))
          * chroma * hue) <= 20
  ORDER BY ref_id, id;
CREATE INDEX similar_color_ids_ref_id ON similar_color_ids (ref_id);

CREATE VIEW similar_colors AS
  SELECT ref_id, ref.name AS ref_name, color.id, color.name, color.rgb, color.is_trans
  FROM similar_color_ids AS pair
    JOIN colors AS ref ON ref.id = ref_id
    JOIN colors AS color ON color.id = pair.id
  ORDER BY pair.rowid;

-- The parts of each set and its minifigs, from all versions of its inventories: of several, the largest quantity.
CREATE VIEW ___set_parts_for_stats AS
  SELECT set_num, year, part_num, color_id, max(quantity) AS quantity, min(img_url) AS img_url
  FROM (
    SELECT set_num, year, part_num, color_id, sum(times * part.quantity) AS quantity, min(img_url) AS img_url
    FROM (
      SELECT set_num, year, id AS version_id, id AS inventory_id, 1 AS times, 1 AS is_own
      FROM sets JOIN inventories USING (set_num)
      UNION ALL
      SELECT sets.set_num, year, version.id, minifig.id, quantity, 0
      FROM sets
        JOIN inventories AS version USING (set_num)
        JOIN inventory_minifigs ON inventory_id = version.id
        JOIN inventories AS minifig ON minifig.set_num = fig_num
    ) AS held
      JOIN inventory_parts AS part USING (inventory_id)
    WHERE NOT (is_own AND is_spare)
    GROUP BY version_id, part_num, color_id
  )
  GROUP BY set_num, part_num, color_id;

-- The catalog's columns ever_ have rb.db's counts. rb.db also counts spare parts and older versions of minifigs, of which
-- the snapshot of June 2020 has none.
--
-- Statistics by parts and colors. The image is an element's if there is one, otherwise LDraw's, otherwise a photo.
CREATE TABLE rb_part_color_stats (
  part_num TEXT NOT NULL REFERENCES parts,
  color_id INTEGER NOT NULL REFERENCES colors,
  num_sets INTEGER NOT NULL,
  min_year INTEGER NOT NULL,
  max_year INTEGER NOT NULL,
  num_parts INTEGER NOT NULL,
  img_url TEXT,
  PRIMARY KEY (part_num, color_id)
) STRICT, WITHOUT ROWID;
INSERT INTO rb_part_color_stats
  WITH
    held (id) AS MATERIALIZED (
      SELECT id FROM inventories JOIN sets USING (set_num)
      UNION ALL
      SELECT id FROM inventories WHERE set_num IN (
        SELECT fig_num FROM inventory_minifigs JOIN inventories ON inventories.id = inventory_id JOIN sets USING (set_num))
    ),
    images AS MATERIALIZED (
      SELECT part_num, color_id, min(img_url) AS img_url
      FROM inventory_parts
      WHERE NOT is_spare AND img_url IS NOT NULL AND inventory_id IN (SELECT id FROM held)
      GROUP BY +part_num, +color_id
    )
  SELECT part_num, color_id, ever_num_sets, ever_min_year, ever_max_year, ever_num_parts, img_url
  FROM part_color_stats LEFT JOIN images USING (part_num, color_id)
  WHERE ever_num_sets > 0;

-- Statistics by parts. The image is that of the color with the most pieces.
CREATE TABLE rb_part_stats (
  part_num TEXT PRIMARY KEY REFERENCES parts,
  num_sets INTEGER NOT NULL,
  min_year INTEGER NOT NULL,
  max_year INTEGER NOT NULL,
  num_parts INTEGER NOT NULL,
  img_url TEXT
) STRICT, WITHOUT ROWID;
INSERT INTO rb_part_stats
  SELECT part_num, ever_num_sets, ever_min_year, ever_max_year, ever_num_parts, (
      SELECT img_url FROM rb_part_color_stats AS one WHERE one.part_num = part_stats.part_num
      ORDER BY num_parts DESC, color_id LIMIT 1)
  FROM part_stats WHERE ever_num_sets > 0;

CREATE TABLE rb_color_stats (
  color_id INTEGER PRIMARY KEY REFERENCES colors,
  num_sets INTEGER NOT NULL,
  min_year INTEGER NOT NULL,
  max_year INTEGER NOT NULL,
  num_parts INTEGER NOT NULL
) STRICT;
INSERT INTO rb_color_stats
  SELECT color_id, ever_num_sets, ever_min_year, ever_max_year, ever_num_parts FROM color_stats WHERE ever_num_sets > 0;

-- Molds and alternates, each related to the current one: of all that are related through others, the one in the newest
-- set; then, of molds, the one that came last; then the one in most sets and minifigs; then the lowest number.
CREATE TABLE part_rels_resolved (
  rel_type TEXT NOT NULL CHECK (rel_type IN ('A', 'M')),
  child_part_num TEXT NOT NULL REFERENCES parts,
  parent_part_num TEXT NOT NULL REFERENCES parts
) STRICT;
INSERT INTO part_rels_resolved
  WITH RECURSIVE
    pairs (rel_type, part_num, other) AS MATERIALIZED (
      SELECT rel_type, child_part_num, parent_part_num FROM part_relationships WHERE rel_type IN ('A', 'M')
      UNION
      SELECT rel_type, parent_part_num, child_part_num FROM part_relationships WHERE rel_type IN ('A', 'M')
    ),
    related (rel_type, part_num, other) AS (
      SELECT rel_type, part_num, part_num FROM pairs
      UNION
      SELECT related.rel_type, related.part_num, pairs.other
      FROM related JOIN pairs ON pairs.rel_type = related.rel_type AND pairs.part_num = related.other
    ),
    groups AS MATERIALIZED (
      SELECT rel_type, part_num, min(other) AS first FROM related GROUP BY rel_type, part_num
    ),
    -- A number with each run of digits as ten digits, so that 9 comes before 10.
    numbers (part_num, rest, key, digits) AS (
      SELECT DISTINCT part_num, part_num, '', '' FROM groups
      UNION ALL
      SELECT part_num, substr(rest, 2),
        CASE
          WHEN rest GLOB '[0-9]*' OR digits = '' THEN key
          ELSE key || char(1) || printf('%010d', digits) || char(1)
        END || CASE WHEN rest GLOB '[0-9]*' THEN '' ELSE substr(rest, 1, 1) END,
        CASE WHEN rest GLOB '[0-9]*' THEN digits || substr(rest, 1, 1) ELSE '' END
      FROM numbers WHERE rest || digits <> ''
    ),
    uses (part_num, set_num, year) AS MATERIALIZED (
      SELECT part_num, inventories.set_num, year
      FROM groups JOIN inventory_parts AS part USING (part_num)
        JOIN inventories ON inventories.id = part.inventory_id
        JOIN sets USING (set_num)
      UNION
      SELECT part_num, inventories.set_num, year
      FROM groups JOIN inventory_parts AS part USING (part_num)
        JOIN inventories ON inventories.id = part.inventory_id
        JOIN inventory_minifigs ON fig_num = inventories.set_num
        JOIN inventories AS container ON container.id = inventory_minifigs.inventory_id
        JOIN sets ON sets.set_num = container.set_num
    ),
    measures AS MATERIALIZED (
      SELECT part_num, max(year) AS last, min(year) AS first, count(*) AS num FROM uses GROUP BY part_num
    ),
    ranks AS (
      SELECT groups.rel_type, groups.part_num,
        first_value(groups.part_num) OVER (
          PARTITION BY groups.rel_type, groups.first
          ORDER BY last DESC NULLS LAST, CASE groups.rel_type WHEN 'M' THEN measures.first END DESC, num DESC, key,
            groups.part_num
        ) AS current
      FROM groups
        JOIN numbers ON numbers.part_num = groups.part_num AND rest = '' AND digits = ''
        LEFT JOIN measures ON measures.part_num = groups.part_num
    )
  SELECT * FROM ranks WHERE part_num <> current ORDER BY rel_type, part_num;
CREATE UNIQUE INDEX part_rels_resolved_child ON part_rels_resolved (rel_type, child_part_num);

-- Relations that rb.db adds by its own rules, which the source files do not have: left empty, for other custom SQL to fill.
CREATE TABLE part_rels_extra (
  rel_type TEXT NOT NULL CHECK (rel_type IN ('A', 'B', 'M', 'P', 'R', 'T')),
  child_part_num TEXT NOT NULL,
  parent_part_num TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX part_rels_extra_child ON part_rels_extra (rel_type, child_part_num);

-- Without it, SQLite reads all uses of plain parts to find prints without an image.
CREATE INDEX rb_parts_without_image ON inventory_parts (part_num, color_id) WHERE img_url IS NULL;
