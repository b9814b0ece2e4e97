"""Load files by the description that frictionless writes, and compare them with what Python's csv reads:

    python3 Tests/System Frictionless.described INGEST SOURCE FEED

SOURCE is a folder of .csv.gz files, FEED one of .txt files. One table is also written with semicolons, for which
frictionless describes a dialect.
"""
import csv
import gzip
from pathlib import Path

from frictionless import describe

from support import differences, expect, open_catalog, records, row_count, rows, run, temporary_folder, typed


def main(ingest, source, feed):
    work = temporary_folder()
    for path in Path(source).glob("*.csv.gz"):
        (work / path.stem).write_bytes(gzip.decompress(path.read_bytes()))
    for path in Path(feed).glob("*.txt"):
        (work / f"{path.stem}.csv").write_bytes(path.read_bytes())
    read = {path.stem: list(records(str(path))) for path in work.glob("*.csv")}
    read["semicolons"] = read["colors"]
    with open(work / "semicolons.csv", "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, read["colors"][0], delimiter=";")
        writer.writeheader()
        writer.writerows(read["colors"])
    package = describe("*.csv", type="package", basepath=str(work))
    dialect = package.get_resource("semicolons").to_descriptor().get("dialect")
    expect(dialect == {"csv": {"delimiter": ";"}}, f"frictionless describes semicolons by {dialect}")
    package.to_json(str(work / "datapackage.json"))
    run(ingest, "--schema", work / "datapackage.json", "--out", work / "catalog.sqlite", "--quiet")
    catalog = open_catalog(work / "catalog.sqlite")
    for resource in package.resources:
        # Numbers, dates and the like are compared by how many there are: Frictionless.values compares their values.
        columns = [field.name for field in resource.schema.fields if field.type == "string"]
        expected = [[typed(record[column], "TEXT") for column in columns] for record in read[resource.name]]
        found = rows(catalog, resource.name, columns) if columns else [()] * row_count(catalog, resource.name)
        faults = differences(resource.name, expected, found)
        expect(not faults, f"other rows than Python reads: {faults}")
    count = sum(map(len, read.values()))
    print(f"frictionless: {count:,} rows of {len(read)} tables by its own description, as Python reads them")
