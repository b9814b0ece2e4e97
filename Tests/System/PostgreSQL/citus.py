"""Load source files into a Citus cluster of a coordinator and two workers, and compare the result with a file:

    python3 Tests/System PostgreSQL.citus INGEST [MOMENTS]

INGEST was built with the trait PostgreSQL. The test is skipped where PostgreSQL does not have the extension. At MOMENTS
moments each (2 without it) of a merge and of a swap, the run, a worker and the coordinator are killed: the published
rows stay those of one night, and the next run succeeds. A reader during the swap sees the rows of one night.
"""
import json
import os
import re
import shutil
import signal
import subprocess
import threading
import time

from PostgreSQL import loads
from PostgreSQL.faults import SmallDisk
from support import ROOT, Server, expect, run, tables, temporary_folder, wait_until

work = temporary_folder()
NIGHTS = ["fixtures/dumps-2020", "fixtures/dumps"]
DISTRIBUTE = ["--distribute", "inventory_parts=inventory_id"]
DISTRIBUTED = {"inventories", "inventory_parts", "inventory_sets", "inventory_minifigs", "latest_inventories",
               "set_inventories", "older_set_inventories"}
LEFT_OUT_VIEWS = ("part_color_info", "part_info", "where_ever_used")
LEFT_OUT = ["unique key (set_num, version) of inventories", "unique key (set_num) of latest_inventories",
            *(f"view {name}" for name in LEFT_OUT_VIEWS)]
# The published rows in short, which differ between the nights in distributed and in reference tables.
PUBLISHED = "SELECT concat_ws(' ', {})".format(", ".join(
    f"(SELECT count({column}) FROM rebrickable.{table})" for table, column in (
        ("inventory_parts", "img_url"), ("sets", "img_url"), ("parts", "part_material"), ("set_inventories", "*"),
        ("part_stats", "*"), ("inventories", "*"))))
SCHEMAS = "SELECT string_agg(nspname, ' ' ORDER BY nspname) FROM pg_namespace WHERE nspname LIKE 'rebrickable%'"


def start_node(name):
    # Fewer shards than usual, whose creation takes most of the time of a small load.
    node = Server(work / name, "fsync=off", "shared_preload_libraries=citus", "max_prepared_transactions=200",
                  "citus.shard_count=6", f"citus.local_hostname={work / name}")
    node.psql("CREATE EXTENSION citus")
    return node


def start_cluster():
    nodes = [start_node(name) for name in ("coordinator", "worker-1", "worker-2")]
    nodes[0].psql(f"SELECT citus_set_coordinator_host('{nodes[0].folder}', 5432)")
    for worker in nodes[1:]:
        nodes[0].psql(f"SELECT citus_add_node('{worker.folder}', 5432)")
    for statement in loads.CREATION:
        nodes[0].psql(statement)
    return nodes


def load(folder, *options, statuses=(0,), distribute=DISTRIBUTE):
    loaded = loads.run("--quiet", "--max-shrink", "100%", *distribute, *options, source=folder)
    expect(loaded.returncode in statuses, f"{options}: status {loaded.returncode}: {loaded.stderr}")
    return loaded


def distributed():
    """The distributed tables."""
    found = loads.server.psql("SELECT relname FROM pg_dist_partition JOIN pg_class AS c ON c.oid = logicalrelid "
                              "WHERE partmethod = 'h' AND relnamespace = 'rebrickable'::regnamespace")
    return set(found.split("\n"))


def published():
    return loads.server.psql(PUBLISHED)


def identities():
    """The published tables; a merge keeps them."""
    return loads.server.psql("SELECT string_agg(oid::text, ' ' ORDER BY oid) FROM pg_class WHERE relkind = 'r' "
                             "AND relnamespace = 'rebrickable'::regnamespace")


