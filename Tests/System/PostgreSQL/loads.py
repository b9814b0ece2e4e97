"""Load source files into PostgreSQL as a new user would, and compare the result with a catalog in a file:

    python3 Tests/System PostgreSQL.loads INGEST [SOURCE...]

INGEST was built with the trait PostgreSQL. Each table and view is read by psql and by Python's sqlite3, and their rows
are compared. Then come runs that must not publish anything, and do not; PostgreSQL.faults has those that end half way.
The role of the runs is the documented one, with no other privilege. Loads through PgBouncer are skipped without it.
"""
import atexit
import csv
import json
import os
import re
import shutil
import subprocess

from support import (
    AS_NOBODY, ROOT, Server, column_types, differences, expect, open_catalog, records, rows, run as run_command,
    source_file, tables, temporary_folder, wait_until,
)

ARTICLE = (ROOT / "Sources/ingest/ingest.docc/PostgreSQL.md").read_text()
FIXTURES = "fixtures/dumps"
FEED = "fixtures/gtfs/feed"
# The statements that create the role.
CREATION = re.search("```sql\n(CREATE ROLE.*?)```", ARTICLE, re.S)[1].strip().split(";\n")
work = temporary_folder()


def run(*arguments, source=FIXTURES, out=None):
    return run_command(
        ingest, *(["--source", source] if source else []), "--out", out or server.uri("loader"),
        "--rejects", work / "rejects", *arguments, statuses=None)


def load(*arguments, **settings):
    """A run that must succeed."""
    loaded = run(*arguments, **settings)
    expect(loaded.returncode == 0, f"{arguments} {settings}: {loaded.stderr}")
    return loaded


def state():
    """The published rows, and the names of the schemas."""
    return server.psql("SELECT count(*) FROM rebrickable.inventory_parts"), server.psql(
        "SELECT string_agg(nspname, ' ' ORDER BY nspname) FROM pg_namespace WHERE nspname LIKE 'rebrickable%'")


def refused(what, status, words, *arguments, **settings):
    """A run that must fail with a status and a message, and publish nothing."""
    before = state()
    failed = run(*arguments, **settings)
    expect(failed.returncode == status, f"{what}: status {failed.returncode}: {failed.stderr}")
    expect(words in failed.stderr, f"{what}: {failed.stderr}")
    expect("geheim" not in failed.stdout + failed.stderr, f"{what}: the password is printed")
    expect(state() == before, f"{what}: {before} became {state()}")


# The text that a file has for a value of a type.
TEXTS = {
    "boolean": "{}::integer", "json": "{}::text", "date": "to_char({}, 'YYYY-MM-DD')",
    "time without time zone": "to_char({}, 'HH24:MI:SS')",
    "timestamp without time zone": "to_char({}, 'YYYY-MM-DD\"T\"HH24:MI:SS')",
    "timestamp with time zone": "to_char({} AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"')",
}


def types_in_server(table, schema="rebrickable"):
    lines = server.psql("SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute WHERE attnum > 0 "
                        f"AND attrelid = '{schema}.{table}'::regclass ORDER BY attnum").split("\n")
    return dict(line.split("|") for line in lines)


def rows_in_server(table, columns, schema="rebrickable"):
    types = types_in_server(table, schema)
    listed = ", ".join(TEXTS.get(types[column], "{}").format(f'"{column}"') for column in columns)
    lines = server.psql(f'SELECT json_build_array({listed}) FROM {schema}."{table}"').split("\n")
    found = [json.loads(line) for line in lines if line]
    # JSON has one type of numbers.
    reals = [place for place, column in enumerate(columns) if types[column] == "double precision"]
    for row in found:
        for place in reals:
            row[place] = None if row[place] is None else float(row[place])
    return found


def compare_search(catalog, folder):
    """Compare both searches for the first words of names, except words that they split differently."""
    names = [name for (name,) in catalog.execute("SELECT name FROM search_entries ORDER BY id LIMIT 400")]
    for word in sorted({word for name in names for word in name.split() if re.fullmatch("[A-Za-z]{4,}", word)})[:100]:
        expected = {
            key for (key,) in catalog.execute("SELECT kind || ' ' || key FROM search WHERE search MATCH ?", [word])}
        found = server.psql("SELECT kind || ' ' || key FROM rebrickable.search "
                            f"WHERE search @@ websearch_to_tsquery('simple', '{word}')").split("\n")
        expect(set(found) == expected, f"{folder}: {word} is found {len(found)} times, {len(expected)} expected")


