#!/usr/bin/env python3
"""Times the whole job against the sqlite3 shell, in turn, on the same dumps.

usage: against-import.py INGEST SOURCE [RUNS]

The shell's job: gunzip each file, `.import --csv` it into a table of the same columns and types, then
create the same keys and indexes, read from the catalogue that ingest made; once as the shell comes, and
once without journal and sync. It checks nothing: no foreign keys, no domains, booleans stay words, empty
fields stay empty texts, and there are no statistics.
Prints the medians of the seconds and of the ratios, round by round, with least and greatest, and the peak
memory of ingest.
"""
import gzip
import os
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time


def run(command, **options):
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, **options)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    if status != 0:
        sys.exit(f"{command} ended with {os.waitstatus_to_exitcode(status)}")
    return seconds, usage.ru_maxrss


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def reference_script(catalog, source, folder, target, settings):
    """The shell commands that load the dumps, and the SQL that they run."""
    database = sqlite3.connect(f"file:{catalog}?mode=ro", uri=True)
    commands, tables, indexes = [], [], []
    for name in sorted(os.listdir(source)):
        if not name.endswith(".csv.gz"):
            continue
        table = name[: -len(".csv.gz")]
        plain = os.path.join(folder, table + ".csv")
        commands.append(f"gunzip -c '{os.path.join(source, name)}' > '{plain}'")
        with gzip.open(os.path.join(source, name), "rt", newline="") as file:
            header = file.readline().strip().split(",")
        info = {row[1]: row for row in database.execute(f"PRAGMA table_info({quoted(table)})")}
        key = [row[1] for row in sorted(info.values(), key=lambda row: row[5]) if row[5]]
        rowid = len(key) == 1 and info[key[0]][2] == "INTEGER"
        columns = [
            f"{quoted(column)} {info[column][2] if column in info else 'TEXT'}"
            + (" PRIMARY KEY" if rowid and column == key[0] else "")
            for column in header
        ]
        tables.append(f"CREATE TABLE {quoted(table)} ({', '.join(columns)});")
        tables.append(f".import --csv --skip 1 {plain} {table}")
        if not rowid:
            columns = ", ".join(map(quoted, key))
            indexes.append(f"CREATE UNIQUE INDEX {quoted(table + '_key')} ON {quoted(table)} ({columns});")
        for row in database.execute(
            "SELECT sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL AND tbl_name = ?",
            (table,),
        ):
            indexes.append(row[0] + ";")
    script = os.path.join(folder, f"load-{len(settings)}.sql")
    with open(script, "w") as file:
        file.write("\n".join([".bail on"] + settings + tables + indexes) + "\n")
    return " && ".join(commands + [f"sqlite3 '{target}' < '{script}'"])


UNSAFE = ["PRAGMA journal_mode = OFF;", "PRAGMA synchronous = OFF;"]


def show(name, values, digits=2):
    middle, least, greatest = statistics.median(values), min(values), max(values)
    print(f"{name:58} {middle:6.{digits}f}  ({least:.{digits}f} to {greatest:.{digits}f})")


def main():
    ingest, source = sys.argv[1:3]
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    folder = tempfile.mkdtemp(prefix="against-import-")
    catalog, target = os.path.join(folder, "c.sqlite"), os.path.join(folder, "r.sqlite")
    job = [ingest, "--source", source, "--out", catalog, "--quiet", "--allow-missing", "all"]
    try:
        run(job)
        references = {
            "gunzip + .import + keys + indexes": reference_script(catalog, source, folder, target, []),
            "the same without journal and sync": reference_script(
                catalog, source, folder, target, UNSAFE
            ),
        }
        ours, memory, theirs = [], [], {name: [] for name in references}
        for _ in range(rounds):
            seconds, peak = run(job)
            ours.append(seconds)
            memory.append(peak / 1000)
            for name, script in references.items():
                if os.path.exists(target):
                    os.remove(target)
                theirs[name].append(run(["bash", "-c", script])[0])
        show("ingest, s", ours)
        for name, values in theirs.items():
            show(f"{name}, s", values)
        for name, values in theirs.items():
            show(f"ingest / {name}", [a / b for a, b in zip(ours, values)])
        show("peak memory of ingest, MB", memory, digits=1)
    finally:
        shutil.rmtree(folder)


main()
