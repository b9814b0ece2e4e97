"""Loads files by the description that frictionless writes of them, and compares them with what Python's csv reads:
    check-described.py INGEST DUMPS FEED
DUMPS is a folder of .csv.gz files, FEED one of .txt files. One table is also written with semicolons, for which
frictionless describes a dialect.
"""
import collections
import csv
import gzip
import pathlib
import sqlite3
import subprocess
import sys
import tempfile

from frictionless import describe


def texts(rows, columns):
    """The values of some columns, and how often each row of them is there."""
    return collections.Counter(tuple(row[column] or None for column in columns) for row in rows)


def main():
    ingest, dumps, feed = sys.argv[1:]
    with tempfile.TemporaryDirectory() as work:
        folder = pathlib.Path(work)
        for path in pathlib.Path(dumps).glob("*.csv.gz"):
            (folder / path.stem).write_bytes(gzip.decompress(path.read_bytes()))
        for path in pathlib.Path(feed).glob("*.txt"):
            (folder / f"{path.stem}.csv").write_bytes(path.read_bytes())
        rows = {}
        for path in folder.glob("*.csv"):
            with open(path, encoding="utf-8-sig", newline="") as file:
                rows[path.stem] = list(csv.DictReader(file))
        rows["semicolons"] = rows["colors"]
        with open(folder / "semicolons.csv", "w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, rows["colors"][0], delimiter=";")
            writer.writeheader()
            writer.writerows(rows["colors"])
        package = describe("*.csv", type="package", basepath=work)
        dialect = package.get_resource("semicolons").to_descriptor().get("dialect")
        if dialect != {"csv": {"delimiter": ";"}}:
            sys.exit(f"frictionless describes semicolons by {dialect}")
        package.to_json(str(folder / "datapackage.json"))
        catalog = folder / "catalog.sqlite"
        subprocess.run([ingest, "--schema", folder / "datapackage.json", "--out", catalog, "--silent"], check=True)
        connection = sqlite3.connect(catalog)
        connection.row_factory = sqlite3.Row
        for resource in package.resources:
            columns = [field.name for field in resource.schema.fields if field.type == "string"]
            found = connection.execute(f'SELECT * FROM "{resource.name}"').fetchall()
            if len(found) != len(rows[resource.name]) or texts(found, columns) != texts(rows[resource.name], columns):
                sys.exit(f"{resource.name}: other rows than Python reads")
        count = sum(map(len, rows.values()))
        print(f"frictionless: {count:,} rows of {len(rows)} tables by its own description, as Python reads them")


if __name__ == "__main__":
    main()