def compare_rows(folder, jobs, *more, without=()):
    """Load a folder into both, and compare all rows but those of some views; return the catalog in the file."""
    options = ["--quiet", "--max-shrink", "100%"]
    options += ["--allow-missing", "inventory_parts"] if "no-inventory-parts" in folder else []
    run_command(ingest, "--source", folder, "--out", work / "catalog.sqlite", *options)
    load("--jobs", jobs, *options, *more, source=folder)
    catalog = open_catalog(work / "catalog.sqlite")
    total = 0
    # The table of the search entries has different names in file and server.
    compared = tables(catalog, ("table", "view"), ("ingest_", "search", "sqlite_", *without))
    for table, name in [*zip(compared, compared), ("search_entries", "search")]:
        columns = [column for column in column_types(catalog, table) if (table, column) != ("search_entries", "id")]
        found = rows_in_server(name, columns)
        faults = differences(name, rows(catalog, table, columns), found)
        expect(not faults, f"{folder}: {faults}")
        total += len(found)
    print(f"postgresql: {os.path.basename(folder)}: {total:,} rows as in a file, {jobs} jobs")
    return catalog


def compare(folder, jobs):
    compare_search(compare_rows(folder, jobs), folder)
    for kind, count in (("p", 12), ("f", 10)):
        made = int(server.psql(
            "SELECT count(*) FROM pg_constraint AS c JOIN pg_namespace AS n ON n.oid = c.connamespace "
            f"WHERE n.nspname = 'rebrickable' AND contype = '{kind}' AND convalidated"))
        expect(made >= count, f"{made} constraints of kind {kind}")


def check_previous_schema():
    # Columns of other collations and types have the same values.
    server.psql("ALTER TABLE rebrickable.minifigs ALTER name TYPE text COLLATE \"C\"; "
                "ALTER TABLE rebrickable.colors ALTER y1 TYPE bigint")
    changed = run()
    expect("no table changed" in changed.stdout, changed.stdout)
    server.psql("CREATE ROLE reader; GRANT USAGE ON SCHEMA rebrickable TO reader; "
                "GRANT SELECT ON rebrickable.sets TO reader")
    load("--keep-previous", "--quiet", "--publish", "swap")
    expect(state()[1] == "rebrickable rebrickable__old", f"{state()}")
    expect(server.psql("SELECT has_table_privilege('reader', 'rebrickable.sets', 'SELECT')") == "t", "grants are lost")
    run("--quiet", "--publish", "swap")
    expect(state()[1] == "rebrickable", f"{state()}")


def check_row_security():
    server.psql("ALTER TABLE rebrickable.sets ENABLE ROW LEVEL SECURITY; "
                "CREATE POLICY few ON rebrickable.sets TO reader USING (year < 1990)")
    seen = "SET ROLE reader; SELECT count(*) FROM rebrickable.sets"
    few = server.psql(seen)
    expect(few not in ("SET\n0", server.psql("SET ROLE postgres; SELECT count(*) FROM rebrickable.sets")), few)
    load("--quiet", "--publish", "swap")
    expect(server.psql(seen) == few, f"{few} became {server.psql(seen)}")
    server.psql("CREATE FUNCTION rebrickable.few(bigint) RETURNS boolean LANGUAGE sql AS 'SELECT $1 < 1990'; "
                "CREATE POLICY fewer ON rebrickable.sets AS RESTRICTIVE USING (rebrickable.few(year))")
    refused("a policy that cannot be copied", 73, "the policy fewer of table sets needs function rebrickable.few",
            "--publish", "swap", "--allow-loss")
    server.psql("DROP POLICY fewer ON rebrickable.sets; DROP FUNCTION rebrickable.few")


