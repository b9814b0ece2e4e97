#!/usr/bin/env python3
"""Loads families of dumps by their descriptions, and compares what comes out.

    check-families.py INGEST FOLDER... [--feed FEED]... [--package DESCRIPTION]...

Each FOLDER of LEGO dumps is loaded by the built-in family, by `ingest describe --rebrickable`, and by what
`ingest describe --source` makes of it; each FEED, a GTFS feed, by `--schema gtfs`. The first two must give the
same rows and the same rejected records; the third loses no record; a feed has the rows that Python's csv reads. A
DESCRIPTION is loaded from where it says that its files are.
"""
import csv
import glob
import os
import sqlite3
import subprocess
import sys
import tempfile


def run(*words, out=None, statuses=(0,)):
    result = subprocess.run(words, stdout=out or subprocess.PIPE, stderr=subprocess.PIPE)
    if result.returncode not in statuses:
        sys.exit(f"{' '.join(words)}: {result.returncode}\n{result.stderr.decode()}")
    return result.stdout


def tables(connection):
    names = connection.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'ingest\\_%' ESCAPE '\\'"
        " AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'")
    return {name for (name,) in names}


def describe(ingest, work, *words):
    path = f"{work}/datapackage.json"
    with open(path, "wb") as file:
        run(ingest, "describe", *words, out=file)
    return path


def load(ingest, work, name, *words):
    path = f"{work}/{name}.sqlite"
    run(ingest, *words, "--out", path, "--silent", statuses=(0, 3))
    return path


def differences(one, other, names):
    """For each table, the rows that only one of two files has; every table must be in both."""
    connection = sqlite3.connect(one)
    connection.execute("ATTACH ? AS other", (other,))
    for table in sorted(names):
        columns = ", ".join(f'"{row[1]}"' for row in connection.execute(f'PRAGMA main.table_info("{table}")'))
        types = ", ".join(f"typeof({column})" for column in columns.split(", "))
        rows = f"SELECT {columns}, {types}, count(*) FROM {{}}.\"{table}\" GROUP BY {columns}"
        count = 0
        for left, right in (("main", "other"), ("other", "main")):
            query = f"SELECT count(*) FROM ({rows.format(left)} EXCEPT {rows.format(right)})"
            count += connection.execute(query).fetchone()[0]
        yield table, count


def rejects(path):
    records = {}
    for name in sorted(glob.glob(f"{path}.rejects/*.csv")):
        if not name.endswith(".reasons.csv"):
            with open(name, "rb") as file:
                records[os.path.basename(name)] = file.read()
    return records


def check_dumps(ingest, work, folder):
    common = ["--source", folder, "--allow-missing", "all", "--max-rejects", "100%"]
    built_in = load(ingest, work, "built-in", *common)
    described = load(
        ingest, work, "described", "--schema", describe(ingest, work, "--rebrickable"), *common)
    names = tables(sqlite3.connect(described))
    different = {table: count for table, count in differences(built_in, described, names) if count}
    rows = sum(sqlite3.connect(described).execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for name in names)
    if different or rejects(built_in) != rejects(described):
        sys.exit(f"{folder}: described and built in differ: {different}, or in rejected records")
    print(f"{folder}: described as built in, {len(names)} tables, {rows} rows, 0 different")


def check_inference(ingest, work, folder):
    description = describe(ingest, work, "--source", folder)
    words = [ingest, "--schema", description, "--source", folder, "--out", f"{work}/inferred.sqlite", "--silent"]
    run(*words)
    connection = sqlite3.connect(f"{work}/inferred.sqlite")
    rows = {name: connection.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for name in tables(connection)}
    keys = sum(len({r[0] for r in connection.execute(f'PRAGMA foreign_key_list("{name}")')}) for name in rows)
    print(f"{folder}: inferred, {len(rows)} tables, {sum(rows.values())} rows, {keys} foreign keys, 0 rejected")


def value(text, kind):
    if text == "":
        return None
    if kind == "INTEGER":
        return int(text)
    if kind == "REAL":
        return float(text)
    return text


def check_feed(ingest, work, feed):
    path = load(ingest, work, "feed", "--schema", "gtfs", "--source", feed)
    connection = sqlite3.connect(path)
    total = 0
    for name in sorted(tables(connection)):
        file = f"{feed}/{name}.txt"
        stored = {}
        for row in connection.execute(f'PRAGMA table_info("{name}")'):
            stored[row[1]] = row[2]
        if not os.path.exists(file):
            if connection.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] and name != "services":
                sys.exit(f"{feed}: {name} has rows, but there is no {file}")
            continue
        with open(file, newline="", encoding="utf-8-sig") as text:
            reader = csv.DictReader(text)
            columns = [column for column in reader.fieldnames if column in stored]
            read = sorted(
                repr([iso(value(row[column], stored[column]), column) for column in columns]) for row in reader)
        listed = ", ".join(f'"{column}"' for column in columns)
        loaded = sorted(repr(list(row)) for row in connection.execute(f'SELECT {listed} FROM "{name}"'))
        if read != loaded:
            sys.exit(f"{file}: {len(read)} records, and {name} has {len(loaded)} other rows")
        total += len(read)
    print(f"{feed}: as Python reads it, {total} rows, 0 different")


def check_package(ingest, work, description):
    path = load(ingest, work, "package", "--schema", description)
    connection = sqlite3.connect(path)
    rows = {name: connection.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for name in tables(connection)}
    if connection.execute("PRAGMA foreign_key_check").fetchall():
        sys.exit(f"{description}: there are rows without a parent")
    print(f"{description}: {len(rows)} tables, {sum(rows.values())} rows")


def iso(text, column):
    is_date = column == "date" or column.endswith("_date")
    return f"{text[:4]}-{text[4:6]}-{text[6:]}" if is_date and text else text


def main():
    ingest, *words = sys.argv[1:]
    while words:
        with tempfile.TemporaryDirectory() as work:
            word = words.pop(0)
            if word == "--feed":
                check_feed(ingest, work, words.pop(0))
            elif word == "--package":
                check_package(ingest, work, words.pop(0))
            else:
                check_dumps(ingest, work, word)
                if not os.path.basename(word).startswith("missing") and os.path.basename(os.path.dirname(word)) != "missing-parents":
                    check_inference(ingest, work, word)


main()