def check_equality():
    """All rows are as in a file, and each foreign key and all but one primary key are held; the night is merged."""
    kept = None
    for jobs, folder, mode in (1, NIGHTS[1], "swap"), (3, NIGHTS[0], "merge"), (1, NIGHTS[1], "merge"), (3, NIGHTS[0], "swap"), (
            3, NIGHTS[1], "auto"):
        catalog = loads.compare_rows(folder, jobs, *DISTRIBUTE, "--publish", "auto" if kept is None else mode,
                                     without=LEFT_OUT_VIEWS)
        expect((identities() == kept) == (mode != "swap"), f"{mode}: the tables are {identities()} after {kept}")
        kept = identities()
    loads.compare_search(catalog, NIGHTS[1])
    found = loads.server.psql("SELECT logicalrelid, partmethod FROM pg_dist_partition "
                              "WHERE logicalrelid::text LIKE 'rebrickable.%'").split("\n")
    methods = dict(line.removeprefix("rebrickable.").split("|") for line in found)
    expect({table for table, method in methods.items() if method == "h"} == DISTRIBUTED, methods)
    stored = [name for name in tables(catalog, without=("ingest_", "search", "sqlite_"))]
    expect(set(methods) == {*stored, "search"}, f"{set(methods)} are tables of Citus")
    keys = sum(len({row[0] for row in catalog.execute(f"PRAGMA foreign_key_list({table})")}) for table in stored)
    for kind, count in ("f", keys), ("p", len(stored) - 1):
        found = loads.server.psql(
            "SELECT count(*) FROM pg_constraint JOIN pg_class AS c ON c.oid = conrelid WHERE convalidated AND contype = "
            f"'{kind}' AND connamespace = 'rebrickable'::regnamespace AND relname NOT LIKE 'ingest\\_%'")
        expect(int(found) == count, f"{found} constraints of kind {kind}, not {count}")


def check_reading():
    """The commands that read a schema find no fault in a distributed one, and the rows of a file."""
    load(NIGHTS[1])
    out = loads.server.uri("loader")
    run(loads.ingest, "--source", NIGHTS[1], "--out", work / "night.sqlite", "--quiet", statuses=None)
    checked = run(loads.ingest, "check", out)
    expect("no faults found" in checked.stdout, checked.stdout)
    compared = run(loads.ingest, "diff", work / "night.sqlite", out)
    expect("the databases have the same rows" in compared.stdout, compared.stdout)
    again = loads.load(*DISTRIBUTE, "--if-changed", "--verbose", source=NIGHTS[1])
    expect("its tables are distributed" in again.stderr, again.stderr)
    loads.server.psql("UPDATE rebrickable.set_inventories SET quantity = quantity + 1 "
                      "WHERE inventory_id = (SELECT min(inventory_id) FROM rebrickable.set_inventories)")
    checked = run(loads.ingest, "check", out, statuses=(65,))
    expect("derived tables: ok" not in checked.stdout, checked.stdout)
    load(NIGHTS[1])


def check_changed_rows():
    """A merge writes only the rows that differ, on their nodes, and rows can exchange their places among the keys."""
    folder = work / "changed"
    shutil.copytree(ROOT / NIGHTS[1], folder)
    load(NIGHTS[1])

    def places(table):
        found = loads.server.psql(
            f"SELECT shardid, result FROM run_command_on_shards('rebrickable.{table}', 'SELECT json_agg(ctid::text || xmin) FROM %s')")
        return {(line.split("|")[0], place) for line in found.split("\n") for place in json.loads(line.split("|")[1] or "[]")}

    before = {table: places(table) for table in ("inventory_parts", "inventories")}
    loads.rewrite(folder, "inventory_parts", lambda lines: [lines[0] | {"quantity": "77"}, *lines[1:-1]])
    load(folder, "--publish", "merge")
    expect(loads.server.psql("SELECT count(*) FROM rebrickable.inventory_parts WHERE quantity = 77") == "1", "the row is missing")
    kept = before["inventory_parts"] & places("inventory_parts")
    expect(len(kept) == len(before["inventory_parts"]) - 2, f"{len(kept)} of {len(before['inventory_parts'])} rows are kept")
    expect(before["inventories"] == places("inventories"), "equal rows were written")
    # A theme is replaced, whose sets then refer to another one, before the old one is removed.
    theme = max(line["theme_id"] for line in loads.records(loads.source_file(ROOT / NIGHTS[1], "sets")))
    loads.rewrite(folder, "themes", lambda lines: [line | {"id": line["id"].replace(theme, "99999") if line["id"] == theme else line["id"],
                  "parent_id": "99999" if line["parent_id"] == theme else line["parent_id"]} for line in lines])
    loads.rewrite(folder, "sets", lambda lines: [
        line | {"theme_id": "99999" if line["theme_id"] == theme else line["theme_id"]} for line in lines])
    load(folder, "--publish", "merge")
    expect(loads.server.psql(f"SELECT count(*) FROM rebrickable.themes WHERE id IN ({theme}, 99999)") == "1", "the theme remains")
    loads.server.psql("CREATE SCHEMA mine; CREATE TABLE mine.notes (theme bigint REFERENCES rebrickable.themes ON DELETE CASCADE)")
    loads.refused("rows of others", 73, "mine.notes", *DISTRIBUTE, "--publish", "merge")
    loads.server.psql("DROP SCHEMA mine CASCADE")
    load(NIGHTS[1])