def check_suppression():
    """An unused suppression is reported, and its file is one of the options that the schema was made with."""
    (work / "suppressed.txt").write_text('value-unknown part_relationships.rel_type: "Y"\n')
    for jobs in 1, 3:
        errors = load("--suppress", work / "suppressed.txt", "--jobs", jobs).stderr
        expect(errors.count("acceptance-unused: ") == 1 and "line 1 matches no warning" in errors, errors)
        given = server.psql("SELECT option, file_name FROM rebrickable.ingest_options")
        expect(given == "--suppress|suppressed.txt", f"the options are {given}")


def check_privileges():
    """Each missing privilege is named before anything is loaded, with the statement that grants it."""
    server.psql("CREATE ROLE another")
    for statement, status, words in (
            ("REVOKE CONNECT ON DATABASE lego FROM loader", 73, "User does not have CONNECT privilege"),
            ("REVOKE CREATE ON DATABASE lego FROM loader", 73, "GRANT CREATE ON DATABASE lego TO loader"),
            ("ALTER SCHEMA rebrickable OWNER TO another", 73, "GRANT another TO loader")):
        server.psql(statement)
        refused(statement, status, words)
        server.psql(CREATION[1])
    server.psql("ALTER SCHEMA rebrickable OWNER TO loader; CREATE PUBLICATION everything FOR ALL TABLES")
    refused("a publication", 73, "All tables of the database are published, by everything")
    server.psql("DROP PUBLICATION everything")


def check_connections():
    """A run with --jobs N never has more than N + 1 connections, and has them from the start."""
    for jobs in 1, 3:
        server.psql(f"ALTER ROLE loader CONNECTION LIMIT {jobs}")
        statement = f"ALTER ROLE loader CONNECTION LIMIT {jobs + 1}"
        for what in f"{jobs} connections", "again":
            wait_until(lambda: server.psql("SELECT count(*) FROM pg_stat_activity WHERE usename = 'loader'") == "0",
                       "the session does not end")
            refused(what, 73, statement, "--jobs", jobs)
        server.psql(statement)
        for _ in range(5):
            wait_until(lambda: server.psql("SELECT count(*) FROM pg_stat_activity WHERE usename = 'loader'") == "0",
                       "the session does not end")
            load("--quiet", "--jobs", jobs)
    server.psql("ALTER ROLE loader CONNECTION LIMIT -1")


def check_poolers():
    """A pool of sessions is as good as the server; any other is refused, and other clients of it see no setting."""
    program = shutil.which("pgbouncer", path=f"/usr/sbin:{os.environ['PATH']}")
    if not program:
        print("postgresql: skipped the poolers: pgbouncer is not installed")
        return
    folder = work / "pooler"
    folder.mkdir()
    if AS_NOBODY:
        shutil.chown(folder, "nobody")
    out = f"postgresql://loader@/lego?host={folder}"
    for mode, size, words in (("session", 4, None), ("transaction", 1, "pool_mode = session"),
                              ("transaction", 4, "pool_mode = session"), ("statement", 4, "statement pooling mode")):
        (folder / "settings").write_text(
            f"[databases]\n* = host={server.folder} user=loader\n[pgbouncer]\nlisten_addr =\nauth_type = any\n"
            f"unix_socket_dir = {folder}\nlisten_port = 5432\npool_mode = {mode}\ndefault_pool_size = {size}\n")
        pooler = subprocess.Popen([*AS_NOBODY, program, "--quiet", folder / "settings"], stderr=subprocess.DEVNULL)
        atexit.register(pooler.kill)
        wait_until((folder / ".s.PGSQL.5432").exists, "the pooler does not start")
        for jobs in 1, 3:
            if words:
                refused(f"a pool with {mode}s", 73, words, "--jobs", jobs, out=out)
            else:
                load("--quiet", "--jobs", jobs, out=out)
        path = run_command("psql", "-AtXq", "-h", folder, "-c", "SHOW search_path", "lego").stdout
        expect(path == '"$user", public\n', f"the next client of the pool has the search_path {path}")
        pooler.terminate()
        pooler.wait()


