"""Load into a schema of a server that belongs to others, who lock, break and restrict what the run uses:

    python3 Tests/System PostgreSQL.guests INGEST

INGEST was built with the trait PostgreSQL. PostgreSQL.tenants has the objects of others that a night must keep.
"""
import atexit
import json
import os
import shutil
import subprocess
import time

from PostgreSQL import loads
from support import AS_NOBODY, ROOT, Server, expect, run, temporary_folder, wait_until

work = temporary_folder()
folder = work / "dumps"


def change():
    """Change every 50th row of some tables."""
    for table, column in ("colors", "name"), ("sets", "name"), ("inventory_parts", "quantity"):
        def changed(text):
            return str(int(text) % 1000 + 1) if column == "quantity" else text + "1"
        loads.rewrite(folder, table, lambda lines: [
            line | {column: changed(line[column])} if place % 50 == 0 else line for place, line in enumerate(lines)])


def merge(*options, **settings):
    return loads.load("--quiet", "--publish", "merge", *options, source=folder, **settings)


def refused(what, status, words, *options, **settings):
    loads.refused(what, status, words, "--publish", "merge", *options, source=folder, **settings)


def start(*options):
    return subprocess.Popen(
        [loads.ingest, "--source", folder, "--out", server.uri("loader"), "--rejects", work / "rejects", "--quiet",
         "--publish", "merge", *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def ended(process, status, *words):
    _, errors = process.communicate(timeout=3600)
    expect(process.returncode == status, f"status {process.returncode}: {errors}")
    for word in words:
        expect(word in errors, f"{word} is missing: {errors}")


def check_locks():
    """A run that waits for a table holds up nobody, whatever the order of locks, and names the processes that it waits for."""
    change()
    # Without it, the server hides since when, and the statement.
    server.psql("GRANT pg_read_all_stats TO loader")
    for seconds, status in (2, 0), (9, 75):
        tenant, number = server.session(), server.psql("SELECT max(run) FROM rebrickable.ingest_history")
        tenant.ask("SET application_name = 'shop'; BEGIN; UPDATE rebrickable.inventory_parts SET quantity = 1 "
                   "WHERE false; SELECT 1;")
        process, start_time = start("--wait", "7"), time.monotonic()
        wait_until(lambda: server.psql("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'ingest' "
                                       "AND query ~ '^LOCK TABLE|pg_sleep'") != "0", "the run does not wait")
        longest, end = 0, time.monotonic() + seconds
        while time.monotonic() < end and process.poll() is None:
            before = time.monotonic()
            server.psql("UPDATE rebrickable.colors SET name = name WHERE false; DELETE FROM rebrickable.sets WHERE false")
            longest = max(longest, time.monotonic() - before)
        # In the other order, this would be a deadlock.
        tenant.ask("SET lock_timeout = '3s'; UPDATE rebrickable.colors SET name = name WHERE false; SELECT 1;")
        tenant.end("COMMIT;")
        ended(process, status, *(
            ["of postgres (shop), in a transaction since ", ", locks rebrickable.inventory_parts: idle in transaction",
             "--wait SECONDS"] if status else []))
        expect(longest < 1, f"a writer waits {longest:.1f} s")
        expect((server.psql("SELECT max(run) FROM rebrickable.ingest_history") != number) == (status == 0), "the history")
        expect(status == 0 or time.monotonic() - start_time > 7, "the run does not wait")
        change()
    server.psql("REVOKE pg_read_all_stats FROM loader")


def check_maintenance():
    """An autovacuum makes way; those of a user are named."""
    change()
    slow = "SET vacuum_cost_delay = 100; SET vacuum_cost_limit = 1; "
    for statement, words in ((slow + "VACUUM rebrickable.inventory_parts;", ": VACUUM"),
                             ("CREATE INDEX CONCURRENTLY slow ON rebrickable.inventory_parts (quantity);", ": CREATE INDEX")):
        reader, user = server.session(), server.session()
        reader.ask("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM rebrickable.inventory_parts;")
        user.process.stdin.write(statement + "\n")
        user.process.stdin.flush()
        wait_until(lambda: server.psql(
            "SELECT count(*) FROM pg_locks WHERE mode = 'ShareUpdateExclusiveLock' "
            "AND relation = 'rebrickable.inventory_parts'::regclass") != "0", f"{statement} does not begin")
        refused(statement, 75, words)
        server.psql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query ~ '^(VACUUM|CREATE INDEX)'")
        for session in reader, user:
            session.process.communicate()
    server.psql("DROP INDEX IF EXISTS rebrickable.slow; ALTER TABLE rebrickable.inventory_parts SET ("
                "autovacuum_vacuum_cost_delay = 100, autovacuum_vacuum_cost_limit = 1, autovacuum_vacuum_threshold = 1, "
                "autovacuum_vacuum_scale_factor = 0)")
    server.psql("UPDATE rebrickable.inventory_parts SET quantity = quantity")
    vacuum = ("SELECT count(*) FROM pg_stat_progress_vacuum WHERE relid = 'rebrickable.inventory_parts'::regclass")
    wait_until(lambda: server.psql(vacuum) == "1", "no autovacuum")
    merge()
    server.psql("ALTER TABLE rebrickable.inventory_parts RESET (autovacuum_vacuum_cost_delay, "
                "autovacuum_vacuum_cost_limit, autovacuum_vacuum_threshold, autovacuum_vacuum_scale_factor)")


def check_code():
    """A fault in the code of others is not one of ingest; the message names the code, and the search path if a name is missing."""
    change()
    server.psql("""CREATE TABLE log (words text);
        CREATE FUNCTION shop.helper(text) RETURNS text IMMUTABLE LANGUAGE sql AS 'SELECT left($1, 3)';
        CREATE FUNCTION shop.short(text) RETURNS text IMMUTABLE LANGUAGE plpgsql SET search_path = shop
          AS 'BEGIN RETURN helper($1); END';
        CREATE FUNCTION shop.shorter(text) RETURNS text IMMUTABLE LANGUAGE sql SET search_path = shop
          AS 'SELECT helper($1)';
        CREATE FUNCTION shop.log() RETURNS trigger LANGUAGE plpgsql
          AS 'BEGIN INSERT INTO log VALUES (NEW.name); RETURN NULL; END';
        CREATE FUNCTION shop.divide() RETURNS trigger LANGUAGE plpgsql
          AS 'BEGIN PERFORM 1 / (length(NEW.name) - length(NEW.name)); RETURN NULL; END';
        CREATE FUNCTION shop.log_all() RETURNS event_trigger LANGUAGE plpgsql
          AS 'BEGIN INSERT INTO log VALUES (tg_tag); END'""")
    trigger = "TRIGGER guest AFTER UPDATE ON rebrickable.sets FOR EACH ROW EXECUTE FUNCTION shop."
    path = "The search path of a run is pg_catalog, pg_temp"
    for creation, removal, words in (
            (f"CREATE {trigger}log()", "DROP TRIGGER guest ON rebrickable.sets", ("function shop.log()", path)),
            (f"CREATE {trigger}divide()", "DROP TRIGGER guest ON rebrickable.sets", ("function shop.divide()", "division")),
            ("CREATE INDEX guest ON rebrickable.sets (shop.short(name)); ALTER FUNCTION shop.short RESET search_path",
             "DROP INDEX rebrickable.guest", ("function shop.short(text)", path)),
            ("CREATE INDEX guest ON rebrickable.sets (shop.shorter(name)); ALTER FUNCTION shop.shorter RESET search_path",
             "DROP INDEX rebrickable.guest", ('function "shorter"', path)),
            ("CREATE EVENT TRIGGER guest ON ddl_command_end EXECUTE FUNCTION shop.log_all()", "DROP EVENT TRIGGER guest",
             ("function shop.log_all()", path))):
        server.psql(creation)
        for word in words:
            refused(creation, 73, word)
        server.psql(removal)
    # A tenant's own table with row security.
    server.psql(f"""CREATE TABLE shop.seen (name text, owner text DEFAULT current_user);
        GRANT ALL ON shop.seen TO loader; ALTER TABLE shop.seen ENABLE ROW LEVEL SECURITY;
        CREATE POLICY own ON shop.seen USING (owner = current_user);
        CREATE FUNCTION shop.see() RETURNS trigger LANGUAGE plpgsql
          AS 'BEGIN INSERT INTO shop.seen VALUES (NEW.name); RETURN NULL; END';
        CREATE {trigger}see()""")
    merge()
    expect(server.psql("SELECT count(*) > 1 FROM shop.seen") == "t", "the trigger has seen nothing")
    server.psql("DROP TRIGGER guest ON rebrickable.sets")


def check_statistics():
    """A merge that changes half of the rows gathers their statistics, and one that changes few does not."""
    server.psql("ALTER TABLE rebrickable.parts SET (autovacuum_enabled = off)")
    server.psql("SELECT pg_stat_reset()")
    for share, expected in (50, "0"), (2, "1"):
        loads.rewrite(folder, "parts", lambda lines: [
            line | {"name": line["name"] + "z"} if place % share == 0 else line for place, line in enumerate(lines)])
        merge()
        # The session of the run has ended, and with it the counts are known.
        wait_until(lambda: server.psql("SELECT count(*) FROM pg_stat_activity WHERE usename = 'loader'") == "0", "the end")
        found = server.psql("SELECT pg_stat_get_analyze_count('rebrickable.parts'::regclass)")
        expect(found == expected, f"1/{share} of the rows changed: analyzed {found} times, {expected} expected")
    server.psql("ALTER TABLE rebrickable.parts RESET (autovacuum_enabled)")


def check_required_column():
    """A column of others that a new row cannot have is found before anything is loaded."""
    server.psql("CREATE FUNCTION shop.fill() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.note = 1; RETURN NEW; END'; "
                "ALTER TABLE rebrickable.sets ADD note int DEFAULT 0 NOT NULL, ADD more int GENERATED ALWAYS AS IDENTITY; "
                "ALTER TABLE rebrickable.sets ALTER note DROP DEFAULT")
    change()
    refused("a required column", 73, "NOT NULL without a default: sets.note.")
    loads.refused("auto", 73, "NOT NULL without a default: sets.note.", source=folder)
    server.psql("CREATE TRIGGER fill BEFORE INSERT ON rebrickable.sets FOR EACH ROW EXECUTE FUNCTION shop.fill()")
    merge()
    server.psql("DROP TRIGGER fill ON rebrickable.sets; ALTER TABLE rebrickable.sets ALTER note SET DEFAULT 0")
    change()
    merge()
    server.psql("ALTER TABLE rebrickable.sets DROP note, DROP more")


def described(columns, rows, *options):
    """Load a table that a description of these columns has."""
    (work / "t.csv").write_text("\n".join([",".join(column.split(":")[0] for column in columns), *rows]) + "\n")
    fields = []
    for column in columns:
        field, kind, *more = column.split(":")
        fields.append({"name": field, "type": kind, "constraints": {"required": True, "minimum": 0} if more else {}})
    fields[-1]["description"] = "the last"
    (work / "datapackage.json").write_text(json.dumps({"name": "shelf", "resources": [
        {"name": "t", "path": "t.csv", "schema": {"fields": fields, "primaryKey": "id", "uniqueKeys": [["a"]]}}]}))
    return loads.run("--schema", work / "datapackage.json", *options, source=None)


def check_completion():
    """A merge adds what the published tables lack, so that the views of others live on."""
    def published(what, mode, *load):
        ended = described(*load)
        expect(ended.returncode == 0 and mode in ended.stdout, f"{what}: {ended.stdout}{ended.stderr}")

    def view():
        return server.psql("SELECT count(*) FROM shop.shelf")

    first = ["id:integer", "a:string"], ["1,x", "2,y"]
    published("a first load", "", *first)
    server.psql("CREATE VIEW shop.shelf AS SELECT id, a FROM shelf.t; GRANT SELECT ON shelf.t TO public")
    # The new columns are the first.
    wide = ["n:integer:required", "id:integer", "b:string", "a:string"], ["7,1,,x", "8,2,q,z", "9,3,r,w"]
    reader = server.session()
    reader.ask("SET application_name = 'shop'; BEGIN; SELECT count(*) FROM shelf.t;")
    failed = described(*wide)
    expect(failed.returncode == 75 and "(shop), locks shelf.t" in failed.stderr, failed.stderr)
    expect(reader.ask("SELECT count(*) FROM shelf.t;") == "2", "a reader waits")
    reader.end("COMMIT;")
    dry = described(*wide, "--dry-run")
    expect(dry.returncode == 0 and "merge, since the published tables only lack" in dry.stdout, dry.stdout + dry.stderr)
    published("new columns", "merge, since the published tables only lack column t.b text COLLATE "
              "default, column t.n bigint, column t.n NOT NULL, constraint of t: CHECK", *wide)
    expect(view() == "3", f"the view has {view()} rows")
    found = server.psql("SELECT string_agg(concat_ws(',', n, id, b, a), ' ' ORDER BY id) FROM shelf.t")
    expect(found == "7,1,x 8,2,q,z 9,3,r,w", found)
    server.psql("INSERT INTO shelf.t (id, n) VALUES (9, 1); DELETE FROM shelf.t WHERE id = 9")
    for statement, part in (
            ("ALTER TABLE shelf.t DROP CONSTRAINT t_a_key", "constraint of t: UNIQUE (a)"),
            ("ALTER TABLE shelf.t DROP CONSTRAINT t_pkey", "constraint of t: PRIMARY KEY (id)"),
            ("ALTER TABLE shelf.t DROP COLUMN b", "column t.b text"),
            ("ALTER TABLE shelf.t ALTER n DROP NOT NULL", "column t.n NOT NULL")):
        server.psql(statement)
        published(statement, f"only lack {part}", *wide)
        expect(server.psql("SELECT string_agg(concat_ws(',', n, id, b, a), ' ' ORDER BY id) FROM shelf.t") == found, statement)
    checked = run(loads.ingest, "check", server.uri() + "#shelf").stdout
    expect("no faults found" in checked, checked)
    file = work / "shelf.sqlite"
    run(loads.ingest, "--schema", work / "datapackage.json", "--out", file, "--rejects", work / "r", "--quiet")
    compared = run(loads.ingest, "diff", file, server.uri() + "#shelf").stdout
    expect("the same rows" in compared, compared)
    # Neither a merge nor a swap is possible: the message names what others have changed, and what they have built.
    for statement, reversal, *words in (
            ("ALTER TABLE shelf.t DROP CONSTRAINT t_a_key; INSERT INTO shelf.t (id, n, a) VALUES (1, 7, 'x')",
             "DELETE FROM shelf.t AS t USING shelf.t AS o WHERE t.id = o.id AND t.ctid > o.ctid", "Key (id)=(1) is duplicated"),
            ("ALTER TABLE shelf.t ADD PRIMARY KEY (id, n)", "ALTER TABLE shelf.t DROP CONSTRAINT t_pkey",
             "rows cannot be merged: constraint of t: PRIMARY KEY (id)", "view shop.shelf"),
            ("ALTER TABLE shelf.t ALTER b TYPE varchar(9)", "ALTER TABLE shelf.t ALTER b TYPE text",
             "rows cannot be merged: column t.b text", "view shop.shelf")):
        server.psql(f"ALTER TABLE shelf.t DROP CONSTRAINT t_pkey; {statement}")
        failed = described(*wide)
        for word in words:
            expect(failed.returncode == 73 and word in failed.stderr, f"{statement}: {failed.stdout}{failed.stderr}")
        server.psql(reversal)
        published(reversal, "PRIMARY KEY (id)", *wide)
    # A subscriber that lacks a column would stop.
    server.psql("CREATE PUBLICATION shelf FOR TABLE shelf.t")
    more = [*wide[0], "c:string"], [row + "," for row in wide[1]]
    failed = described(*more)
    expect(failed.returncode == 73 and "publication shelf" in failed.stderr, failed.stderr)
    expect(described(*more, "--publish", "merge").returncode == 0, "a requested merge")
    # Others use the name of a new column.
    server.psql("DROP PUBLICATION shelf; ALTER TABLE shelf.t ADD d text")
    failed = described([*more[0], "d:string"], [row + ",1" for row in more[1]], "--publish", "merge")
    expect(failed.returncode == 73 and "rows cannot be merged" in failed.stderr, failed.stderr)
    server.psql("DROP VIEW shop.shelf; DROP SCHEMA shelf CASCADE")


def check_small_pool():
    """A pool with a session less than a run needs says so in seconds."""
    program = shutil.which("pgbouncer", path=f"/usr/sbin:{os.environ['PATH']}")
    if not program:
        print("postgresql: skipped the small pool: pgbouncer is not installed")
        return
    pool = work / "pooler"
    pool.mkdir()
    if AS_NOBODY:
        shutil.chown(pool, "nobody")
    for size in 1, 2, 3, 4:
        (pool / "settings").write_text(
            f"[databases]\n* = host={server.folder} user=loader\n[pgbouncer]\nlisten_addr =\nauth_type = any\n"
            f"unix_socket_dir = {pool}\nlisten_port = 5432\npool_mode = session\ndefault_pool_size = {size}\n")
        pooler = subprocess.Popen([*AS_NOBODY, program, "--quiet", pool / "settings"], stderr=subprocess.DEVNULL)
        atexit.register(pooler.kill)
        wait_until((pool / ".s.PGSQL.5432").exists, "the pooler does not start")
        out, begun = f"postgresql://loader@/lego?host={pool}", time.monotonic()
        if size < 4:
            refused(f"a pool of {size}", 73, "has no session left", "--jobs", 3, out=out)
            expect(time.monotonic() - begun < 30, f"it took {time.monotonic() - begun} s")
        else:
            merge("--jobs", 3, out=out)
        pooler.terminate()
        pooler.wait()


def check_staging():
    """A merge needs no privilege on the database if it has an empty schema to work in, which stays."""
    staging = "rebrickable__new"
    objects = f"SELECT count(*) FROM pg_class WHERE relnamespace = '{staging}'::regnamespace"
    (work / "mine.sql").write_text("CREATE TYPE kind AS ENUM ('a'); CREATE SEQUENCE numbers; "
                                   "CREATE FUNCTION one(kind) RETURNS int LANGUAGE sql AS 'SELECT 1'; "
                                   "CREATE TABLE mine AS SELECT name, 1 AS one FROM sets; CREATE VIEW ours AS SELECT * FROM mine;")
    sql = ["--sql", work / "mine.sql"]
    loads.load("--quiet", *sql, source=folder)
    change()
    server.psql("REVOKE CREATE ON DATABASE lego FROM loader")
    refused("no staging", 73, f"CREATE SCHEMA \"{staging}\" AUTHORIZATION loader", *sql)
    server.psql(f"CREATE SCHEMA {staging}; CREATE TABLE {staging}.others (a int)")
    refused("another's staging", 73, "what others added to it. table others.", *sql)
    server.psql(f"DROP TABLE {staging}.others; ALTER SCHEMA {staging} OWNER TO loader; "
                f"GRANT USAGE ON SCHEMA {staging} TO public")
    identity = server.psql(f"SELECT oid, nspacl FROM pg_namespace WHERE nspname = '{staging}'")
    loads.load("--dry-run", *sql, source=folder)
    for options in [*sql], [*sql, "--jobs", "3"], [*sql, "--publish", "merge"]:
        loads.load("--quiet", *options, source=folder)
        expect(server.psql(objects) == "0", f"the staging schema has {server.psql(objects)} objects")
        change()
    loads.refused("a swap", 73, "GRANT CREATE ON DATABASE lego TO loader", *sql, "--publish", "swap", source=folder)
    loads.refused("a refused load", 65, staging, *sql, "--max-change", "colors=1%", source=folder)
    expect(server.psql(f"SELECT count(*) > 0 FROM {staging}.colors") == "t", "the refused rows are gone")
    loads.load("--quiet", *sql, source=folder)
    change()
    process = start(*sql)
    wait_until(lambda: server.psql(objects) != "0", "nothing is created")
    process.kill()
    process.communicate()
    wait_until(lambda: server.psql("SELECT count(*) FROM pg_stat_activity WHERE usename = 'loader'") == "0", "the end")
    loads.load("--quiet", *sql, source=folder)
    expect(server.psql(objects) == "0", "the leftovers stay")
    found = server.psql(f"SELECT oid, nspacl FROM pg_namespace WHERE nspname = '{staging}'")
    expect(found == identity, f"{identity} became {found}")
    server.psql(f"DROP SCHEMA {staging}; {loads.CREATION[1]}")


def check_named_staging():
    """A guest may merge from any empty schema of its own, which no run drops, and which holds one run at a time."""
    def stage():
        found = server.psql("SELECT oid, nspacl, obj_description(oid), (SELECT string_agg(relname, ',') FROM pg_class AS c "
                            "WHERE relnamespace = n.oid AND relkind = 'r') FROM pg_namespace AS n WHERE nspname = 'stage'")
        return found.rsplit("|", 1)

    shelf = ["id:integer", "a:string"], ["1,x", "2,y"]
    expect(described(*shelf).returncode == 0, "another schema")
    loads.load("--quiet", source=folder)
    server.psql("REVOKE CREATE ON DATABASE lego FROM loader; CREATE SCHEMA STAGE; COMMENT ON SCHEMA stage IS 'loads'")
    staging = ["--staging", "stage"]
    refused("a schema of others", 73, "ALTER SCHEMA stage OWNER TO loader", *staging)
    server.psql("ALTER SCHEMA stage OWNER TO loader; GRANT CREATE ON SCHEMA stage TO public")
    refused("a schema in which others create", 73, "PUBLIC", *staging)
    server.psql("REVOKE CREATE ON SCHEMA stage FROM public; GRANT USAGE ON SCHEMA stage TO public")
    before = stage()
    refused("no schema", 73, 'CREATE SCHEMA "none" AUTHORIZATION loader', "--staging", "none")
    refused("a published schema", 73, "what others added to it. table ingest_baseline", "--staging", "shelf")
    refused("its own schema", 73, "what others added to it. table color_stats", "--staging", "rebrickable")
    loads.refused("a swap", 64, "'--staging' cannot be used with '--publish swap'", *staging, "--publish", "swap")
    for options in [], ["--jobs", "3"], ["--dry-run"], ["--if-changed"]:
        change()
        loads.load("--quiet", *staging, *options, source=folder)
        expect(stage() == before, f"{before} became {stage()}")
    # A run that is killed leaves tables, which the next one removes, but nothing of others.
    change()
    process = start(*staging, "--jobs", "3")
    wait_until(lambda: "colors" in stage()[1], "nothing is created")
    process.kill()
    process.communicate()
    wait_until(lambda: server.psql("SELECT count(*) FROM pg_stat_activity WHERE usename = 'loader'") == "0", "the end")
    server.psql("CREATE TABLE stage.others (a int)")
    refused("a table of others", 73, "what others added to it. table others.", *staging)
    expect("others" in stage()[1], "the table of others is gone")
    server.psql("DROP TABLE stage.others")
    # It belongs to one run, whatever schemas they publish.
    tenant = server.session()
    tenant.ask("BEGIN; UPDATE rebrickable.inventory_parts SET quantity = 1 WHERE false; SELECT 1;")
    process = start(*staging, "--wait", "3600")
    wait_until(lambda: "ingest_sources" in stage()[1], "the run does not load")
    failed = described(*shelf, *staging)
    expect(failed.returncode == 75 and 'loading into the schema "stage"' in failed.stderr, failed.stderr)
    tenant.end("COMMIT;")
    ended(process, 0)
    expect(stage() == before, f"{before} became {stage()}")
    change()
    loads.refused("a refused load", 65, "stage", *staging, "--max-change", "colors=1%", source=folder)
    expect("colors" in stage()[1], "the refused rows are gone")
    loaded = described(shelf[0], ["1,x", "3,z"], *staging)
    expect(loaded.returncode == 0 and "merge, since --publish or --staging requests it" in loaded.stdout, loaded.stdout + loaded.stderr)
    expect(server.psql("SELECT string_agg(a, ',' ORDER BY id) FROM shelf.t") == "x,z", "the rows")
    expect(stage() == before, f"{before} became {stage()}")
    failed = described(["id:integer", "a:integer"], ["1,1"], *staging)
    expect(failed.returncode == 73 and "rows cannot be merged. column t.a " in failed.stderr, failed.stderr)
    loads.load("--quiet", *staging, source=folder)
    run(loads.ingest, "--source", folder, "--out", work / "catalog.sqlite", "--quiet")
    for command, words in (["check"], "no faults found"), (["diff", work / "catalog.sqlite"], "the same rows"):
        found = run(loads.ingest, *command, server.uri("loader")).stdout
        expect(words in found, found)
    # In the words by which schemas are compared, its name would be replaced.
    server.psql("CREATE SCHEMA sets AUTHORIZATION loader")
    refused("a name of a table", 73, "have the name of the schema", "--staging", "sets")
    server.psql(f"DROP SCHEMA sets; DROP SCHEMA stage; DROP SCHEMA shelf CASCADE; {loads.CREATION[1]}")
    # A role that could create the schema keeps it as well.
    server.psql("CREATE SCHEMA stage AUTHORIZATION loader")
    before = stage()
    change()
    merge(*staging)
    expect(stage() == before, f"{before} became {stage()}")
    server.psql("DROP SCHEMA stage")


def check_unreadable_table():
    """What is lost with --allow-loss need not be read."""
    server.psql("CREATE TABLE rebrickable.private (a int); CREATE TABLE rebrickable.secret (a int, owner text); "
                "ALTER TABLE rebrickable.secret ENABLE ROW LEVEL SECURITY; GRANT SELECT ON rebrickable.secret TO loader")
    errors = loads.load("--publish", "swap", "--allow-loss", source=folder).stderr
    expect("objects-lost" in errors and "table private, table secret" in errors, errors)


def main(ingest):
    global server
    server = Server(work / "server", "fsync=off", "autovacuum_naptime=1")
    loads.ingest, loads.server = os.path.abspath(ingest), server
    for statement in loads.CREATION:
        server.psql(statement)
    shutil.copytree(ROOT / loads.FIXTURES, folder)
    loads.load("--quiet", source=folder)
    server.psql("CREATE SCHEMA shop; GRANT USAGE ON SCHEMA shop TO loader")
    for check in (check_locks, check_maintenance, check_code, check_required_column, check_statistics, check_completion,
                  check_small_pool, check_staging, check_named_staging, check_unreadable_table):
        check()
    print(f"postgresql: {expect.count} checks of locks, errors and privileges of others")
