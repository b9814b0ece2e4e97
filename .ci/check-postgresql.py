#!/usr/bin/env python3
"""Loads dumps into PostgreSQL as a new user would, and holds what is there against a catalogue in a file.

    .ci/check-postgresql.py INGEST [DUMPS...]

INGEST was built with the trait PostgreSQL. The server is one of its own, in a temporary folder and on a Unix
socket. Each table and view is read by psql and by Python's sqlite3, and their rows are compared. Then come runs that
must not publish anything, and do not; check-postgresql-faults.py has those that end half way.
"""

import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile

from postgresql_server import Server

ingest, folders = os.path.abspath(sys.argv[1]), sys.argv[2:]
work = tempfile.mkdtemp()
checks = 0


def expect(condition, what):
    global checks
    checks += 1
    if not condition:
        sys.exit(f"postgresql: {what}")


def run(*arguments, out=None):
    command = [ingest, *arguments, "--out", out or server.uri(), "--rejects", f"{work}/rejects"]
    return subprocess.run(command, capture_output=True, text=True, timeout=300)


def compared(catalog):
    """The names of the tables and views of a file, those left out in which it keeps its search and its provenance."""
    return [
        name for (name,) in catalog.execute("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') ORDER BY name")
        if not name.startswith(("ingest_", "search", "sqlite_"))
    ]


def rows_in_server(table, columns):
    """The rows as JSON, one in a line, without regard to their order."""
    booleans = server.psql("SELECT attname FROM pg_attribute WHERE atttypid = 'boolean'::regtype "
                           f"AND attrelid = 'rebrickable.{table}'::regclass").split("\n")
    listed = ", ".join(f'"{column}"::integer' if column in booleans else f'"{column}"' for column in columns)
    rows = server.psql(f'SELECT json_build_array({listed}) FROM rebrickable."{table}"')
    return sorted(rows.split("\n")) if rows else []


def compare_search(catalog, folder):
    """Asks both searches for each of the first words of names, without those that they take apart in different ways."""
    names = [name for (name,) in catalog.execute("SELECT name FROM search_entries ORDER BY id LIMIT 400")]
    for word in sorted({word for name in names for word in name.split() if re.fullmatch("[A-Za-z]{4,}", word)})[:100]:
        expected = {
            key for (key,) in catalog.execute("SELECT kind || ' ' || key FROM search WHERE search MATCH ?", [word])}
        found = server.psql("SELECT kind || ' ' || key FROM rebrickable.search "
                            f"WHERE search @@ websearch_to_tsquery('simple', '{word}')").split("\n")
        expect(set(found) == expected, f"{folder}: {word} is found {len(found)} times, {len(expected)} expected")


def compare(folder, *options, jobs=1):
    """Loads a folder into both, and compares."""
    path = f"{work}/catalog.sqlite"
    subprocess.run([ingest, "--source", folder, "--out", path, "--silent", *options], check=True)
    loaded = run("--source", folder, "--silent", "--jobs", str(jobs), *options)
    expect(loaded.returncode == 0, f"{folder}: {loaded.stderr}")
    catalog = sqlite3.connect(path)
    total = 0
    # What can be found has another name in the file than in the server.
    for table, name in [(table, table) for table in compared(catalog)] + [("search_entries", "search")]:
        columns = [row[1] for row in catalog.execute(f'PRAGMA table_info("{table}")') if row[1] != "id"
                   or table != "search_entries"]
        listed = ", ".join(f'"{column}"' for column in columns)
        rows = catalog.execute(f'SELECT {listed} FROM "{table}"')
        expected = sorted(json.dumps(row, ensure_ascii=False) for row in rows)
        found = rows_in_server(name, columns)
        expect(found == expected, f"{folder}: {name} differs: {len(found)} rows, {len(expected)} expected")
        total += len(found)
    compare_search(catalog, folder)
    for kind, count in (("p", 12), ("f", 10)):
        made = int(server.psql(
            "SELECT count(*) FROM pg_constraint AS c JOIN pg_namespace AS n ON n.oid = c.connamespace "
            f"WHERE n.nspname = 'rebrickable' AND contype = '{kind}' AND convalidated"))
        expect(made >= count, f"{made} constraints of kind {kind}")
    catalog.close()
    print(f"postgresql: {os.path.basename(folder)}: {total:,} rows as in a file, {jobs} at once")


