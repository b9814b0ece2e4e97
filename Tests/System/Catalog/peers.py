"""Run the queries of peers.sql on a catalog that was made with Packaging/sql/rb-db.sql:

    python3 Tests/System Catalog.peers CATALOG SNAPSHOT [--write]

SNAPSHOT is fixtures (fixtures/dumps) or 2020 (the snapshot of June 2020). Results must be those recorded in peers.sql.
Where it states that they are the same, they were recorded from the other loader's own database of the snapshot. The
article's table must be up to date; --write writes it, from the snapshot of June 2020.
"""
import re
import sys
import zlib

from support import ROOT, finish, keep_up_to_date, open_catalog

QUERIES = ROOT / "Tests/System/Catalog/peers.sql"
ARTICLE = ROOT / "Sources/RebrickableCatalog/RebrickableCatalog.docc/ComingFromRbDb.md"
QUERY = re.compile(r"-- (.*?) \| (.*?) \| ?(.*?) \| (.*)\n-- fixtures (.*), 2020 (.*)\n([^;]*);\n")


def recorded(rows):
    """The number of rows, and a checksum of them in any order."""
    lines = sorted(repr(tuple(row)) for row in rows)
    return f"{len(lines)} {zlib.crc32(chr(10).join(lines).encode()):08x}"


def main(path, snapshot, option=None):
    article = ARTICLE.read_text(encoding="utf-8")
    catalog = open_catalog(path)
    for view in re.findall(r"CREATE TEMP VIEW .*?;", article):
        catalog.execute(view)
    faults, lines = [], ["| loader | query | change | rows | result |", "|---|---|---|---|---|"]
    queries = QUERY.findall(QUERIES.read_text(encoding="utf-8"))
    for loader, subject, change, result, fixtures, real, sql in queries:
        expected = {"fixtures": fixtures, "2020": real}[snapshot]
        found = recorded(catalog.execute(sql))
        if found != expected:
            faults.append(f"{subject}: recorded {expected}, found {found}")
        count = int(real.split()[0])
        result = result if count else "nothing to compare: the snapshot has no images"
        lines.append(f"| {loader} | {subject} | {change} | {count:,} | {result} |")
    if len(queries) != 33:
        faults.append(f"{len(queries)} queries instead of 33")
    head, _, rest = article.partition("| loader |")
    tail = rest.partition("\n\n")[2]
    keep_up_to_date(ARTICLE, head + "\n".join(lines) + "\n\n" + tail, option == "--write",
                    "python3 Tests/System Catalog.peers CATALOG 2020 --write")
    finish(faults, f"peers: {len(queries)} queries ran on {snapshot}")