def check_keyless():
    """Rows without a key are merged, also equal ones, on all nodes."""
    fields = {"boxes": "id:integer", "items": "box:integer name:string", "notes": "note:string"}
    resources = [{"name": name, "path": f"{name}.csv", "schema": {"fields": [
        dict(zip(("name", "type"), column.split(":"))) | {"constraints": {"required": name != "notes"}}
        for column in columns.split()]}} for name, columns in fields.items()]
    resources[0]["schema"]["primaryKey"] = "id"
    resources[1]["schema"]["foreignKeys"] = [{"fields": "box", "reference": {"resource": "boxes", "fields": "id"}}]
    folder = work / "keyless"
    folder.mkdir()
    (folder / "datapackage.json").write_text(json.dumps({"name": "keyless", "resources": resources}))
    for items, notes in ((["1,a", "1,a", "1,a", "2,b", "9,a"], ["x", "x", "y", '""']),
                         (["1,a", "2,b", "2,b", "3,a", "9,b"], ["x", "x", "x", "z"]), (["1,a"], ["x"])):
        for name, lines in ("boxes", range(10)), ("items", items), ("notes", notes):
            header = ",".join(column.split(":")[0] for column in fields[name].split())
            (folder / f"{name}.csv").write_text("\n".join(map(str, [header, *lines])) + "\n")
        options = ["--quiet", "--schema", folder / "datapackage.json", "--distribute", "items=box", "--max-shrink", "100%"]
        exists = loads.server.psql("SELECT count(*) FROM pg_namespace WHERE nspname = 'keyless'") == "1"
        loads.load(*options, *(["--publish", "merge"] if exists else []), source=None)
        for node in nodes:
            for name, columns, lines in ("items", "box, name", items), ("notes", "coalesce(note, '\"\"')", notes):
                found = node.psql(f"SELECT concat_ws(',', {columns}) FROM keyless.{name}").split("\n")
                expect(sorted(found) == sorted(lines), f"{name}: {found}, not {lines}")
    loads.server.psql("DROP SCHEMA keyless CASCADE")


def check_description():
    """The description can name the table to distribute; a server without the extension then warns."""
    description = json.loads(run(loads.ingest, "describe", "--rebrickable").stdout)
    description["ingest"]["distribute"] = {"table": "inventory_parts", "column": "inventory_id"}
    (work / "datapackage.json").write_text(json.dumps(description))
    options = ["--schema", work / "datapackage.json", "--quiet", "--max-shrink", "100%", "--allow-loss"]
    loads.load(*options, source=NIGHTS[1])
    expect(distributed() == {table for table in DISTRIBUTED if table.startswith("inventor")}, f"{distributed()} are distributed")
    loads.load(*options, "--publish", "merge", source=NIGHTS[0])
    plain = Server(work / "undistributed", "fsync=off")
    loaded = loads.load(*options, source=NIGHTS[1], out=plain.uri())
    expect("feature-ignored: rebrickable: no table is distributed" in loaded.stderr, loaded.stderr)
    plain.stop()
    # The tables remain distributed without the option, also by a swap, until it ends that.
    for mode in "auto", "merge", "swap":
        load(NIGHTS[0], *(["--allow-loss"] if mode == "auto" else ["--publish", mode]), distribute=[])
        expect(distributed() == DISTRIBUTED, f"{mode}: {distributed()} are distributed")
    loads.refused("another distribution", 73, "distribution of inventories by id", "--distribute", "none", "--publish", "merge")
    ended = loads.load("--distribute", "none", "--max-shrink", "100%", source=NIGHTS[0])
    expect("swap, since the published schema differs in distribution of inventor" in ended.stdout + ended.stderr, ended.stdout)
    expect(distributed() == {""}, f"{distributed()} are distributed")
    before = loads.server.psql("SELECT 'rebrickable.sets'::regclass::oid")
    loads.load("--quiet", "--max-shrink", "100%", source=NIGHTS[1])
    expect(loads.server.psql("SELECT 'rebrickable.sets'::regclass::oid") == before, "the rows were not merged")
    load(NIGHTS[1])


