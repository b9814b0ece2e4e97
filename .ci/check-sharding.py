#!/usr/bin/env python3
"""Loads tables whose rows are on several servers of PostgreSQL, and does to them what can happen at night.

    .ci/check-sharding.py INGEST [DUMPS...]

INGEST was built with the trait PostgreSQL. Three servers of their own stand in a temporary folder, each with one shard, and
the first of them with the database that shows all rows. What that has is compared with a catalogue in a
file; after each fault, all servers have the old rows or all of them the new ones.
"""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

from postgresql_server import Server

ingest, folders = os.path.abspath(sys.argv[1]), sys.argv[2:]
work = tempfile.mkdtemp()
DUMPS = ["fixtures/dumps-2020", "fixtures/dumps"]
SHARDED = {"inventory_parts": "inventory_id", "elements": "part_num"}
# The number of rows, and a sum that does not depend on their order.
SUM = "SELECT count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)), 0) FROM rebrickable.{} AS t"
checks = 0


def expect(condition, what):
    global checks
    checks += 1
    if not condition:
        sys.exit(f"sharding: {what}")


def until(condition, what):
    for _ in range(1200):
        if condition():
            return
        time.sleep(0.05)
    sys.exit(f"sharding: {what}")


def sums(server, database, tables):
    """For each table, what its rows come to."""
    rows = server.psql(" UNION ALL ".join(f"SELECT '{table}', ({SUM.format(table)})" for table in tables), database)
    return dict(row.split("|") for row in rows.split("\n"))


