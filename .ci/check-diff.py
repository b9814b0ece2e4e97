#!/usr/bin/env python3
"""Holds what `ingest diff OLD NEW --json` says against the dumps of both catalogues, as Python's own csv reads
them.

usage: check-diff.py OLD_DUMPS NEW_DUMPS DIFF.json

Shares no code with the loader, and asks no database: the names of the tables come from the files, the order
of their columns from the headers; keys, booleans and numbers stand below. Exits with 1 and names the first
differences if there are any. Nothing of the dumps may have been rejected.
"""
import csv
import gzip
import io
import json
import os
import sys

csv.field_size_limit(1 << 30)
KEYS = {
    "themes": ["id"],
    "colors": ["id"],
    "part_categories": ["id"],
    "parts": ["part_num"],
    "part_relationships": ["rel_type", "child_part_num", "parent_part_num"],
    "elements": ["element_id"],
    "sets": ["set_num"],
    "minifigs": ["fig_num"],
    "inventories": ["id"],
    "inventory_parts": ["inventory_id", "part_num", "color_id", "is_spare"],
    "inventory_sets": ["inventory_id", "set_num"],
    "inventory_minifigs": ["inventory_id", "fig_num"],
}
BOOLEANS = {"is_trans", "is_spare"}
NUMBERS = {
    "id", "parent_id", "part_cat_id", "color_id", "year", "theme_id", "num_parts", "num_sets", "y1", "y2",
    "version", "inventory_id", "quantity",
}
# What old dumps have and the catalogue does not keep.
UNKNOWN = {"part_material_id"}


def value(column, field):
    if field == "":
        return None
    if column in BOOLEANS:
        return 1 if field in ("t", "True") else 0
    return int(field) if column in NUMBERS else field


def rows(folder, table):
    """The rows of a dump by their keys; none if it is not there."""
    path = f"{folder}/{table}.csv"
    opener = open if os.path.exists(path) else gzip.open
    path = path if os.path.exists(path) else path + ".gz"
    if not os.path.exists(path):
        return {}
    with opener(path, "rb") as file:
        text = file.read().decode("utf-8-sig")
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    header = next(reader)
    found = {}
    for fields in reader:
        if not fields:
            continue
        row = dict(zip(header, map(value, header, fields)))
        key = tuple(row.pop(name) for name in KEYS[table])
        if key in found:
            sys.exit(f"{path}: two records have the key {key!r}")
        found[key] = row
    return found


def expected(old, new):
    """For each key that differs, what has become of it."""
    differences = {key: ("removed", {}) for key in old.keys() - new.keys()}
    differences.update({key: ("added", {}) for key in new.keys() - old.keys()})
    for key in old.keys() & new.keys():
        # A column that a dump does not have is NULL in the catalogue.
        names = (old[key].keys() | new[key].keys()) - UNKNOWN
        fields = {
            name: (old[key].get(name), new[key].get(name))
            for name in names
            if old[key].get(name) != new[key].get(name)
        }
        if fields:
            differences[key] = ("changed", fields)
    return differences


def sort_key(key):
    return tuple((field is not None, field.encode() if isinstance(field, str) else field) for field in key)


def check(table, old, new):
    """What is not as the dumps have it in the document's part about a table."""
    wanted = expected(old, new)
    found = {}
    for entry in table["differences"]:
        fields = {
            field["column"]: (field["before"], field["after"]) for field in entry.get("fields", [])
        }
        found[tuple(entry["key"])] = (entry["change"], fields)
    faults = []
    if len(found) != len(table["differences"]):
        faults.append("a key is told of twice")
    keys = [tuple(entry["key"]) for entry in table["differences"]]
    if keys != sorted(keys, key=sort_key):
        faults.append("the keys are in another order than that of their bytes")
    for key in sorted(wanted.keys() | found.keys(), key=sort_key):
        if wanted.get(key) != found.get(key):
            faults.append(f"{key!r}: expected {wanted.get(key)!r}, found {found.get(key)!r}")
    columns = {}
    for change, fields in wanted.values():
        for name in fields:
            columns[name] = columns.get(name, 0) + 1
    changes = [change for change, _ in wanted.values()]
    counts = {
        "rows_before": len(old), "rows_after": len(new), "changed_columns": columns,
        "key": KEYS[table["name"]],
        **{change: changes.count(change) for change in ("added", "removed", "changed")},
    }
    for name, count in counts.items():
        if table[name] != count:
            faults.append(f"{name}: expected {count!r}, found {table[name]!r}")
    return faults, len(wanted)


def main():
    old, new, path = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        document = json.load(file)
    tables = {table["name"]: table for table in document["tables"]}
    faults = [f"{name}: is not told of" for name in KEYS if name not in tables]
    faults += [f"{name}: is told of" for name in tables if name not in KEYS]
    total = 0
    for name, table in tables.items():
        if name in KEYS:
            found, count = check(table, rows(old, name), rows(new, name))
            faults += [f"{name}: {fault}" for fault in found[:10]]
            total += count
    if document["is_different"] != (total > 0):
        faults.append(f"is_different is {document['is_different']}")
    for fault in faults:
        print("DIFFERENT", fault)
    print(f"{total} differences of {len(tables)} tables, {len(faults)} faults")
    sys.exit(1 if faults else 0)


main()
