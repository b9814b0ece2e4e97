"""Test loads into PostgreSQL with faults of the run and of the server:

    python3 Tests/System PostgreSQL.faults INGEST [K/N | all]

`all` tries every fault, K/N the K-th of N shares of them, and without either it is a sample that is always the same.
INGEST was built with the trait PostgreSQL. Two sets of source files take turns: after each fault all that is published
is as before, or as the run would have left it, and the next run succeeds. What is published is compared by a sum over
the rows of each table, and by its keys and indexes. All faults are tried in runs that swap schemas, and then on another
server in runs that merge rows.
"""
import atexit
import functools
import itertools
import os
import signal
import subprocess
import time

from support import AS_NOBODY, POSTGRESQL, Server, expect, run, temporary_folder, wait_until

work = temporary_folder()
DUMPS = ["fixtures/dumps-2020", "fixtures/dumps"]
# The places of faults: the trigger in the server that causes each. The run first creates all objects without rows.
AT_START = "EVENT TRIGGER fault ON ddl_command_start WHEN TAG IN ('{}') EXECUTE FUNCTION {}()"
PLACES = {
    "COPY": "EVENT TRIGGER fault ON ddl_command_end WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION add_fault()",
    "creation without rows": AT_START.format("CREATE VIEW", "fault"),
    "CREATE INDEX": AT_START.format("CREATE INDEX", "later_fault"),
    "ALTER SCHEMA": AT_START.format("ALTER SCHEMA", "fault"),
    "comparison": AT_START.format("CREATE TABLE AS", "last_fault"),
    "DELETE": "TRIGGER fault AFTER DELETE ON rebrickable.inventories EXECUTE FUNCTION row_fault()",
    "INSERT": "TRIGGER fault AFTER INSERT ON rebrickable.inventory_parts EXECUTE FUNCTION row_fault()",
}
# Each mode of publishing with the places that its runs reach, of which the fourth is the first of publishing.
MODES = {"swap": list(PLACES)[:4], "merge": [place for place in PLACES if place != "ALTER SCHEMA"]}
FUNCTIONS = """
CREATE FUNCTION rows_of(tables text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  name regclass;
BEGIN
  FOR name IN SELECT oid FROM pg_class WHERE relnamespace = to_regnamespace('rebrickable') AND relkind = 'r'
    AND relname ~ tables ORDER BY relname LOOP
    RETURN QUERY EXECUTE format(
      'SELECT concat_ws('' '', %L, count(*), sum(hashtextextended(t::text, 0))) FROM %s AS t', name, name);
  END LOOP;
END $$;
-- Those that depend on all earlier runs, or on the transaction.
CREATE FUNCTION runs() RETURNS SETOF text LANGUAGE sql AS
  $$ SELECT rows_of('^ingest_(history|baseline|schema|verdict|warnings)') $$;
CREATE FUNCTION contents() RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  published oid = to_regnamespace('rebrickable');
BEGIN
  RETURN QUERY SELECT rows_of('^(?!ingest_(history|baseline|schema|verdict|warnings))');
  RETURN QUERY SELECT pg_get_indexdef(indexrelid) FROM pg_index JOIN pg_class AS c ON c.oid = indexrelid
    WHERE relnamespace = published ORDER BY 1;
  RETURN QUERY SELECT concat_ws(' ', conrelid::regclass, pg_get_constraintdef(oid)) FROM pg_constraint
    WHERE connamespace = published ORDER BY 1;
END $$;
CREATE FUNCTION add_fault() RETURNS event_trigger LANGUAGE plpgsql AS $$
DECLARE
  name regclass;
BEGIN
  FOR name IN SELECT objid FROM pg_event_trigger_ddl_commands() WHERE object_identity LIKE '%.inventory_parts' LOOP
    EXECUTE format('CREATE TRIGGER fault BEFORE INSERT ON %s FOR EACH ROW EXECUTE FUNCTION public.row_fault()', name);
  END LOOP;
END $$;
"""