class Cluster:
    def __init__(self):
        settings = "fsync=off", "max_prepared_transactions=10"
        self.servers = [Server(f"{work}/server{number}", *settings) for number in range(3)]
        self.coordinator = self.servers[0]
        self.coordinator.psql("CREATE DATABASE shard", "postgres")
        self.coordinator.psql("CREATE EXTENSION postgres_fdw")
        self.databases = [(server, "lego" if number else "shard") for number, server in enumerate(self.servers)]
        with open(f"{work}/servers", "w") as file:
            file.write("# where the rows are\n\n")
            for number, (server, database) in enumerate(self.databases):
                self.coordinator.psql(
                    f"CREATE SERVER shard{number} FOREIGN DATA WRAPPER postgres_fdw OPTIONS "
                    f"(host '{server.folder}', dbname '{database}'); CREATE USER MAPPING FOR PUBLIC SERVER "
                    f"shard{number} OPTIONS (user 'postgres', password_required 'false')")
                file.write(f"shard{number} host={server.folder} user=postgres dbname={database}\n")

    def command(self, dumps, *options):
        shards = [word for table, column in SHARDED.items() for word in ("--shard", f"{table}={column}")]
        return [ingest, "--source", dumps, "--out", self.coordinator.uri(), "--rejects", f"{work}/rejects",
                "--servers", f"{work}/servers", *shards, *options]

    def run(self, dumps, *options):
        return subprocess.run(self.command(dumps, *options), capture_output=True, text=True, timeout=600)

    def start(self, dumps):
        return subprocess.Popen(self.command(dumps), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def tables(self):
        return self.coordinator.psql(
            "SELECT c.relname FROM pg_class AS c WHERE relnamespace = 'rebrickable'::regnamespace "
            "AND relkind IN ('r', 'p') AND NOT relispartition AND relname NOT LIKE 'ingest%' ORDER BY 1").split("\n")

    def contents(self):
        """What the database shows, and what each shard has of the tables that all of them have."""
        shown = sums(self.coordinator, "lego", self.tables())
        for server, database in self.databases:
            here = server.psql("SELECT relname FROM pg_class WHERE relnamespace = 'rebrickable'::regnamespace AND "
                               "relkind = 'r' AND relname NOT LIKE 'ingest%' ORDER BY 1", database).split("\n")
            for table, rows in sums(server, database, [name for name in here if name not in SHARDED]).items():
                expect(rows == shown[table], f"{server.folder}: {table} has {rows}, and {shown[table]} is shown")
        return shown

    def prepared(self):
        return [server.psql("SELECT count(*) FROM pg_prepared_xacts") for server in self.servers]

    def schemas(self):
        return [server.psql("SELECT string_agg(nspname, ' ' ORDER BY nspname) FROM pg_namespace "
                            "WHERE nspname LIKE 'rebrick%'", database)
                for server, database in [(self.coordinator, "lego"), *self.databases]]

    def end_sessions(self):
        for server in self.servers:
            server.psql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'ingest'")
            until(lambda: server.psql("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'ingest'") == "0",
                  "a server goes on")


def rows_as_in_a_file(cluster, folder, *options):
    """All rows that are shown are those of a file; each shard has those that the server says are its own."""
    loaded = cluster.run(folder, "--silent", "--max-shrink", "100%", *options)
    expect(loaded.returncode == 0, f"{folder}: {loaded.stderr}")
    path = f"{work}/catalog.sqlite"
    allowed = [option for option in options if "jobs" not in option]
    subprocess.run([ingest, "--source", folder, "--out", path, "--silent", "--max-shrink", "100%", *allowed], check=True)
    catalog, total = sqlite3.connect(path), 0
    for table in (table for table in cluster.tables() if table != "search"):
        columns = [row[1] for row in catalog.execute(f'PRAGMA table_info("{table}")')]
        listed = ", ".join(f'"{column}"' for column in columns)
        expected = sorted("|".join("" if v is None else str(v) for v in row)
                          for row in catalog.execute(f'SELECT {listed} FROM "{table}"'))
        booleans = cluster.coordinator.psql(
            f"SELECT attname FROM pg_attribute WHERE attrelid = 'rebrickable.{table}'::regclass "
            "AND atttypid = 'boolean'::regtype").split("\n")
        cast = ", ".join(f'"{column}"::int' if column in booleans else f'"{column}"' for column in columns)
        found = sorted(cluster.coordinator.psql(f'SELECT {cast} FROM rebrickable."{table}"').split("\n"))
        expect((found if found != [""] else []) == expected,
               f"{folder}: {table} differs: {len(found)} rows, {len(expected)} expected")
        total += len(expected)
    catalog.close()
    shares = [int(server.psql("SELECT count(*) FROM rebrickable.inventory_parts", database))
              for server, database in cluster.databases]
    expect(sum(shares) == int(cluster.coordinator.psql("SELECT count(*) FROM rebrickable.inventory_parts")), shares)
    # Joins are local: what each server finds for its own rows comes to what there is to be found.
    join = ("SELECT count(*), coalesce(sum(quantity), 0) FROM rebrickable.inventory_parts "
            "JOIN rebrickable.parts USING (part_num) JOIN rebrickable.inventories AS i ON i.id = inventory_id")
    local = [list(map(int, server.psql(join, database).split("|"))) for server, database in cluster.databases]
    expect("|".join(str(sum(sums)) for sums in zip(*local)) == cluster.coordinator.psql(join), f"{folder}: {local}")
    print(f"sharding: {os.path.basename(folder)}: {total:,} rows as in a file, inventory_parts as {shares}")


def refusals(cluster, before):
    """What is wrong with the servers is told before anything is done."""
    def refused(what, status, *words, servers=None, options=()):
        with open(f"{work}/servers") as file:
            usual = file.read()
        with open(f"{work}/servers", "w") as file:
            file.write(usual if servers is None else servers)
        ended = cluster.run(DUMPS[0], *options)
        with open(f"{work}/servers", "w") as file:
            file.write(usual)
        expect(ended.returncode == status, f"{what}: status {ended.returncode}: {ended.stderr}")
        for word in ("Nothing was published", *words):
            expect(word in ended.stderr, f"{what}: {ended.stderr}")
        expect("geheim" not in ended.stderr, f"{what}: the password is told")
        expect(cluster.contents() == before, f"{what}: something has changed")

    host = cluster.servers[1].folder
    refused("an unknown server", 73, 'no server "shard9"', "CREATE SERVER",
            servers=f"shard9 postgresql://postgres:geheim@/lego?host={host}\n")
    refused("half a line", 64, "servers:2: there is one word", servers="# shards\npostgresql://me:geheim@host\n")
    refused("the same name twice", 64, "servers:2: the server shard1 is named twice",
            servers=f"shard1 host={host} user=postgres dbname=lego\nshard1 host=other\n")
    refused("no servers", 64, "0 servers are named", servers="# none\n")
    refused("an unknown column", 73, "has no column num", options=("--shard", "sets=num"))
    server = cluster.servers[2]
    server.stop()
    gone = cluster.run(DUMPS[0])
    expect(gone.returncode == 73 and "shard2" in gone.stderr, f"no server: {gone.returncode} {gone.stderr}")
    server.settings = ("fsync=off",)
    server.start()
    refused("no prepared transactions", 73, "max_prepared_transactions")
    server.stop()
    server.settings = ("fsync=off", "max_prepared_transactions=10")
    server.start()
    expect(cluster.contents() == before, "something has changed")


def faults(cluster, states):
    """Runs that end at the worst moments: all servers have the old rows, or all have the new ones."""
    published, other = DUMPS[1], DUMPS[0]

    def check(what, new):
        nonlocal published, other
        if new:
            published, other = other, published
        expect(cluster.coordinator.psql(SUM.format("sets")) == states[published]["sets"], f"{what}: sets")
        after = cluster.run(other)
        expect(after.returncode == 0, f"after {what}: {after.stderr}")
        published, other = other, published
        expect(cluster.contents() == states[published], f"after {what}: not what was loaded")
        expect(cluster.prepared() == ["0"] * 3, f"after {what}: {cluster.prepared()}")
        expect(cluster.schemas() == ["rebrickable"] * 4, f"after {what}: {cluster.schemas()}")

    def arm(action):
        cluster.coordinator.psql(
            f"CREATE FUNCTION fault() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN {action}; END $$; "
            "CREATE EVENT TRIGGER fault ON ddl_command_start WHEN TAG IN ('ALTER SCHEMA') EXECUTE FUNCTION fault()")

    def disarm():
        cluster.coordinator.psql("DROP EVENT TRIGGER fault; DROP FUNCTION fault")

    # The coordinator refuses what the shards have prepared.
    arm("RAISE 'no brick'")
    failed = cluster.run(other)
    disarm()
    expect(failed.returncode != 0 and "Nothing was published" in failed.stderr, failed.stderr)
    expect(cluster.prepared() == ["0"] * 3, f"{cluster.prepared()}")
    check("a refusal of the coordinator", False)

    # The run is killed between the two.
    arm("PERFORM pg_sleep(600)")
    process = cluster.start(other)
    until(lambda: cluster.prepared() == ["1"] * 3, "the shards prepare nothing")
    process.kill()
    process.communicate()
    cluster.end_sessions()
    disarm()
    expect(cluster.prepared() == ["1"] * 3, f"{cluster.prepared()}")
    check("a kill after the shards have prepared", False)

    # The coordinator has decided, and a shard is not there to be told.
    arm("PERFORM pg_sleep(5)")
    process = cluster.start(other)
    until(lambda: cluster.prepared() == ["1"] * 3, "the shards prepare nothing")
    cluster.servers[2].stop(signal.SIGQUIT)
    _, errors = process.communicate(timeout=60)
    expect(process.returncode == 5 and "COMMIT PREPARED" in errors, f"{process.returncode}: {errors}")
    cluster.servers[2].start()
    disarm()
    expect(cluster.prepared() == ["0", "0", "1"], f"{cluster.prepared()}")
    check("the end of a shard after the decision", True)

    # At any moment.
    start = time.monotonic()
    expect(cluster.run(published).returncode == 0, "a run to measure")
    duration, moments = time.monotonic() - start, 8
    for moment in range(moments):
        process = cluster.start(other)
        time.sleep(duration * (moment + 1) / moments)
        process.kill()
        process.communicate()
        cluster.end_sessions()
        new = cluster.coordinator.psql(SUM.format("sets")) == states[other]["sets"]
        check(f"a kill after {moment + 1} of {moments} parts", new)


cluster = Cluster()
try:
    for number, folder in enumerate(folders):
        absent = ["--allow-missing", "inventory_parts"] if "no-inventory-parts" in folder else []
        rows_as_in_a_file(cluster, folder, *absent, f"--jobs={number + 1}")
    states = {}
    for dumps in DUMPS:
        rows_as_in_a_file(cluster, dumps)
        states[dumps] = cluster.contents()
    expect(states[DUMPS[0]]["sets"] != states[DUMPS[1]]["sets"], "the dumps do not differ")
    refusals(cluster, states[DUMPS[1]])
    faults(cluster, states)
    shrunk = cluster.run("fixtures/broken/file-unknown")
    expect(shrunk.returncode == 65 and "catalog-shrunk" in shrunk.stderr, shrunk.stderr)
    expect(cluster.schemas() == ["rebrickable rebrickable__refused"] * 4, f"{cluster.schemas()}")
    print(f"sharding: {checks} checks, all servers always had the old rows or all of them the new ones")
finally:
    for server in cluster.servers:
        server.stop()
    shutil.rmtree(work, ignore_errors=True)