def state():
    """What is published, by its rows."""
    return server.psql("SELECT count(*) FROM rebrickable.inventory_parts"), server.psql(
        "SELECT string_agg(nspname, ' ' ORDER BY nspname) FROM pg_namespace WHERE nspname LIKE 'rebrickable%'")


def refused(what, status, words, *arguments, out=None):
    before = state()
    failed = run(*arguments, out=out)
    expect(failed.returncode == status, f"{what}: status {failed.returncode}: {failed.stderr}")
    expect(words in failed.stderr, f"{what}: {failed.stderr}")
    expect("geheim" not in failed.stdout + failed.stderr, f"{what}: the password is told")
    expect(state() == before, f"{what}: {before} became {state()}")


server = Server(f"{work}/server", "fsync=off")
try:
    for jobs, folder in enumerate(folders, 2):
        absent = "no-inventory-parts" in folder
        compare(folder, *(["--allow-missing", "inventory_parts", "--max-shrink", "100%"] if absent else
                          ["--max-shrink", "100%"]), jobs=jobs)

    fixtures = "fixtures/dumps"
    for jobs in (1, 5):
        compare(fixtures, "--max-shrink", "100%", jobs=jobs)
    changed = run("--source", fixtures)
    expect("no table has changed" in changed.stdout, changed.stdout)
    server.psql("CREATE ROLE reader; GRANT USAGE ON SCHEMA rebrickable TO reader; "
                "GRANT SELECT ON rebrickable.sets TO reader")
    kept = run("--source", fixtures, "--keep-previous", "--silent")
    expect(kept.returncode == 0 and state()[1] == "rebrickable rebrickable__old", f"{kept.stderr} {state()}")
    expect(server.psql("SELECT has_table_privilege('reader', 'rebrickable.sets', 'SELECT')") == "t", "grants are lost")
    run("--source", fixtures, "--silent")
    expect(state()[1] == "rebrickable", f"{state()}")

    # Row security goes with the grants.
    server.psql("ALTER TABLE rebrickable.sets ENABLE ROW LEVEL SECURITY; "
                "CREATE POLICY few ON rebrickable.sets TO reader USING (year < 1990)")
    seen = "SET ROLE reader; SELECT count(*) FROM rebrickable.sets"
    few = server.psql(seen)
    expect(few not in ("SET\n0", server.psql("SET ROLE postgres; SELECT count(*) FROM rebrickable.sets")), few)
    secured = run("--source", fixtures, "--silent")
    expect(secured.returncode == 0 and server.psql(seen) == few, f"{secured.stderr} {few} became {server.psql(seen)}")
    server.psql("CREATE FUNCTION rebrickable.few(bigint) RETURNS boolean LANGUAGE sql AS 'SELECT $1 < 1990'; "
                "CREATE POLICY fewer ON rebrickable.sets AS RESTRICTIVE USING (rebrickable.few(year))")
    refused("a policy that cannot be carried over", 73, "the policy fewer of table sets needs function rebrickable.few",
            "--source", fixtures)
    server.psql("DROP POLICY fewer ON rebrickable.sets; DROP FUNCTION rebrickable.few")

    # What accepts nothing is told, and the file is one of the options that the schema was made with.
    with open(f"{work}/accepted.txt", "w") as file:
        file.write('value-unknown part_relationships.rel_type: "Y"\n')
    for jobs in "1", "3":
        accepting = run("--source", fixtures, "--accept", f"{work}/accepted.txt", "--jobs", jobs)
        expect(accepting.returncode == 0 and accepting.stderr.count("acceptance-unused: ") == 1
               and "line 1 accepts nothing" in accepting.stderr, accepting.stderr)
        given = server.psql("SELECT option, file_name FROM rebrickable.ingest_options")
        expect(given == "--accept|accepted.txt", f"the options are {given}")

    # The role of the runs owns nothing, but is a member of the role that does.
    server.psql("""CREATE ROLE owner; CREATE ROLE loader LOGIN BYPASSRLS; GRANT owner TO loader;
        GRANT CREATE ON DATABASE lego TO loader; ALTER SCHEMA rebrickable OWNER TO owner;
        DO $$ DECLARE name regclass; BEGIN
          FOR name IN SELECT oid FROM pg_class WHERE relnamespace = 'rebrickable'::regnamespace AND relkind IN ('r', 'v')
          LOOP EXECUTE format('ALTER TABLE %s OWNER TO owner', name); END LOOP; END $$""")
    for jobs in "1", "3":
        loaded = run("--source", fixtures, "--silent", "--jobs", jobs, out=server.uri("loader"))
        expect(loaded.returncode == 0, loaded.stderr)
        owners = server.psql("""SELECT DISTINCT pg_get_userbyid(relowner), pg_get_userbyid(nspowner) FROM pg_class
            JOIN pg_namespace AS n ON n.oid = relnamespace WHERE nspname = 'rebrickable' AND relkind IN ('r', 'v')""")
        expect(owners == "owner|owner", f"the owners are {owners}")

    # Without room for the session that looks at what is dropped, nothing is loaded.
    server.psql("ALTER ROLE loader CONNECTION LIMIT 1")
    refused("one connection", 73, "A run needs a second connection", "--source", fixtures, out=server.uri("loader"))
    server.psql("ALTER ROLE loader CONNECTION LIMIT 2")
    loaded = run("--source", fixtures, "--silent", out=server.uri("loader"))
    expect(loaded.returncode == 0, loaded.stderr)

    # A reader whose picture of the database is older than the rows would find all tables empty.
    reader = subprocess.Popen(["psql", "-AtXq", "-h", server.folder, "-U", "postgres", "lego"], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, text=True)

    def ask(statements):
        reader.stdin.write(statements + "\n")
        reader.stdin.flush()
        return reader.stdout.readline().rstrip("\n")

    ask("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1;")
    for jobs in "1", "3":
        refused("an older reader", 75, "would find the tables", "--source", fixtures, "--jobs", jobs)
    expect(ask("SELECT count(*) FROM rebrickable.inventory_parts;") == state()[0], "a reader finds a table empty")
    reader.communicate("COMMIT;\n")
    expect(run("--source", fixtures, "--silent").returncode == 0, "after the reader")

    # The question that the documentation asks.
    with open("Sources/ingest/ingest.docc/PostgreSQL.md") as file:
        question = re.search("```sql\n(.*?)```", file.read(), re.S)[1]
    server.psql("INSERT INTO rebrickable.search (kind, key, name) VALUES ('set', 'x-1', 'Technic Car')")
    expect(server.psql(question) == "set|x-1|Technic Car", f"the documented question finds {server.psql(question)}")
    server.psql("CREATE VIEW rebrickable.mine AS SELECT 1; CREATE INDEX mine_too ON rebrickable.sets (year, name)")
    unsearched = run("--source", fixtures, "--no-search")
    expect(unsearched.returncode == 0, unsearched.stderr)
    expect("objects-lost" in unsearched.stderr and "does not have: index mine_too of sets, view mine\n" in unsearched.stderr,
           f"what others have added is lost in silence: {unsearched.stderr}")
    expect(server.psql("SELECT to_regclass('rebrickable.search') IS NULL") == "t", "--no-search makes a search")

    # What must not happen, and does not.
    refused("rejects", 65, "rejects-over-limit", "--source", "fixtures/broken/missing-parent")
    before = state()
    shrunk = run("--source", "fixtures/broken/file-unknown")
    expect(shrunk.returncode == 65 and "catalog-shrunk" in shrunk.stderr, shrunk.stderr)
    expect(state() == (before[0], "rebrickable rebrickable__refused"), f"{state()}")
    server.psql("DROP SCHEMA rebrickable__refused CASCADE")
    server.psql("CREATE ROLE locked LOGIN PASSWORD 'offen'; CREATE ROLE nobody LOGIN")
    refused("a wrong password", 73, "password authentication failed", "--source", fixtures,
            out=server.uri("locked", "geheim"))
    refused("no permission", 73, "SQLSTATE 42501", "--source", fixtures, out=server.uri("nobody"))
    refused("no such database", 73, "does not exist", "--source", fixtures,
            out=server.uri().replace("/lego", "/duplo"))
    server.psql("ALTER ROLE nobody SUPERUSER; ALTER ROLE nobody SET statement_timeout = '1ms'")
    refused("a timeout", 74, "SQLSTATE 57014", "--source", fixtures, out=server.uri("nobody"))
    refused("a read-only session", 73, "default_transaction_read_only is on (source: client)", "--source", fixtures,
            out=server.uri() + "&options=-c%20default_transaction_read_only%3Don")
    # What is not read as its author thought.
    for uri in ("postgresql://loader:ge/heim@host/lego", "postgresql://loader:geheim@ss/word@host/lego",
                "postgresql://loader%3Ageheim@/lego?host=/none", "postgresql://host/lego?PASSWORD=geheim",
                "postgresql://host/lego?pass%77ord=geheim&x", "postgresql://host/lego?sslpassword=geheim&host=/none",
                "postgresql://loader:geheim@host:x/lego", "postgresql:/loader:geheim@host/lego",
                "POSTGRESQL://loader:geheim@host/lego", "postgresql:///lego?host=/none&password=geheim"):
        told = run("--source", fixtures, "--report", f"{work}/r.json", "--report", f"{work}/r.html",
                   "--metrics", f"{work}/m.prom", "--log-format", "json", "--verbose", out=uri)
        expect(told.returncode in (64, 73), f"{uri}: status {told.returncode}: {told.stderr}")
        for path in [name for name in ("r.json", "r.html", "m.prom") if os.path.exists(f"{work}/{name}")]:
            with open(f"{work}/{path}") as file:
                told.stdout += file.read()
        expect("heim" not in told.stdout + told.stderr, f"{uri}: the password is told: {told.stderr}")
    foreign = "CREATE SCHEMA gtfs; CREATE TABLE gtfs.mine (a int)"
    server.psql(foreign)
    refused("a schema of somebody else's", 73, "was not made by ingest", "--schema", "gtfs", "--source",
            "fixtures/gtfs/feed")

    # A description changes, and what is published is of the other one.
    for columns, rows, key, told in (
            ("id:integer a:string", ["1,7", "2,8"], "id", "published, clean"),
            ("id:integer a:integer", ["1,7", "2,9", "3,9"], "id", "t 2 3 1 0 1"),
            ("id:string a:number b:boolean", ["1,7,true", "2,7,true"], "id", "t 3 2 - - -"),
            ("id:string b:string", ["1,true", "2,false"], "id", "t 2 2 0 0 1"),
            ("id:string b:string", ["1,true", "2,false"], "b", "t 2 2 - - -")):
        fields = [dict(zip(("name", "type"), column.split(":"))) for column in columns.split()]
        with open(f"{work}/t.csv", "w") as file:
            file.write("\n".join([",".join(field["name"] for field in fields), *rows]) + "\n")
        with open(f"{work}/datapackage.json", "w") as file:
            json.dump({"resources": [{"name": "t", "path": "t.csv", "schema": {"fields": fields, "primaryKey": key}}]}, file)
        loaded = run("--schema", f"{work}/datapackage.json")
        expect(loaded.returncode == 0, f"{columns}: {loaded.stderr}")
        expect(told in " ".join(loaded.stdout.split()), f"{columns}: {loaded.stdout}")

    server.stop()
    gone = run("--source", fixtures)
    expect(gone.returncode == 73 and "Nothing was published" in gone.stderr, f"no server: {gone.returncode} {gone.stderr}")
    with open(f"{server.folder}/data/standby.signal", "w"):
        server.start()
    refused("a standby", 73, "The server is a standby", "--source", fixtures)
    server.psql("SELECT pg_promote()")
    expect(run("--source", fixtures, "--silent").returncode == 0, "after a restart")
    print(f"postgresql: {checks} checks, what must not be published was not")
finally:
    server.stop()
    shutil.rmtree(work, ignore_errors=True)
