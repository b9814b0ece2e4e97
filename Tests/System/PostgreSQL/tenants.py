"""Load changed source files into a schema on which objects of others depend, night after night:

    python3 Tests/System PostgreSQL.tenants INGEST

INGEST was built with the trait PostgreSQL. After each night, the published rows are those of a file with the same source
files, the objects of others are unchanged and work, a subscriber on another server has the same rows, and a transaction
that began before still sees the old ones. Then the write-ahead log of a merge is compared with that of a swap.
"""
import os
import shutil

from PostgreSQL import loads
from support import ROOT, Server, expect, records, run, source_file, temporary_folder, wait_until

work = temporary_folder()
folder = work / "dumps"
PUBLISHED = ["sets", "inventories"]
# The rows of a table as one line.
ROWS = "SELECT md5(string_agg(t::text, ' ' ORDER BY t::text)) FROM rebrickable.{} AS t"
# What is in the schema itself belongs to others, too.
TENANTS = """
CREATE ROLE reader; GRANT USAGE ON SCHEMA rebrickable TO reader; GRANT SELECT ON rebrickable.sets TO reader;
GRANT SELECT (id, set_num) ON rebrickable.inventories TO reader;
CREATE FUNCTION rebrickable.is_old(bigint) RETURNS boolean LANGUAGE sql AS 'SELECT $1 < 2000';
ALTER TABLE rebrickable.sets ENABLE ROW LEVEL SECURITY;
CREATE POLICY old ON rebrickable.sets TO reader USING (rebrickable.is_old(year));
CREATE INDEX sets_of_years ON rebrickable.sets (year, name);
CREATE STATISTICS rebrickable.years_of_themes ON year, theme_id FROM rebrickable.sets;
CREATE VIEW rebrickable.old_sets WITH (security_barrier) AS SELECT * FROM rebrickable.sets WHERE year < 2000;
CREATE TABLE rebrickable.chosen (category_id bigint REFERENCES rebrickable.part_categories ON DELETE CASCADE);
INSERT INTO rebrickable.chosen SELECT id FROM rebrickable.part_categories;
COMMENT ON SCHEMA rebrickable IS 'bricks'; COMMENT ON INDEX rebrickable.sets_of_years IS 'of another';
COMMENT ON POLICY old ON rebrickable.sets IS 'of another';
CREATE SCHEMA tenants;
CREATE VIEW tenants.themes AS SELECT s.*, t.name AS theme FROM rebrickable.sets AS s
  JOIN rebrickable.themes AS t ON t.id = theme_id;
CREATE MATERIALIZED VIEW tenants.years AS SELECT year, count(*) FROM rebrickable.sets GROUP BY year;
CREATE TABLE tenants.owned (set_num text REFERENCES rebrickable.sets, color_id bigint REFERENCES rebrickable.colors);
INSERT INTO tenants.owned SELECT set_num, -1 FROM rebrickable.sets ORDER BY set_num LIMIT 50;
CREATE TABLE tenants.audit (action text, set_num text);
CREATE FUNCTION tenants.audit() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
  INSERT INTO tenants.audit VALUES (TG_OP, coalesce(NEW.set_num, OLD.set_num)); RETURN NULL; END $$;
CREATE TRIGGER audit AFTER INSERT OR UPDATE OR DELETE ON rebrickable.sets
  FOR EACH ROW EXECUTE FUNCTION tenants.audit();
CREATE TABLE tenants.all_colors (LIKE rebrickable.colors) PARTITION BY LIST (is_trans);
ALTER TABLE tenants.all_colors ATTACH PARTITION rebrickable.colors DEFAULT;
CREATE PUBLICATION mirrored FOR TABLE rebrickable.sets, rebrickable.inventories;
CREATE PUBLICATION whole FOR TABLES IN SCHEMA rebrickable;
"""


