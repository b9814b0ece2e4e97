#!/usr/bin/env python3
"""Times the whole job against the sqlite3 shell, in turn, on the same dumps.

usage: against-import.py INGEST SOURCE [RUNS]

The shell's job: gunzip each file, `.import --csv` it into a table of the same columns and types, without
journal and sync, then create the same keys and indexes, read from the catalogue that ingest made. It
checks nothing: no foreign keys, no domains, booleans stay words, empty fields stay empty texts.
Prints the median of the pairwise ratios, with least and greatest, and the peak memory of ingest.
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


def reference_script(catalog, source, folder, target):
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
    settings = ["PRAGMA journal_mode = OFF;", "PRAGMA synchronous = OFF;", ".bail on"]
    script = os.path.join(folder, "load.sql")
    with open(script, "w") as file:
        file.write("\n".join(settings + tables + indexes) + "\n")
    return " && ".join(commands + [f"sqlite3 '{target}' < '{script}'"])


def main():
    ingest, source = sys.argv[1:3]
    runs = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    folder = tempfile.mkdtemp(prefix="against-import-")
    catalog, reference = os.path.join(folder, "c.sqlite"), os.path.join(folder, "r.sqlite")
    job = [ingest, "--source", source, "--out", catalog, "--quiet", "--allow-missing", "all"]
    try:
        run(job)
        script = reference_script(catalog, source, folder, reference)
        ours, theirs, memory = [], [], []
        for _ in range(runs):
            seconds, peak = run(job)
            ours.append(seconds)
            memory.append(peak)
            if os.path.exists(reference):
                os.remove(reference)
            theirs.append(run(["bash", "-c", script])[0])
        ratios = [a / b for a, b in zip(ours, theirs)]
        for name, values in (("ingest, s", ours), ("gunzip + .import + keys + indexes, s", theirs)):
            print(f"{name:40} {statistics.median(values):6.2f}  ({min(values):.2f} to {max(values):.2f})")
        print(f"{'ratio, pair by pair':40} {statistics.median(ratios):6.2f}  ({min(ratios):.2f} to {max(ratios):.2f})")
        print(f"{'peak memory of ingest, MB':40} {max(memory) / 1000:6.1f}")
    finally:
        shutil.rmtree(folder)


main()