def check_owner():
    """The role of the runs owns nothing, but is a member of the role that does."""
    server.psql("""CREATE ROLE owner; GRANT owner TO loader; ALTER SCHEMA rebrickable OWNER TO owner;
        DO $$ DECLARE name regclass; BEGIN
          FOR name IN SELECT oid FROM pg_class WHERE relnamespace = 'rebrickable'::regnamespace AND relkind IN ('r', 'v')
          LOOP EXECUTE format('ALTER TABLE %s OWNER TO owner', name); END LOOP; END $$""")
    for jobs in 1, 3:
        load("--quiet", "--jobs", jobs, "--publish", "swap")
        owners = server.psql("""SELECT DISTINCT pg_get_userbyid(relowner), pg_get_userbyid(nspowner) FROM pg_class
            JOIN pg_namespace AS n ON n.oid = relnamespace WHERE nspname = 'rebrickable' AND relkind IN ('r', 'v')""")
        expect(owners == "owner|owner", f"the owners are {owners}")


def check_older_reader():
    """A reader whose snapshot of the database is older than the rows would see all tables as empty."""
    reader = server.session()
    reader.ask("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1;")
    for jobs in 1, 3:
        refused("an older reader", 75, "would see the tables", "--jobs", jobs, "--publish", "swap")
    expect(reader.ask("SELECT count(*) FROM rebrickable.inventory_parts;") == state()[0], "a reader finds a table empty")
    reader.end("COMMIT;")
    load("--quiet")


def check_documented_question():
    question = re.search("```sql\n(SELECT.*?)```", ARTICLE, re.S)[1]
    server.psql("INSERT INTO rebrickable.search (kind, key, name) VALUES ('set', 'x-1', 'Technic Car')")
    found = server.psql(question)
    # The words of a theme count, too, but less than those of a name.
    themed = server.psql("""SELECT set_num FROM rebrickable.sets JOIN rebrickable.theme_paths AS themes
        ON themes.id = theme_id WHERE sets.name ~* '\\mcar\\M' AND path ~* '\\mtechnic\\M' ORDER BY 1""")
    keys = [line.split("|")[1] for line in found.splitlines()]
    expect(found.startswith("set|x-1|Technic Car\n") and sorted(keys[1:]) == themed.splitlines(),
           f"the documented query finds {found}, not the sets {themed}")
    server.psql("CREATE VIEW rebrickable.mine AS SELECT 1; CREATE INDEX mine_too ON rebrickable.sets (year, name)")
    refused("objects of others", 73, "would drop what others added to it. index mine_too of sets, view mine.", "--no-search")
    errors = load("--no-search", "--allow-loss").stderr
    expect("objects-lost" in errors and "not in the new one: index mine_too of sets, view mine\n" in errors,
           f"objects that others have added are lost without a warning: {errors}")
    expect(server.psql("SELECT to_regclass('rebrickable.search') IS NULL") == "t", "--no-search makes a search")


def check_refusals():
    refused("rejects", 65, "rejects-over-limit", source="fixtures/broken/missing-parent")
    before = state()
    shrunk = run(source="fixtures/broken/file-unknown")
    expect(shrunk.returncode == 65 and "catalog-shrunk" in shrunk.stderr, shrunk.stderr)
    expect(state() == (before[0], "rebrickable rebrickable__refused"), f"{state()}")
    server.psql("DROP SCHEMA rebrickable__refused CASCADE")
    server.psql("CREATE ROLE locked LOGIN PASSWORD 'offen'; CREATE ROLE nobody LOGIN; "
                "GRANT CONNECT ON DATABASE lego TO nobody")
    nobody = server.uri("nobody")
    refused("a wrong password", 73, "password authentication failed", out=server.uri("locked", "geheim"))
    refused("no permission", 73, "GRANT CREATE ON DATABASE lego TO nobody", out=nobody)
    refused("no such database", 73, "does not exist", out=server.uri("loader").replace("/lego", "/duplo"))
    server.psql("ALTER ROLE nobody SUPERUSER; ALTER ROLE nobody SET statement_timeout = '1ms'")
    refused("a timeout", 74, "SQLSTATE 57014", out=nobody)
    refused("a read-only session", 73, "default_transaction_read_only is on (source: client)",
            out=server.uri("loader") + "&options=-c%20default_transaction_read_only%3Don")
    server.psql("CREATE SCHEMA gtfs; CREATE TABLE gtfs.mine (a int)")
    refused("a foreign schema", 73, "was not made by ingest", "--schema", "gtfs", source=FEED)