def change(night):
    """Change, add and remove a few records of some tables."""
    new, last = f"night-{night}-1", f"night-{night - 2}-1"

    def sets(lines):
        for line in lines[night:night + 3]:
            line["name"] += f" {night}"
        lines[60 + night]["year"] = str(1990 + night * 2)
        return [line for line in lines if line["set_num"] != last] + [lines[0] | {"set_num": new, "name": new}]

    def inventories(lines):
        # Four rows exchange the values of a unique key, in pairs and in a circle.
        for one, other in ((night, night + 20), (night + 40, night + 60), (night + 60, night + 80)):
            for column in "set_num", "version":
                lines[one][column], lines[other][column] = lines[other][column], lines[one][column]
        added = {"id": str(900000 + night), "version": "1", "set_num": new}
        return [line for line in lines if line["set_num"] != last] + [added]

    def inventory_parts(lines):
        for line in lines[night * 15:night * 15 + 15]:
            line["quantity"] = str(int(line["quantity"]) + night)
        del lines[-night]
        return lines + [lines[night] | {"inventory_id": str(900000 + night)}][:night % 2]

    def part_categories(lines):
        lines[night]["name"] += f" {night}"
        return lines

    for function in sets, inventories, part_categories:
        loads.rewrite(folder, function.__name__, function)
    removed = {str(900000 + night - 2)}
    loads.rewrite(folder, "inventory_parts", lambda lines: [
        line for line in inventory_parts(lines) if line["inventory_id"] not in removed])


def sets_in_files():
    return {line["set_num"]: line for line in records(source_file(folder, "sets"))}


def definitions():
    """All that the database has but rows, and the tables' identifiers."""
    dump = run("pg_dump", "--schema-only", "-h", server.folder, "-U", "postgres", "lego").stdout
    # Newer versions write a random word into the dump.
    lines = [line for line in dump.split("\n") if not line.startswith(("\\restrict", "\\unrestrict"))]
    return lines + [server.psql("SELECT oid, relname FROM pg_class WHERE relnamespace = 'rebrickable'::regnamespace "
                                "AND relkind IN ('r', 'v') ORDER BY oid")]


def subscribe(subscriber):
    subscriber.psql("CREATE SCHEMA rebrickable")
    for table, keys in zip(PUBLISHED, ("PRIMARY KEY (set_num)", "PRIMARY KEY (id), UNIQUE (set_num, version)")):
        columns = ", ".join(f'"{name}" {kind}' for name, kind in loads.types_in_server(table).items())
        subscriber.psql(f"CREATE TABLE rebrickable.{table} ({columns}, {keys})")
    subscriber.psql(f"CREATE SUBSCRIPTION mirror CONNECTION 'host={server.folder} dbname=lego user=postgres' "
                    "PUBLICATION mirrored")


def check_subscriber(subscriber):
    wait_until(lambda: subscriber.psql("SELECT bool_and(srsubstate = 'r') FROM pg_subscription_rel") == "t",
               "the subscriber does not start")
    end = server.psql("SELECT pg_current_wal_lsn()")
    wait_until(lambda: server.psql(f"SELECT replay_lsn >= '{end}' FROM pg_stat_replication "
                                   "WHERE application_name = 'mirror'") == "t", "the subscriber does not follow")
    for table in PUBLISHED:
        rows = ROWS.format(table)
        expect(subscriber.psql(rows) == server.psql(rows), f"the subscriber's {table} differ")


def check_tenants(before):
    after = sets_in_files()
    actions = [f"DELETE|{number}" for number in before if number not in after]
    actions += [f"INSERT|{number}" for number in after if number not in before]
    actions += [f"UPDATE|{number}" for number in after if number in before and before[number] != after[number]]
    found = server.psql("SELECT * FROM tenants.audit").split("\n")
    expect(sorted(found) == sorted(actions), f"the trigger saw {sorted(found)}, not {sorted(actions)}")
    server.psql("TRUNCATE tenants.audit; REFRESH MATERIALIZED VIEW tenants.years")
    old = sum(int(line["year"]) < 2000 for line in after.values())
    for query, expected in (
            ("SELECT sum(count) FROM tenants.years", len(after)), ("SELECT count(*) FROM tenants.themes", len(after)),
            ("SELECT count(*) FROM rebrickable.old_sets", old), ("SELECT count(*) FROM tenants.owned", 50),
            ("SELECT count(*) FROM tenants.all_colors", len(list(records(source_file(folder, "colors"))))),
            ("SELECT count(*) = (SELECT count(*) FROM rebrickable.part_categories) FROM rebrickable.chosen", "t"),
            ("SET ROLE reader; SELECT count(*) FROM rebrickable.sets", f"SET\n{old}")):
        found = server.psql(query)
        expect(found == str(expected), f"{query}: {found}, not {expected}")


