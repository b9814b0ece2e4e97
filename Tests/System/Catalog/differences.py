"""Compare the output of `ingest diff OLD NEW --json` with the source files of both catalogs, as Python's csv reads them:

    python3 Tests/System Catalog.differences OLD_SOURCE NEW_SOURCE DIFF.json

Nothing of the loader and no database is used. No record of the source files may have been rejected.
"""
import collections
import json
import sys
from pathlib import Path

from support import finish, records, source_file, typed

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
KINDS = dict.fromkeys(["is_trans", "is_spare"], "BOOLEAN") | dict.fromkeys([
    "id", "parent_id", "part_cat_id", "color_id", "year", "theme_id", "num_parts", "num_sets", "y1", "y2",
    "version", "inventory_id", "quantity",
], "INTEGER")
# A column of old source files that the catalog does not keep.
UNKNOWN = "part_material_id"


def rows(folder, table):
    """The rows of a source file by their keys."""
    found = {}
    for record in records(source_file(folder, table)):
        row = {name: typed(field, KINDS.get(name)) for name, field in record.items() if name != UNKNOWN}
        key = tuple(row.pop(name) for name in KEYS[table])
        if key in found:
            sys.exit(f"{folder}: {table}: two records have the key {key!r}")
        found[key] = row
    return found


def changes(old, new):
    """The change of each key that differs, with the fields before and after it."""
    found = {key: ("removed", {}) for key in old.keys() - new.keys()}
    found |= {key: ("added", {}) for key in new.keys() - old.keys()}
    for key in old.keys() & new.keys():
        # A column that a source file does not have is NULL in the catalog.
        pairs = {name: (old[key].get(name), new[key].get(name)) for name in old[key].keys() | new[key].keys()}
        fields = {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}
        if fields:
            found[key] = ("changed", fields)
    return found


def sort_key(key):
    return tuple((field is not None, field.encode() if isinstance(field, str) else field) for field in key)


def check(table, old, new, expected):
    """The faults of the document's part about a table."""
    keys = [tuple(entry["key"]) for entry in table["differences"]]
    found = {
        tuple(entry["key"]): (
            entry["change"],
            {field["column"]: (field["before"], field["after"]) for field in entry.get("fields", [])})
        for entry in table["differences"]
    }
    faults = [] if len(found) == len(keys) else ["duplicate key"]
    if keys != sorted(keys, key=sort_key):
        faults.append("the keys are not in the order of their bytes")
    faults += [
        f"{key!r}: expected {expected.get(key)!r}, found {found.get(key)!r}"
        for key in sorted(expected.keys() | found.keys(), key=sort_key)
        if expected.get(key) != found.get(key)
    ]
    kinds = [kind for kind, _ in expected.values()]
    counts = {
        "rows_before": len(old), "rows_after": len(new), "key": KEYS[table["name"]],
        "changed_columns": collections.Counter(name for _, fields in expected.values() for name in fields),
        **{kind: kinds.count(kind) for kind in ("added", "removed", "changed")},
    }
    faults += [
        f"{name}: expected {count!r}, found {table[name]!r}" for name, count in counts.items() if table[name] != count]
    return [f"{table['name']}: {fault}" for fault in faults[:10]]


def main(old_source, new_source, path):
    document = json.loads(Path(path).read_text(encoding="utf-8"))
    reported = {table["name"]: table for table in document["tables"]}
    faults = [f"{name}: reported in only one of document and test" for name in KEYS.keys() ^ reported.keys()]
    total = 0
    for name in KEYS.keys() & reported.keys():
        old, new = rows(old_source, name), rows(new_source, name)
        expected = changes(old, new)
        faults += check(reported[name], old, new, expected)
        total += len(expected)
    if document["is_different"] != (total > 0):
        faults.append(f"is_different is {document['is_different']}")
    finish(faults, f"{total} differences of {len(reported)} tables, {len(faults)} faults")
