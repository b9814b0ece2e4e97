"""Compare a catalog with its source files, field by field, as Python's csv and sqlite3 read them:

    python3 Tests/System Catalog.rows SOURCE CATALOG

Nothing of the loader is used: the tables are named by the files, columns and types by the database.
"""
import gzip
import os
import zlib
from pathlib import Path

from support import column_types, differences, finish, open_catalog, records, row_count, rows, source_file, tables, typed

# What follows from the source files; Catalog.questions compares it.
DERIVED = {
    "set_nums", "latest_inventories", "set_inventories", "older_set_inventories", "part_relation_chains",
    "part_color_stats", "part_stats", "color_stats", "set_stats", "theme_stats",
}


def source_faults(database, table, path, count):
    """Whether the catalog describes the file that a table was loaded from as it is."""
    stored = Path(path).read_bytes()
    content = gzip.decompress(stored) if path.endswith(".gz") else stored
    expected = (os.path.basename(path), len(stored), f"{zlib.crc32(content):08x}", len(content), count)
    found = database.execute(
        "SELECT file_name, size, crc32, bytes, records FROM ingest_sources WHERE table_name = ?", (table,))
    return differences(f"source of {table}", [expected], found)


def main(source, catalog):
    database = open_catalog(catalog)
    faults, total = [], 0
    loaded = sorted(name.split(".csv")[0] for name in os.listdir(source) if name.endswith((".csv", ".csv.gz")))
    for table in loaded:
        kinds = column_types(database, table)
        if not kinds:
            faults.append(f"{table}: no such table")
            continue
        definition = database.execute("SELECT sql FROM sqlite_schema WHERE name = ?", (table,)).fetchone()[0]
        kinds |= {name: "BOOLEAN" for name in kinds if f'CHECK ("{name}" IN (0, 1))' in definition}
        path = source_file(source, table)
        expected = [tuple(typed(record.get(name), kind) for name, kind in kinds.items()) for record in records(path)]
        faults += source_faults(database, table, path, len(expected))
        faults += differences(table, expected, rows(database, table, kinds))
        total += len(expected)
        print(f"{table}: {len(expected)} rows compared")
    for table in tables(database, without=("sqlite_", "ingest_", "search")):
        if table not in DERIVED.union(loaded) and (count := row_count(database, table)):
            faults.append(f"{table}: {count} rows without a source file")
    faults += differences("integrity_check", [("ok",)], database.execute("PRAGMA integrity_check"))
    faults += differences("foreign_key_check", [], database.execute("PRAGMA foreign_key_check"))
    finish(faults, f"{total} rows of {len(loaded)} tables, {len(faults)} differences")
