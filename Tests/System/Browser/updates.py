"""Try the commands and programs of the articles Updates and Datasette on a catalog that is loaded twice:

    python3 Tests/System [--newest] Browser.updates INGEST

Readers must open the second catalog; sqlite-utils must search and change a copy within the limits of its table.
"""
import json
import os
import re
import shutil
import sqlite3
import time
import urllib.request

from Browser.catalog import FOLDER, TOOLS, serving
from support import ROOT, expect, run, wait_until

ARTICLES = ROOT / "Sources/RebrickableCatalog/RebrickableCatalog.docc"
CATALOG = FOLDER / "catalog.sqlite"


def blocks(article, language):
    return re.findall(rf"```{language}\n(.*?)```", (ARTICLES / article).read_text(encoding="utf-8"), re.S)


def shell(script):
    return run("bash", "-ec", script, cwd=FOLDER, env=os.environ | {"PATH": f"{TOOLS}:{os.environ['PATH']}"}).stdout


def follow_updates(ingest):
    def load(name, *options):
        run(ingest, "--source", ROOT / "fixtures" / name, "--out", CATALOG, "--quiet", *options)

    def version(connection):
        return connection.execute("PRAGMA data_version").fetchone()[0]

    load("dumps-2020")
    (FOLDER / "metadata.json").write_text(run(ingest, "metadata", "--datasette").stdout, encoding="utf-8")
    names = {}
    exec(blocks("Updates.md", "python")[0], names)
    reader = names["Catalog"](CATALOG)
    last_run = "SELECT max(run) FROM ingest_history"
    expect(reader.connection() is reader.connection(), "the same catalog is opened once")
    age, datasette = blocks("Updates.md", "sh")
    expect(datasette.strip() == "datasette --immutable catalog.sqlite --metadata metadata.json --reload", "Datasette's command")
    with serving("--reload") as address:
        def shown():
            with urllib.request.urlopen(address + "/ingest_history.json?_sort_desc=run&_shape=array") as answer:
                return json.load(answer)[0]["run"]

        expect(shown() == 1, "Datasette shows the first run")
        for number, options in (2, []), (3, ["--keep-previous"]):
            time.sleep(5)  # It looks at the file once a second, and again after it has restarted.
            old = reader.connection()
            before = old.execute(last_run).fetchone(), version(old)
            load(["dumps-2020", "dumps"][number % 2 == 0], *options)
            expect(old.execute(last_run).fetchone() == before[0], "an open connection reads the previous catalog")
            expect((version(old) == before[1]) == bool(options), "data_version changes unless the file keeps a name")
            expect(reader.connection().execute(last_run).fetchone() == (number,), "the new catalog is opened")
            expect(shell(age).startswith(f"{number}|"), "the shell shows the new run")

            def is_shown():
                try:
                    return shown() == number
                except OSError:  # It restarts.
                    return False

            wait_until(is_shown, f"Datasette does not show run {number}")


def change_with_sqlite_utils():
    shell(blocks("Datasette.md", "sh")[1])
    copy = sqlite3.connect(FOLDER / "mine.sqlite")
    expect(not copy.execute("SELECT 1 FROM parts WHERE name <> upper(name)").fetchall(), "converted names")
    sets, parts = (copy.execute("SELECT sql FROM sqlite_schema WHERE name = ?", (name,)).fetchone()[0]
                   for name in ("sets", "my_parts"))
    expect("CHECK" in sets and "STRICT" in sets and 'REFERENCES "themes"' in sets and "img_url" not in sets, sets)
    expect('"pieces"' in parts, parts)
    expect(not copy.execute("PRAGMA foreign_key_check").fetchall(), "references after a transformation")
    tables = copy.execute("SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table'").fetchall()
    for table, without_rowid in tables:
        columns = copy.execute("SELECT name FROM pragma_table_info(?) WHERE name <> 'rowid'", (table,)).fetchall()
        rows = copy.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0]
        if table.startswith(("sqlite_", "parts_fts", "ingest_")) or not rows:
            continue
        shutil.copy(FOLDER / "mine.sqlite", FOLDER / "changed.sqlite")
        run(TOOLS / "sqlite-utils", "convert", FOLDER / "changed.sqlite", table, columns[-1][0], "value")
        changed = run(TOOLS / "sqlite-utils", "transform", FOLDER / "changed.sqlite", table, "-o", columns[-1][0],
                      statuses=None)
        expect((changed.returncode != 0) == bool(without_rowid), f"{table}: {changed.stderr}")
        expect(not without_rowid or "datatype mismatch" in changed.stderr, changed.stderr)
        found = sqlite3.connect(FOLDER / "changed.sqlite").execute(f'SELECT count(*) FROM "{table}"').fetchone()[0]
        expect(found == rows, f"{table} has {found} rows instead of {rows}")


def main(ingest):
    follow_updates(ingest)
    change_with_sqlite_utils()
    print(f"updates and sqlite-utils: {expect.count} checks")