def check_more_nodes():
    """A node that is added takes part without a change of the command."""
    node = start_node("worker-3")
    nodes[0].psql(f"SELECT citus_add_node('{node.folder}', 5432)")
    # Citus creates the role there, but not its privileges for the database.
    for statement in loads.CREATION:
        if statement.startswith("GRANT"):
            nodes[0].psql(statement)
    load(NIGHTS[0])
    # A new schema is where the published one is.
    nodes[0].psql("SELECT rebalance_table_shards(shard_transfer_mode := 'block_writes')")
    load(NIGHTS[1])
    load(NIGHTS[0])
    shards = int(nodes[0].psql("SELECT count(*) FROM citus_shards WHERE citus_table_type = 'distributed' "
                               f"AND nodename = '{node.folder}'"))
    expect(shards > 0, f"the node has {shards} shards")
    nodes[0].psql(f"SELECT citus_drain_node('{node.folder}', 5432, shard_transfer_mode := 'block_writes')")
    nodes[0].psql(f"SELECT citus_remove_node('{node.folder}', 5432)")
    load(NIGHTS[1])
    expect(nodes[0].psql("SELECT count(DISTINCT nodename) FROM citus_shards WHERE citus_table_type = 'distributed'") == "2",
           "the shards are not on two nodes")
    node.stop()


def check_full_disk():
    """A worker without space publishes nothing, and the message has its reason."""
    worker, disk = nodes[2], SmallDisk(work / "disk")
    if not disk.is_there:
        print("postgresql: skipped a full disk: cannot mount a file system here")
        return
    disk.hold_tablespace(worker)
    worker.psql("GRANT CREATE ON TABLESPACE small TO PUBLIC")
    worker.psql("ALTER SYSTEM SET default_tablespace = small")
    worker.psql("SELECT pg_reload_conf()")
    for night in NIGHTS:
        load(night)
    before, points = published(), 0
    while True:
        disk.leave(points * 512 * 1024)
        ended = load(NIGHTS[0], statuses=(0, 5, 74))
        disk.leave()
        if ended.returncode != 74:
            break
        expect("No space left on device" in ended.stderr and "Nothing was published" in ended.stderr, ended.stderr)
        expect(published() == before, "a run without space has published")
        points += 1
    expect(points > 0 and published() != before, f"the disk was full at {points} points, and then {published()}")
    load(NIGHTS[1])
    expect(published() == before, "the night is another after the disk was full")
    print(f"postgresql: citus: the disk of a worker was full at {points} points")


def check_warnings():
    """What Citus cannot hold is named once, and can be suppressed."""
    loaded = load(NIGHTS[1])
    for object in LEFT_OUT:
        expect(loaded.stderr.count(f"feature-ignored: rebrickable: {object}: ") == 1, f"{object}: {loaded.stderr}")
    (work / "suppressed.txt").write_text("".join(f"feature-ignored rebrickable: {object}\n" for object in LEFT_OUT))
    loaded = load(NIGHTS[1], "--suppress", work / "suppressed.txt")
    expect(loaded.stderr == "", loaded.stderr)
    verbose = loads.load(*DISTRIBUTE, "--suppress", work / "suppressed.txt")
    expect("ingest: distributed: inventories by id, inventory_parts by inventory_id, " in verbose.stderr, verbose.stderr)


def check_refusals():
    sql = work / "custom.sql"
    sql.write_text("CREATE VIEW names AS SELECT name FROM sets;\n")
    loads.refused("custom SQL", 73, "--sql is not supported", "--sql", sql, *DISTRIBUTE)
    for table, words in (("inventory_parts=part", "cannot be distributed by"), ("elements=design_id", "never empty")):
        loads.refused(table, 73, words, "--distribute", table)
    plain = Server(work / "plain", "fsync=off")
    loads.refused("no extension", 73, "CREATE EXTENSION citus", *DISTRIBUTE, out=plain.uri())
    plain.stop()