def check_passwords():
    """No output has the password of a misread address."""
    for uri in ("postgresql://loader:ge/heim@host/lego", "postgresql://loader:geheim@ss/word@host/lego",
                "postgresql://loader%3Ageheim@/lego?host=/none", "postgresql://host/lego?PASSWORD=geheim",
                "postgresql://host/lego?pass%77ord=geheim&x", "postgresql://host/lego?sslpassword=geheim&host=/none",
                "postgresql://loader:geheim@host:x/lego", "postgresql:/loader:geheim@host/lego",
                "POSTGRESQL://loader:geheim@host/lego", "postgresql:///lego?host=/none&password=geheim"):
        files = [work / name for name in ("r.json", "r.html", "m.prom")]
        failed = run("--report", files[0], "--report", files[1], "--metrics", files[2], "--log-format", "json",
                     "--verbose", out=uri)
        expect(failed.returncode in (64, 73), f"{uri}: status {failed.returncode}: {failed.stderr}")
        written = [path.read_text() for path in files if path.exists()]
        expect("heim" not in "".join([failed.stdout, failed.stderr, *written]),
               f"{uri}: the password is printed: {failed.stderr}")


def check_changed_descriptions():
    for columns, lines, key, words in (
            ("id:integer a:string", ["1,7", "2,8"], "id", "published, clean"),
            ("id:integer a:integer", ["1,7", "2,9", "3,9"], "id", "t 2 3 1 0 1"),
            ("id:string a:number b:boolean", ["1,7,true", "2,7,true"], "id", "t 3 2 - - -"),
            ("id:string b:string", ["1,true", "2,false"], "id", "t 2 2 0 0 1"),
            ("id:string b:string", ["1,true", "2,false"], "b", "t 2 2 - - -")):
        fields = [dict(zip(("name", "type"), column.split(":"))) for column in columns.split()]
        (work / "t.csv").write_text("\n".join([",".join(field["name"] for field in fields), *lines]) + "\n")
        (work / "datapackage.json").write_text(json.dumps(
            {"resources": [{"name": "t", "path": "t.csv", "schema": {"fields": fields, "primaryKey": key}}]}))
        loaded = load("--schema", work / "datapackage.json", source=None)
        expect(words in " ".join(loaded.stdout.split()), f"{columns}: {loaded.stdout}")


def load_table(name, fields, lines, *options):
    """Load a table `t` that is described with these fields into a file and into a schema; return what the load prints."""
    with open(work / "t.csv", "w", newline="") as file:
        csv.writer(file).writerows([[field["name"] for field in fields], *lines])
    (work / "datapackage.json").write_text(json.dumps({"name": name, "resources": [
        {"name": "t", "path": "t.csv", "schema": {"fields": fields, "primaryKey": "id"}}]}))
    described = ["--schema", work / "datapackage.json", *options]
    run_command(ingest, *described, "--out", work / f"{name}.sqlite", "--quiet", "--rejects", work / "rejects")
    loaded = load(*described, source=None)
    return " ".join(loaded.stdout.split()), loaded.stderr


def compare_table(table, schema):
    catalog = open_catalog(work / f"{schema}.sqlite")
    columns = list(column_types(catalog, table))
    faults = differences(table, rows(catalog, table, columns), rows_in_server(table, columns, schema))
    expect(not faults, f"{schema}: {faults}")