class Catalog:
    """The catalog that is published in a server."""

    def __init__(self, ingest, mode):
        self.ingest, self.mode = os.path.abspath(ingest), "swap"
        # Without a standby of this name, a commit with more than `local` waits.
        self.server = server = Server(
            work / mode, "fsync=off", "synchronous_standby_names=nobody", "synchronous_commit=local")
        # The faults are for the next run, not for this one.
        self.jobs = itertools.cycle("13313")
        server.psql(FUNCTIONS)
        self.kills, self.kills_of_new = 0, 0
        server.psql("CREATE ROLE slow SUPERUSER LOGIN; ALTER ROLE slow SET statement_timeout = '3s'; "
                    "CREATE ROLE serial SUPERUSER LOGIN; "
                    "ALTER ROLE serial SET default_transaction_isolation = serializable")
        self.states = {}
        for dumps in DUMPS:
            self.load(dumps, dumps)
            self.states[dumps] = self.contents()
        self.published, self.next = reversed(DUMPS)
        expect(self.states[self.published] != self.states[self.next], "the source files do not differ")
        self.mode = mode

    def command(self, dumps, user="postgres"):
        return [self.ingest, "--source", dumps, "--out", self.server.uri(user), "--rejects", f"{work}/rejects",
                "--jobs", next(self.jobs), "--publish", self.mode]

    @functools.cached_property
    def duration(self):
        """Seconds of a run."""
        start = time.monotonic()
        self.load("a run to measure", self.published)
        return time.monotonic() - start

    def run(self, dumps, user="postgres"):
        return run(*self.command(dumps, user), statuses=None)

    def load(self, what, *arguments):
        """A run that must succeed."""
        loaded = self.run(*arguments)
        expect(loaded.returncode == 0, f"{what}: {loaded.stderr}")
        self.known_runs = self.runs()

    def start(self):
        return subprocess.Popen(self.command(self.next), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def contents(self):
        return self.server.psql("SELECT contents()")

    def runs(self):
        return self.server.psql("SELECT runs()")

    def sessions(self, columns="count(*)", condition=""):
        return self.server.psql(
            f"SELECT {columns} FROM pg_stat_activity WHERE application_name = 'ingest' {condition}")

    def arm(self, place, action):
        """Make the server perform an action when a run reaches a place."""
        if place == "creation without rows":
            # Into an unchanged schema, a merge needs no creation to plan.
            self.server.psql("COMMENT ON TABLE rebrickable.colors IS 'changed'")
        self.server.psql(
            f"CREATE FUNCTION fault() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN {action}; END $$; "
            f"CREATE FUNCTION row_fault() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {action}; RETURN NEW; END $$; "
            "CREATE FUNCTION later_fault() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN "
            f"IF EXISTS (SELECT FROM rebrickable__new.colors) THEN {action}; END IF; END $$; "
            # Statistics are made in the same way, before the sources are recorded.
            "CREATE FUNCTION last_fault() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN "
            f"IF to_regclass('rebrickable__new.ingest_sources') IS NOT NULL THEN {action}; END IF; END $$; "
            f"CREATE {PLACES[place]}")

    def disarm(self):
        # The triggers of a table that the run has left behind.
        self.server.psql("SET client_min_messages = warning; DROP EVENT TRIGGER IF EXISTS fault; "
                         "DROP FUNCTION fault, later_fault, last_fault; DROP FUNCTION row_fault CASCADE")

    def check(self, what, may_be_new=False):
        """Check that the published catalog is unchanged, and that the next run removes all leftovers."""
        found, runs = self.contents(), self.runs()
        is_new = may_be_new and found == self.states[self.next]
        if is_new:
            self.published, self.next = self.next, self.published
        expect(found == self.states[self.published], f"{what}: the published catalog is neither old nor new")
        expect((runs != self.known_runs) == is_new, f"{what}: the history is not that of the published catalog")
        self.load(f"after {what}", self.next)
        self.published, self.next = self.next, self.published
        expect(self.contents() == self.states[self.published], f"after {what}: the published catalog differs from the loaded one")
        schemas = self.server.psql("SELECT string_agg(nspname, ' ') FROM pg_namespace WHERE nspname LIKE 'rebrick%'")
        expect(schemas == "rebrickable", f"after {what}: {schemas}")

    def failed(self, what, ended, status, *words):
        expect(ended.returncode == status, f"{what}: status {ended.returncode}: {ended.stderr}")
        for word in words:
            expect(word in ended.stderr, f"{what}: {ended.stderr}")
        expect("\\u{" not in ended.stderr, f"{what}: {ended.stderr}")


def error(catalog, place, state, status):
    """An error of the server during a run."""
    what = f"{state} at {place}"
    catalog.arm(place, f"RAISE 'no brick' USING ERRCODE = '{state}', HINT = 'buy one'")
    catalog.failed(what, catalog.run(catalog.next), status, f"no brick (ERROR, SQLSTATE {state}). ", "buy one.",
                     "Nothing was published.")
    catalog.disarm()
    catalog.check(what)


def timeout(catalog, place):
    catalog.arm(place, "PERFORM pg_sleep(600)")
    catalog.failed("a timeout", catalog.run(catalog.next, "slow"), 74, "SQLSTATE 57014", "statement timeout")
    catalog.disarm()
    catalog.check(f"a timeout at {place}")


def serializable(catalog):
    loaded = catalog.run(catalog.next, "serial")
    expect(loaded.returncode == 0, f"serializable transactions: {loaded.stderr}")
    catalog.check("a run with serializable transactions", may_be_new=True)


# The ends of a run, its session or its server: the exit status, and words of the message.
ENDS = {
    "the end of the run": (-9, ""),
    "a request to end the run": (143, "the next run removes"),
    "the end of the session": (74, "SQLSTATE 57P01"),
    "a crash of the server": (74, "Nothing was published."),
}


def end(catalog, what, process=None):
    """Cause one of the ends."""
    if what == "a crash of the server":
        catalog.server.stop(signal.SIGQUIT)
    elif what == "the end of the session":
        catalog.sessions("pg_terminate_backend(pid)")
    else:
        process.send_signal(signal.SIGKILL if what == "the end of the run" else signal.SIGTERM)


def end_of_a_process(catalog, place, what):
    """A run waits at a place, and is then ended."""
    status, words = ENDS[what]
    catalog.arm(place, "PERFORM pg_sleep(600)")
    process = catalog.start()
    wait_until(lambda: catalog.sessions(condition="AND wait_event = 'PgSleep'") != "0", "the run does not wait")
    second = catalog.run(catalog.next)
    catalog.failed("a second run", second, 75, "Another run is loading")
    end(catalog, what, process)
    _, process.stderr = process.communicate(timeout=3600)
    catalog.failed(f"{what} at {place}", process, status, words)
    if catalog.server.process.poll() is not None:
        catalog.server.start()
    # A server detects a lost client late, so end the session.
    end(catalog, "the end of the session")
    wait_until(lambda: catalog.sessions() == "0", "the session does not end")
    catalog.disarm()
    catalog.check(f"{what} at {place}")


def end_of_a_commit(catalog, place, what):
    """The connection is lost after the commit, while the server waits for a standby."""
    catalog.arm(place, "PERFORM set_config('synchronous_commit', 'on', true)")
    process = catalog.start()
    wait_until(lambda: catalog.sessions(condition="AND wait_event = 'SyncRep'") == "1", "the run does not wait")
    end(catalog, what)
    _, process.stderr = process.communicate(timeout=3600)
    catalog.failed(f"{what} at COMMIT", process, 74, "possibly published: the connection was lost while publishing",
                     "It may have been published")
    if catalog.server.process.poll() is not None:
        catalog.server.start()
    catalog.disarm()
    expect(catalog.contents() == catalog.states[catalog.next], "the committed catalog is not published")
    catalog.check(f"{what} at COMMIT", may_be_new=True)


def kill(catalog, part, what):
    """A run or its server is killed at a moment during the run or up to a third after its end."""
    server, seconds = catalog.server, catalog.duration * part
    process = catalog.start()
    time.sleep(seconds)
    if what == "run":
        process.kill()
        process.communicate()
        wait_until(lambda: catalog.sessions() == "0", "the session does not end")
    else:
        server.stop(signal.SIGQUIT)
        _, errors = process.communicate(timeout=3600)
        server.start()
        is_new = catalog.contents() == catalog.states[catalog.next]
        if process.returncode == 0 or "published, but" in errors:
            expect(is_new, f"it is not published: {errors}")
        elif "Nothing was published" in errors:
            expect(not is_new, f"it is published: {errors}")
        # The server can end after publishing, before the leftovers are dropped.
        statuses = (5,) if "published, but" in errors else (0, 73, 74)
        expect(process.returncode in statuses, f"status {process.returncode}: {errors}")
    published = catalog.published
    catalog.check(f"a kill of the {what} at {part:.2f} of a run", may_be_new=True)
    catalog.kills += 1
    catalog.kills_of_new += catalog.published == published


class SmallDisk:
    """A disk in memory that only the server sees."""

    def __init__(self, folder):
        folder.mkdir()
        mount = f"mount -t tmpfs -o size=64m,mode=777 none '{folder}' && echo mounted && exec sleep infinity"
        self.folder = folder
        self.holder = subprocess.Popen(
            ["unshare", "-m", "sh", "-c", mount], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        atexit.register(self.holder.kill)
        self.is_there = self.holder.stdout.readline() == b"mounted\n"
        self.through = ["nsenter", f"--mount=/proc/{self.holder.pid}/ns/mnt", *AS_NOBODY]
        self.ballast = f"/proc/{self.holder.pid}/root{folder}/ballast"

    def hold_tablespace(self, server):
        """Restart a server so that it sees the disk, which holds its tablespace `small`."""
        server.stop()
        server.through = self.through
        run(*self.through, "mkdir", f"{self.folder}/tables")
        server.start()
        server.psql(f"CREATE TABLESPACE small LOCATION '{self.folder}/tables'")

    def leave(self, free=None):
        """Leave a number of bytes free; by default all."""
        if os.path.exists(self.ballast):
            os.remove(self.ballast)
        if free is not None:
            space = os.statvfs(os.path.dirname(self.ballast))
            with open(self.ballast, "wb") as file:
                os.posix_fallocate(file.fileno(), 0, max(1, space.f_bavail * space.f_frsize - free))


def full_disks(catalog):
    """The disk of the tables is full, and then that of the write-ahead log, which ends the server."""
    server, disk = catalog.server, SmallDisk(work / f"disk-{catalog.mode}")
    if not disk.is_there:
        print("postgresql: skipped a full disk: cannot mount a file system here")
        return
    disk.hold_tablespace(server)
    server.psql("ALTER DATABASE lego SET default_tablespace = small")
    mode, catalog.mode = catalog.mode, "swap"
    catalog.check("a change of the tablespace")
    catalog.mode = mode
    tables = fill(catalog, disk, 128 * 1024, "SQLSTATE 53100")

    server.psql("ALTER DATABASE lego RESET default_tablespace")
    server.stop()
    data, log = f"{server.folder}/data", f"{disk.folder}/log"
    run(*disk.through, f"{POSTGRESQL}/pg_resetwal", "--wal-segsize=1", data)
    run(*disk.through, "sh", "-c", f"mv '{data}/pg_wal' '{log}' && ln -s '{log}' '{data}/pg_wal'")
    server.settings += "min_wal_size=2MB", "max_wal_size=4MB", "restart_after_crash=off"
    server.start()
    log = fill(catalog, disk, 1024 * 1024, "reading or writing failed", ends_server=True)
    print(f"postgresql: {mode}: the disk of the tables was full at {tables} points, that of the log at {log}")


def fill(catalog, disk, step, words, ends_server=False):
    """Run with increasing space until it suffices: the number of failures."""
    points = 0
    while True:
        what = f"a disk with {points * step} bytes"
        disk.leave(points * step)
        ended = catalog.run(catalog.next)
        if ended.returncode == 0:
            disk.leave()
            catalog.check(what, may_be_new=True)
            expect(points > 0, "the disk was never full")
            return points
        # The disk can also be full in the commit, whose result is then lost, or when the previous schema is dropped.
        if ended.returncode == 5:
            catalog.failed(what, ended, 5, "published, but")
        elif "possibly published" in ended.stderr:
            catalog.failed(what, ended, 74, "It may have been published")
        else:
            catalog.failed(what, ended, 74, words, "Nothing was published.")
        disk.leave()
        if ends_server:
            catalog.server.process.wait(timeout=3600)
            catalog.server.start()
        catalog.check(what, may_be_new="Nothing was published" not in ended.stderr)
        points += 1


# Errors of the server, with the exit status.
ERRORS = (("40001", 74), ("55P03", 75), ("42501", 73), ("40P01", 74), ("53200", 74), ("53100", 74), ("57014", 74),
          ("XX000", 74), ("25006", 73), ("2BP01", 73), ("P0001", 73))


def every_fault(mode):
    """All faults of runs in a mode, each as a function and its arguments."""
    places = MODES[mode]
    faults = [(error, place, state, status) for state, status in ERRORS for place in places]
    faults += [(timeout, place) for place in places] + [(serializable,)]
    # A request during publishing does not stop it.
    faults += [(end_of_a_process, place, what) for what in ENDS for place in places
               if what != "a request to end the run" or place in places[:3]]
    faults += [(end_of_a_commit, places[3], what) for what in ("the end of the session", "a crash of the server")]
    faults += [(kill, moment / 72, what) for moment in range(96) for what in ("run", "server") if what == "run" or moment % 2]
    return faults + [(full_disks,)]


def sample(mode):
    """A few of each kind, except full disks: one error at each place, and some of the ends."""
    publishing = MODES[mode][-1]
    return every_fault(mode)[:len(ERRORS) * len(MODES[mode]):11] + [
        (end_of_a_process, "COPY", "the end of the run"), (end_of_a_process, "CREATE INDEX", "a request to end the run"),
        (end_of_a_process, "CREATE INDEX", "the end of the session"), (end_of_a_process, publishing, "the end of the run"),
        (end_of_a_process, publishing, "a crash of the server"), (end_of_a_commit, MODES[mode][3], "the end of the session"),
        (kill, 0.3, "run"), (kill, 0.6, "server"), (kill, 0.9, "run")]


def main(ingest, which="sample"):
    tried = 0
    for mode in MODES:
        faults = sample(mode) if which == "sample" else every_fault(mode)
        if "/" in which:
            number, count = map(int, which.split("/"))
            faults = faults[number - 1::count]
        catalog = Catalog(ingest, mode)
        for fault, *arguments in faults:
            fault(catalog, *arguments)
        catalog.server.stop()
        if catalog.kills:
            print(f"postgresql: {mode}: {catalog.kills} kills, {catalog.kills_of_new} of them when the new catalog was published")
        print(f"postgresql: {mode}: {len(faults)} faults")
        tried += len(faults)
    print(f"postgresql: {tried} faults, {expect.count} checks: the published catalog was always the old or the new one")
