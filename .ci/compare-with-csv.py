#!/usr/bin/env python3
"""Compares a catalogue with its dumps, field by field, as Python's own csv and sqlite3 read them.

usage: compare-with-csv.py SOURCE CATALOG

Shares no code with the loader: the names of the tables come from the files, those of the columns and
their types from the database. Exits with 1 and names the first differences if there are any.
"""
import csv
import gzip
import io
import os
import sqlite3
import sys
import zlib

csv.field_size_limit(1 << 30)
# What follows from the dumps; check-questions.py looks at it.
DERIVED = {
    "set_nums", "latest_inventories", "set_inventories", "part_relation_chains", "part_color_stats",
    "part_stats", "color_stats", "set_stats", "theme_stats",
}
BOOLEANS = {"t": 1, "True": 1, "f": 0, "False": 0}


def dump_rows(path):
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path, "rb") as file:
        text = file.read().decode("utf-8-sig")
    rows = csv.reader(io.StringIO(text, newline=""), strict=True)
    header = next(rows)
    return header, [row for row in rows if row]


def expected(field, column_type, is_boolean):
    if field == "":
        return None
    if is_boolean:
        return BOOLEANS[field]
    return int(field) if column_type == "INTEGER" else field


def source_faults(database, table, path, records):
    """What is not as the catalogue says of the file that a table was loaded from."""
    with open(path, "rb") as file:
        stored = file.read()
    content = gzip.decompress(stored) if path.endswith(".gz") else stored
    wanted = (os.path.basename(path), len(stored), f"{zlib.crc32(content):08x}", len(content), records)
    found = database.execute(
        "SELECT file_name, size, crc32, bytes, records FROM ingest_sources WHERE table_name = ?",
        (table,),
    ).fetchall()
    return [] if found == [wanted] else [f"{table}: made from {wanted!r}, but says {found!r}"]


def compare(database, table, path):
    columns = database.execute(
        "SELECT name, type FROM pragma_table_info(?) ORDER BY cid", (table,)
    ).fetchall()
    if not columns:
        return [f"{table}: no such table"], 0
    definition = database.execute(
        "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?", (table,)
    ).fetchone()[0]
    header, rows = dump_rows(path)
    places = [header.index(name) if name in header else None for name, _ in columns]
    kinds = [(t, f'CHECK ("{name}" IN (0, 1))' in definition) for name, t in columns]
    wanted = [
        tuple(
            None if place is None else expected(row[place], *kind)
            for place, kind in zip(places, kinds)
        )
        for row in rows
    ]
    names = ", ".join(f'"{name}"' for name, _ in columns)
    found = database.execute(f'SELECT {names} FROM "{table}"').fetchall()

    def order(row):
        return tuple((value is not None, str(type(value)), value) for value in row)

    wanted.sort(key=order)
    found.sort(key=order)
    faults = source_faults(database, table, path, len(rows))
    if len(wanted) != len(found):
        faults.append(f"{table}: {len(found)} rows, but the dump has {len(wanted)}")
    for want, have in zip(wanted, found):
        if want != have:
            faults.append(f"{table}: the dump has {want!r}, the catalogue {have!r}")
            break
    return faults, len(found)


def main():
    source, catalog = sys.argv[1:]
    database = sqlite3.connect(f"file:{catalog}?mode=ro", uri=True)
    faults = []
    total = 0
    tables = {
        name.split(".csv")[0]: os.path.join(source, name)
        for name in sorted(os.listdir(source))
        if name.endswith((".csv", ".csv.gz"))
    }
    for table, path in tables.items():
        table_faults, count = compare(database, table, path)
        faults += table_faults
        total += count
        print(f"{table}: {count} rows compared")
    for (table,) in database.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    ):
        count = database.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0]
        known = table in tables or table in DERIVED or table.startswith(("ingest_", "search"))
        if count and not known:
            faults.append(f"{table}: {count} rows without a dump")
    integrity = database.execute("PRAGMA integrity_check").fetchall()
    if integrity != [("ok",)]:
        faults.append(f"integrity_check: {integrity[:3]}")
    orphans = database.execute("PRAGMA foreign_key_check").fetchall()
    if orphans:
        faults.append(f"foreign_key_check: {orphans[:3]}")
    for fault in faults:
        print("DIFFERENT", fault)
    print(f"{total} rows of {len(tables)} tables, {len(faults)} differences")
    sys.exit(1 if faults else 0)


main()