def check_types():
    """The native types have what a file has as text, whatever the settings of the database."""
    server.psql("ALTER DATABASE lego SET datestyle = 'SQL, DMY'; ALTER DATABASE lego SET timezone = 'Asia/Kathmandu'")
    offset, bounds = "%Y-%m-%d %H:%M:%S%z", {"minimum": -32768, "maximum": 32767}
    columns = [
        ("id", "integer", {}, "bigint"), ("day", "date", {}, "date"),
        ("german", "date", {"format": "%d.%m.%Y"}, "date"),
        ("clock", "time", {"format": "%H:%M:%S"}, "time without time zone"),
        ("fine", "time", {"format": "%H:%M:%S.%f"}, "text"), ("any", "datetime", {}, "text"),
        ("local", "datetime", {"format": "%d.%m.%Y %H:%M"}, "timestamp without time zone"),
        ("moment", "datetime", {"format": offset}, "timestamp with time zone"),
        ("facts", "object", {}, "json"), ("list", "list", {"itemType": "integer"}, "json"),
        ("small", "integer", {"constraints": bounds}, "smallint"),
        ("medium", "integer", {"constraints": {"minimum": -2**31, "maximum": 2**31 - 1}}, "integer"),
        ("kind", "integer", {"constraints": {"enum": [3, 40000]}}, "integer"),
        ("flag", "boolean", {}, "boolean"), ("name", "string", {}, "text")]
    fields = [{"name": name, "type": kind} | more for name, kind, more, _ in columns]
    lines = [
        [1, "0001-01-01", "31.12.9999", "00:00:00", "00:00:00.123456789", "2024-02-29T12:00:00.1234567Z",
         "29.02.2000 23:59", "0001-01-01 14:00:00+14:00", ' {"a": 1,  "a": 2.50}', "1,2", -32768, -2**31, 3, "true", ""],
        [2, "9999-12-31", "01.01.0001", "23:59:59", "23:59:59.500", "2024-02-29T12:00:00", "01.01.1900 00:00",
         "9999-12-31 09:59:59-14:00", '{"b": "\\u0000 \\ud83d\\ude00 \\/"}', "", 32767, 2**31 - 1, 40000, "false", "é"],
        [3, "2024-02-29", "29.02.2024", "12:30:00", "12:30:00.000", "2024-02-29T24:00:00+01:00", "31.12.1999 12:00",
         "2000-03-01 00:30:00+01:00", "{}", "3", 0, 0, 3, "true", "x"],
        [4] + [""] * 14]
    load_table("typed", fields, lines)
    expect(types_in_server("t", "typed") == {name: kind for name, _, _, kind in columns}, types_in_server("t", "typed"))
    compare_table("t", "typed")
    # The same values as texts, as a description before may have had them, differ in nothing.
    stored = list(rows(open_catalog(work / "typed.sqlite"), "t"))
    texts = [{"name": name, "type": kind if kind in ("integer", "boolean") else "string"} for name, kind, *_ in columns]
    printed, _ = load_table("typed", texts, [["" if value is None else value for value in row] for row in stored])
    expect("t 4 4 0 0 0" in printed or "no table changed" in printed, printed)
    printed, _ = load_table("typed", fields, lines)
    expect("t 4 4 0 0 0" in printed or "no table changed" in printed, printed)
    lines[2][8] = '{ }'
    lines[1][7] = "9999-12-31 09:59:58-14:00"
    printed, _ = load_table("typed", fields, lines)
    expect("t 4 4 0 0 2" in printed, printed)
    compare_table("t", "typed")


def check_changed_types():
    """Causes of unusual changes are found in dates, times and JSON, too."""
    fields = [{"name": "id", "type": "integer"}, {"name": "facts", "type": "object"},
              {"name": "moment", "type": "datetime", "format": "%Y-%m-%dT%H:%M:%S%z"}]
    load_table("changed", fields, [
        [number, f'{{"n": {number}}}', f"2024-01-{number % 28 + 1:02}T00:00:{number % 60:02}Z"] for number in range(300)])
    lines = [[number, '{"\\u0000": 1, "\\u0000": 2}', "2024-01-01T00:00:00Z"] for number in range(300)]
    for _ in range(2):
        _, errors = load_table("changed", fields, lines)
        for text in ("facts is ", "moment is "):
            expect(text in errors and "in 100% of the rows of t" in errors, f"{text} is missing: {errors}")
    compare_table("t", "changed")


def check_feeds():
    """Feeds have dates in keys."""
    for feed in [FEED, *feeds]:
        described = ["--schema", "gtfs", "--quiet", "--rejects", work / "rejects"]
        run_command(ingest, "--source", feed, "--out", work / "gtfs.sqlite", *described)
        load("--schema", "gtfs", "--quiet", source=feed)
        for table in tables(open_catalog(work / "gtfs.sqlite"), without=("ingest_", "sqlite_")):
            compare_table(table, "gtfs")
        expect(types_in_server("calendar_dates", "gtfs") == {
            "service_id": "text", "date": "date", "exception_type": "smallint"}, "the types of calendar_dates")
        (work / "gtfs.sqlite").unlink()
        server.psql("DROP SCHEMA gtfs CASCADE")


