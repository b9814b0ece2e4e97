"""Run custom SQL, dry runs, and the commands that read a database, on a PostgreSQL server:

    python3 Tests/System PostgreSQL.commands INGEST

INGEST was built with the trait PostgreSQL.
"""
import os
import shutil

from PostgreSQL import loads
from support import ROOT, Server, expect, run, temporary_folder

work = temporary_folder()
folder = work / "dumps"
script = work / "extra.sql"
SQL = """-- for readers
CREATE VIEW sets_of_years AS SELECT year, count(*) FROM sets GROUP BY year;
CREATE INDEX own ON sets (year, num_parts);
CREATE TABLE wanted (set_num text COLLATE "C" PRIMARY KEY REFERENCES sets, why text);
INSERT INTO wanted SELECT set_num, 'large' FROM sets WHERE num_parts > 500;
CREATE MATERIALIZED VIEW years AS SELECT * FROM sets_of_years;
"""
OBJECTS = ("SELECT string_agg(oid::text || relname, ' ' ORDER BY oid) FROM pg_class WHERE relkind IN ('r', 'v', 'm') "
           "AND relnamespace = 'rebrickable'::regnamespace")
ROWS = ("SELECT (SELECT md5(string_agg(w::text, ' ' ORDER BY w::text)) FROM rebrickable.wanted AS w), "
        "(SELECT md5(string_agg(y::text, ' ' ORDER BY y::text)) FROM rebrickable.years AS y)")
EXPECTED = ("SELECT (SELECT md5(string_agg(w::text, ' ' ORDER BY w::text)) FROM (SELECT set_num, 'large' "
            "FROM rebrickable.sets WHERE num_parts > 500) AS w), (SELECT md5(string_agg(y::text, ' ' ORDER BY y::text)) "
            "FROM (SELECT year, count(*) FROM rebrickable.sets GROUP BY year) AS y)")


def ingest(*words, status=0):
    outcome = run(command, *words, statuses=None)
    expect(outcome.returncode == status, f"{words}: status {outcome.returncode}: {outcome.stdout}{outcome.stderr}")
    return outcome.stdout + outcome.stderr


def load(*words, status=0):
    return ingest("--source", folder, "--out", address, "--rejects", work / "rejects", *words, status=status)


def change(night):
    def sets(lines):
        for line in lines[night:night + 5]:
            line["num_parts"], line["year"] = str(500 + night), str(1990 + night)
        return lines

    loads.rewrite(folder, "sets", sets)


def check_custom_sql():
    load("--sql", script)
    before = server.psql(OBJECTS)
    for night in range(3):
        change(night)
        expect("wanted" in load("--sql", script, "--publish", "merge"), "the table is not in the summary")
        expect(server.psql(OBJECTS) == before, "a merge has replaced objects")
        expect(server.psql(ROWS) == server.psql(EXPECTED), "the rows of custom SQL are wrong")
    reader = server.session()
    reader.ask("BEGIN; SELECT count(*) FROM rebrickable.ingest_schema, rebrickable.sets;")
    change(3)
    load("--sql", script, "--publish", "merge")
    reader.end("COMMIT;")
    recorded = server.psql("SELECT string_agg(type || ' ' || name, ', ' ORDER BY 1) FROM rebrickable.ingest_objects")
    expect(recorded == "index own, table wanted, view sets_of_years, view years", recorded)
    script.write_text(SQL.replace("> 500", "> 400"))
    load("--sql", script)
    expect(server.psql(OBJECTS) != before, "other SQL was merged")
    bad = work / "bad.sql"
    bad.write_text("SELECT 1;\n\nSELECT nmae FROM sets;\n")
    error = load("--sql", bad, status=65)
    expect(f"sql-failed: {bad}:3: statement 2: column \"nmae\" does not exist" in error, error)
    script.write_text(SQL)
    load("--sql", script)