def check_nights():
    subscriber = Server(work / "subscriber", "fsync=off")
    subscribe(subscriber)
    check_subscriber(subscriber)
    expected = definitions()
    for night in range(1, 11):
        before, reader = sets_in_files(), server.session()
        seen = [reader.ask(f"BEGIN ISOLATION LEVEL REPEATABLE READ; {ROWS.format('sets')};"),
                reader.ask(ROWS.format("inventories") + ";")]
        change(night)
        loads.compare_rows(str(folder), night % 3 + 1)
        for table, rows in zip(PUBLISHED, seen):
            expect(reader.ask(ROWS.format(table) + ";") == rows, f"an older transaction sees changed {table}")
            expect(server.psql(ROWS.format(table)) != rows, f"night {night} changed no {table}")
        reader.end("COMMIT;")
        found = definitions()
        expect(found == expected, f"night {night} changed {set(found) ^ set(expected)}")
        check_tenants(before)
        check_subscriber(subscriber)
    checked = run(loads.ingest, "check", server.uri()).stdout
    expect("no faults found" in checked and "added by another program: attachment to tenants.all_colors of table colors"
           in checked, f"a check finds {checked}")
    history = loads.load("--verbose", source=folder).stdout
    expect("no table changed" in history, f"a run without changes finds {history}")
    subscriber.psql("DROP SUBSCRIPTION mirror")
    subscriber.stop()
    print("postgresql: ten nights kept the objects of others")


def check_constraints():
    """Nothing is published if a foreign key of others refers to a removed row, or to one that exchanges unique values."""
    change(11)
    for table, rows, words in (
            ("sets", "SELECT set_num FROM rebrickable.sets WHERE set_num = 'night-9-1'", "violates foreign key constraint"),
            ("inventories", "SELECT id FROM rebrickable.inventories LIMIT 0", "violates unique constraint")):
        server.psql(f"CREATE TABLE tenants.kept AS {rows}; ALTER TABLE tenants.kept ADD FOREIGN KEY "
                    f"({rows.split()[1]}) REFERENCES rebrickable.{table}")
        loads.refused(f"a foreign key to {table}", 73, words, source=folder)
        server.psql("DROP TABLE tenants.kept")


def check_log():
    """A merge of a catalog with 1% changed rows writes less of the log than a swap."""
    keys = [line["part_num"] for line in records(source_file(folder, "parts"))]
    inventories = [line["id"] for line in records(source_file(folder, "inventories"))]
    loads.rewrite(folder, "inventory_parts", lambda lines: [
        lines[0] | {"inventory_id": inventory, "part_num": key} for inventory in inventories for key in keys])

    def load(*options):
        server.psql("VACUUM")
        server.psql("CHECKPOINT")
        start = server.psql("SELECT pg_current_wal_insert_lsn()")
        loads.load("--quiet", "--jobs", 1, *options, source=folder)
        return int(server.psql(f"SELECT pg_current_wal_insert_lsn() - '{start}'"))

    load()
    # A policy that cannot be copied and a table that cannot be read prevent a swap.
    server.psql("DROP POLICY old ON rebrickable.sets; DROP TABLE rebrickable.chosen; DROP PUBLICATION whole; "
                "ALTER TABLE tenants.all_colors DETACH PARTITION rebrickable.colors")
    written = {}
    for mode, *options in ("merge",), ("swap", "--keep-previous", "--allow-loss"):
        loads.rewrite(folder, "inventory_parts", lambda lines: [
            line | {"quantity": str(int(line["quantity"]) + 1)} if place % 100 == 0 else line
            for place, line in enumerate(lines)])
        written[mode] = load("--publish", mode, *options)
    expect(written["merge"] < written["swap"], f"the log has {written}")
    print(f"postgresql: 1% changed of {len(keys) * len(inventories):,} rows: "
          f"{written['merge']:,} bytes of log by a merge, {written['swap']:,} by a swap")


def main(ingest):
    global server
    server = Server(work / "server", "fsync=off", "wal_level=logical", "autovacuum=off")
    loads.ingest, loads.server = os.path.abspath(ingest), server
    for statement in loads.CREATION:
        server.psql(statement)
    shutil.copytree(ROOT / loads.FIXTURES, folder)
    loads.load("--quiet", source=folder)
    server.psql(TENANTS)
    if int(server.psql("SHOW server_version_num")) >= 180_000:
        # The rows of `search` are identified by all columns, also the generated one.
        loads.refused("a generated column", 73, "publish_generated_columns = stored", source=folder)
        server.psql("ALTER PUBLICATION whole SET (publish_generated_columns = stored)")
    check_nights()
    check_constraints()
    check_log()
    print(f"postgresql: {expect.count} checks of other users")