def rewrite(folder, table, change):
    """Change the list of a table's records in a folder of source files."""
    path = source_file(folder, table)
    lines = change(list(records(path)))
    os.remove(path)
    with open(folder / f"{table}.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, lines[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(lines)


def check_unusual_changes():
    """Warnings about unusual changes last until their cause is gone, whatever somebody has written into the history."""
    folder = work / "damaged"
    shutil.copytree(ROOT / FIXTURES, folder)
    # Without the warnings that last from the loads before.
    server.psql("DROP SCHEMA rebrickable CASCADE")
    load("--quiet")

    def damage(table, column, change):
        rewrite(folder, table, lambda lines: [line | {column: change(line[column])} for line in lines])

    damage("parts", "name", lambda name: "#N/A")
    damage("minifigs", "name", lambda name: name.encode().decode("latin-1"))
    damage("inventory_parts", "quantity", lambda quantity: "1")
    last = "SELECT max(run) FROM rebrickable.ingest_history"

    def check_warnings(since):
        errors = load("--quiet", source=folder).stderr
        for text in (
                f"name is \"#N/A\" in 100% of the rows of parts, up from 0% in run {since}",
                "quantity is 1 in 100% of the rows of inventory_parts, up from 46.8%",
                "name is encoded twice as UTF-8 in ",
                f"column-constant parts.name: as of run {since + 1}"):
            expect(text in errors, f"{text} is missing: {errors}")
        expect(int(server.psql(last)) == since + 1, "equal source files are another run")

    latest = int(server.psql(last))
    file = work / "same.sqlite"
    load("--quiet", out=file)

    def warnings(*arguments, **settings):
        """The warnings of a run, without the name of its output."""
        errors = load("--quiet", *arguments, source=folder, **settings).stderr
        return re.findall(r"^  [a-z]+(?:-[a-z]+)+: \S+: (.*)", errors, re.M)

    found = [warnings(*arguments, out=out) for arguments in (["--dry-run"], []) for out in (file, None)]
    expect(len(found[0]) == 3 and all(list == found[0] for list in found), f"the warnings differ: {found}")
    check_warnings(latest)
    restored = load().stdout
    expect("published, clean" in restored, f"the values are back, and the warning is not gone: {restored}")
    changed = run("--max-change", "parts=50%", source=folder)
    expect(changed.returncode == 65 and "catalog-changed: " in changed.stderr, changed.stderr)
    check_warnings(latest + 2)
    for sample in "x y", "abc", "1\t2", "":
        server.psql(f"UPDATE rebrickable.ingest_baseline SET sample = '{sample}'")
        load("--quiet", source=folder)


def check_absent_and_standby_server():
    server.stop()
    gone = run()
    expect(gone.returncode == 73 and "Nothing was published" in gone.stderr, f"no server: {gone.returncode} {gone.stderr}")
    (server.folder / "data/standby.signal").touch()
    server.start()
    refused("a standby", 73, "The server is a standby")
    server.psql("SELECT pg_promote()")
    load("--quiet")


def main(command, *folders):
    global ingest, server, feeds
    ingest, server = os.path.abspath(command), Server(work / "server", "fsync=off")
    server.psql("REVOKE ALL ON DATABASE lego FROM PUBLIC")
    for statement in CREATION:
        server.psql(statement)
    feeds = [folder for folder in folders if os.path.basename(folder).startswith("gtfs-")]
    folders = [folder for folder in folders if folder not in feeds]
    for jobs, folder in [*enumerate(folders, 2), (1, FIXTURES), (5, FIXTURES)]:
        compare(folder, jobs)
    for check in (
        check_previous_schema, check_row_security, check_suppression, check_privileges, check_connections,
        check_poolers, check_owner, check_older_reader,
        check_documented_question, check_types, check_changed_types, check_feeds, check_refusals, check_passwords,
        check_changed_descriptions, check_unusual_changes, check_absent_and_standby_server,
    ):
        check()
    print(f"postgresql: {expect.count} checks; no failed load was published")
