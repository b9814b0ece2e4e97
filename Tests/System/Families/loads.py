"""Load families of source files by their descriptions, and compare the results:

    python3 Tests/System Families.loads INGEST FOLDER... [--feed FEED]... [--package DESCRIPTION]...

Each FOLDER of LEGO files is loaded by the built-in family, by `ingest describe --rebrickable` and by the output of
`ingest describe --source`; each FEED, a GTFS feed, by `--schema gtfs`. The first two must give the same rows and the
same rejected records; the third rejects no record; a feed has the rows that Python's csv reads. A DESCRIPTION is
loaded from where it says that its files are.
"""
import functools
from pathlib import Path

from support import (
    column_types, differences, expect, open_catalog, records, row_count, rows, run, source_file, tables, temporary_folder,
    typed,
)

work = temporary_folder()
names = functools.partial(tables, without=("ingest_", "sqlite_"))


def describe(ingest, *words):
    path = work / "datapackage.json"
    path.write_text(run(ingest, "describe", *words).stdout, encoding="utf-8")
    return path


def load(ingest, name, *words, statuses=(0, 3)):
    path = work / f"{name}.sqlite"
    run("rm", "-rf", *work.glob(f"{name}.*"))
    run(ingest, *words, "--out", path, "--quiet", statuses=statuses)
    return open_catalog(path), path


def counts(database):
    found = [row_count(database, name) for name in names(database)]
    return f"{len(found)} tables, {sum(found)} rows"


def rejects(path):
    files = Path(f"{path}.rejects").glob("*.csv")
    return {file.name: file.read_bytes() for file in files if not file.name.endswith(".reasons.csv")}


def check_dumps(ingest, folder):
    common = ["--source", folder, "--allow-missing", "all", "--max-rejects", "100%"]
    built_in, built_in_path = load(ingest, "built-in", *common)
    described, path = load(ingest, "described", "--schema", describe(ingest, "--rebrickable"), *common)
    for table in names(described):
        columns = column_types(built_in, table)
        faults = differences(table, rows(built_in, table, columns), rows(described, table, columns))
        expect(not faults, f"{folder}: described and built in differ: {faults}")
    expect(rejects(built_in_path) == rejects(path), f"{folder}: described and built in differ in rejected records")
    print(f"{folder}: described as built in, {counts(described)}, 0 different")


def check_inference(ingest, folder):
    inferred, _ = load(ingest, "inferred", "--schema", describe(ingest, "--source", folder), "--source", folder, statuses=(0,))
    keys = sum(len({key[0] for key in inferred.execute(f'PRAGMA foreign_key_list("{name}")')}) for name in names(inferred))
    print(f"{folder}: inferred, {counts(inferred)}, {keys} foreign keys, 0 rejected")


def value(field, column, kind):
    is_date = column == "date" or column.endswith("_date")
    return f"{field[:4]}-{field[4:6]}-{field[6:]}" if is_date and field else typed(field, kind)


def check_feed(ingest, feed):
    database, _ = load(ingest, "feed", "--schema", "gtfs", "--source", feed)
    total = 0
    for table in names(database):
        path = source_file(feed, table)
        read = list(records(path))
        if not read:
            expect(table == "services" or not row_count(database, table), f"{feed}: {table} has rows, but no records")
            continue
        kinds = {column: kind for column, kind in column_types(database, table).items() if column in read[0]}
        expected = [[value(record[column], column, kind) for column, kind in kinds.items()] for record in read]
        faults = differences(table, expected, rows(database, table, kinds))
        expect(not faults, f"{path}: {faults}")
        total += len(read)
    print(f"{feed}: as Python reads it, {total} rows, 0 different")


def check_package(ingest, description):
    database, _ = load(ingest, "package", "--schema", description)
    expect(not database.execute("PRAGMA foreign_key_check").fetchall(), f"{description}: there are rows without a parent")
    print(f"{description}: {counts(database)}")


def main(ingest, *words):
    words = list(words)
    while words:
        word = words.pop(0)
        if word == "--feed":
            check_feed(ingest, words.pop(0))
        elif word == "--package":
            check_package(ingest, words.pop(0))
        else:
            check_dumps(ingest, word)
            if "missing-parents/" not in word:
                check_inference(ingest, word)