def check_dry_run():
    before = server.psql(OBJECTS) + server.psql("SELECT count(*), max(oid) FROM pg_namespace")
    expect("would be published" in load("--sql", script, "--dry-run"), "the dry run is not clean")
    # There is no default folder for rejected records.
    ingest("--source", folder, "--out", address, "--sql", script, "--dry-run")
    server.psql("CREATE TABLE rebrickable.mine (a int)")
    refused = load("--dry-run", "--publish", "swap", "--sql", script, status=73)
    expect("table mine" in refused, refused)
    server.psql("DROP TABLE rebrickable.mine")
    after = server.psql(OBJECTS) + server.psql("SELECT count(*), max(oid) FROM pg_namespace")
    expect(before == after, "a dry run has changed something")
    other = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'"
    expect(server.psql(other) == "0", "a dry run has left a lock")


def check_if_changed():
    words = ["--sql", script, "--if-changed", "--verbose"]
    expect("unchanged" in load(*words), "it was loaded again")
    expect("unchanged" in load(*words), "it was loaded again")
    change(9)
    expect("the file has changed" in load(*words), "a changed file is not seen")
    expect("unchanged" in load(*words), "it was loaded again after a merge")
    for statement, reason in (
            ("UPDATE rebrickable.part_stats SET part_num = part_num", "the rows of part_stats"),
            ("DELETE FROM rebrickable.wanted", "the rows of wanted"),
            ("DROP VIEW rebrickable.where_used", "view column where_used")):
        server.psql(statement)
        output = load(*words)
        expect(reason in output, f"{statement}: {output}")
    server.psql("CREATE VIEW rebrickable.mine AS SELECT 1")
    expect("unchanged" in load(*words), "a view of others is a change")
    script.write_text(SQL + "-- more\n")
    expect("other custom SQL" in load(*words), "other SQL is not seen")


def check_reading():
    expect(ingest("check", address).endswith("no faults found\n"), "there are faults")
    expect("added by another program: view mine" in ingest("check", address), "the view is not listed")
    history = ingest("history", address + "#rebrickable")
    expect(len(history.splitlines()) > 4 and "clean" in history, history)
    catalog = work / "catalog.sqlite"
    run(command, "--source", folder, "--out", catalog, "--quiet")
    expect("the same rows" in ingest("diff", catalog, address), "the rows differ")
    for statement, subject in (
            ("UPDATE rebrickable.sets SET num_parts = -1, year = year - 1", "derived tables: part_color_stats"),
            ("ALTER TABLE rebrickable.sets DROP CONSTRAINT sets_year_check; UPDATE rebrickable.sets SET year = 1 "
             "WHERE set_num = (SELECT min(set_num) FROM rebrickable.sets)", "values: sets"),
            ("DELETE FROM rebrickable.themes", "references: sets"),
            ("DELETE FROM rebrickable.inventory_parts WHERE quantity = 1", "row counts: inventory_parts"),
            ("DELETE FROM rebrickable.search", "search: search"),
            ("DROP INDEX rebrickable.own", "schema: missing or changed: index of sets")):
        server.psql("SET session_replication_role = replica; " + statement)
        faults = ingest("check", "-q", address, status=65)
        expect(f"#rebrickable: {subject}" in faults, f"{statement}: {faults}")
    difference = ingest("diff", "--keys", catalog, address, status=1)
    expect("num_parts" in difference and "now -1" in difference and "themes (id)" in difference, difference)
    expect(not list(work.glob("ingest-*")), "a temporary file is left")


def check_family():
    ingest("--schema", "gtfs", "--source", ROOT / "fixtures/gtfs/feed", "--out", address, "--rejects", work / "r")
    expect("no faults found" in ingest("check", address + "#gtfs"), "there are faults")
    ingest("check", address + "#missing", status=66)


def main(binary):
    global command, server, address
    command = os.path.abspath(binary)
    server = Server(work / "server", "fsync=off")
    address = server.uri()
    os.environ["TMPDIR"] = str(work)
    shutil.copytree(ROOT / loads.FIXTURES, folder)
    script.write_text(SQL)
    check_custom_sql()
    check_dry_run()
    check_if_changed()
    check_reading()
    check_family()
    print(f"postgresql: {expect.count} checks of custom SQL and of commands")