def check_reader():
    """While nights are published in turn, a reader sees one of them, or an error."""
    seen, ends = set(), threading.Event()

    def read():
        while not ends.is_set():
            read = subprocess.run(["psql", "-AtXq", "-h", loads.server.folder, "-U", "postgres", "-c", PUBLISHED, "lego"],
                                  capture_output=True, text=True)
            seen.add(read.stdout.strip() or "error")

    nights = set()
    reader = threading.Thread(target=read)
    for night in NIGHTS:
        load(night)
        nights.add(published())
    reader.start()
    for night in NIGHTS * 2:
        # A reader of several tables and the removal of the previous schema can block each other.
        load(night, "--publish", "swap", statuses=(0, 5))
    ends.set()
    reader.join()
    expect(seen - {"error"} == nights, f"a reader saw {seen}, not {nights}")
    expect(len(nights) == 2, f"both nights are {nights}")


def check_kills(moments, mode):
    """Whatever dies at whatever moment, one night is published, and the next run publishes the other."""
    start = time.monotonic()
    load(NIGHTS[1], "--publish", mode)
    duration = time.monotonic() - start
    before = published()
    load(NIGHTS[0])
    nights = [published(), before]
    coordinator, workers = nodes[0], nodes[1:]
    counts = {}
    for victim, name in ((None, "run"), (workers[1], "worker"), (coordinator, "coordinator")):
        for moment in range(moments):
            counts[name] = counts.get(name, 0) + 1
            old = nights.index(published())
            command = [loads.ingest, "--source", NIGHTS[1 - old], "--out", coordinator.uri("loader"), "--rejects",
                       work / "rejects", "--quiet", "--max-shrink", "100%", "--publish", mode]
            process = subprocess.Popen(list(map(str, command)), stderr=subprocess.PIPE, text=True)
            time.sleep(duration * (moment + 0.5) / moments)
            if victim is None:
                process.kill()
            else:
                victim.stop(signal.SIGQUIT)
            errors = process.communicate()[1]
            if victim is not None:
                expect(process.returncode in (0, 5, 73, 74), f"{name}: status {process.returncode}: {errors}")
                victim.start()
            wait_until(lambda: loads.server.psql(
                "SELECT count(*) FROM pg_stat_activity WHERE usename = 'loader' AND application_name = 'ingest'") == "0",
                "a session of the run does not end")
            # Citus ends the commits of a node that has returned within a minute; this is at once.
            coordinator.psql("SELECT recover_prepared_transactions()")
            state = published()
            expect(state in nights, f"{name} at moment {moment}: {state} is none of {nights}: {errors}")
            if victim is not None and process.returncode in (73, 74):
                expect(state == nights[old] or "possibly published" in errors,
                       f"{name} at moment {moment}: published although {errors}")
            load(NIGHTS[1 - old])
            expect(published() == nights[1 - old], f"{name} at moment {moment}: {published()} after the next run")
            expect(loads.server.psql(SCHEMAS) == "rebrickable", loads.server.psql(SCHEMAS))
    print(f"postgresql: citus: one night after kills in a {mode} of " + ", ".join(f"{name} {count}" for name, count in counts.items()))


def check_absent_worker():
    """Without a worker, nothing is published, and the message names it."""
    worker = nodes[2]
    before = published()
    worker.stop()
    failed = load(NIGHTS[0], statuses=(74,))
    expect(re.search(f"{worker.folder}(:5432)?", failed.stderr) and "Nothing was published" in failed.stderr, failed.stderr)
    worker.start()
    expect(published() == before, "a run without a worker has published")
    load(NIGHTS[0])


def main(ingest, moments="2"):
    global nodes
    probe = Server(work / "probe", "fsync=off")
    found = probe.psql("SELECT count(*) FROM pg_available_extensions WHERE name = 'citus'")
    probe.stop()
    if found == "0":
        print("postgresql: skipped Citus: the extension is not installed")
        return
    nodes = start_cluster()
    loads.ingest, loads.server = os.path.abspath(ingest), nodes[0]
    check_equality()
    check_warnings()
    check_refusals()
    check_changed_rows()
    check_keyless()
    check_reading()
    check_description()
    check_more_nodes()
    check_reader()
    check_absent_worker()
    check_full_disk()
    for mode in "merge", "swap":
        check_kills(int(moments), mode)
    print(f"postgresql: {expect.count} checks of Citus")
