#!/usr/bin/env python3
"""Browses a catalogue in Datasette by clicking on links, in Chromium.

usage: browse-catalogue.py FOLDER [SCREENSHOTS]

FOLDER has catalog.sqlite and metadata.json. From a set the way must lead to its inventory, its parts, and
from a part to the sets that have it; every table, view and question must have a page. Prints what it found,
and fails at the first page that is not as a reader would expect.
"""
import contextlib
import json
import re
import shutil
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from pathlib import Path

from playwright.sync_api import sync_playwright

FOLDER = Path(sys.argv[1])
SCREENSHOTS = Path(sys.argv[2]) if len(sys.argv) > 2 else None
METADATA = json.loads((FOLDER / "metadata.json").read_text())
DATABASE = METADATA["databases"]["catalog"]


@contextlib.contextmanager
def serving():
    """Runs Datasette, and gives the address of the catalogue."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}/"
    with open(FOLDER / "datasette.log", "w") as log:
        server = subprocess.Popen(
            [Path(sys.executable).parent / "datasette", FOLDER / "catalog.sqlite",
             "--metadata", FOLDER / "metadata.json", "--port", str(port)],
            stdout=log, stderr=log)
    try:
        for _ in range(300):
            with contextlib.suppress(OSError):
                urllib.request.urlopen(address).read()
                break
            time.sleep(0.1)
        else:
            sys.exit((FOLDER / "datasette.log").read_text())
        yield address + "catalog"
    finally:
        server.terminate()
        server.wait()


def tables(catalog):
    """The tables and views of the file that are for readers, as a set."""
    rows = catalog.execute(
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'view')")
    hidden = {name for name, table in DATABASE["tables"].items() if table.get("hidden")}
    return {name for (name,) in rows if not name.startswith("sqlite_")} - hidden


def a_set(catalog):
    """A set that has parts of its own and minifigs."""
    return catalog.execute("""
        SELECT set_num FROM set_inventories JOIN inventory_parts USING (inventory_id)
        WHERE NOT is_sub_set GROUP BY set_num ORDER BY max(is_minifig) DESC, count(*) DESC LIMIT 1
        """).fetchone()[0]


class Reader:
    """Somebody who looks at pages and clicks on links."""

    def __init__(self, page, address):
        self.page = page
        self.address = address

    def open(self, path):
        response = self.page.goto(self.address + path)
        assert response.status == 200, f"{path}: {response.status}"

    def click(self, selector):
        with self.page.expect_navigation():
            self.page.locator(selector).first.click()

    def click_link_from(self, table, column):
        """From a row to those of another table that refer to it."""
        self.click(f"a[href*='/{table}?{column}=']")

    def click_value(self, column):
        """From the first row of a list to what it refers to."""
        self.click(f"td.col-{column} a")

    def expect(self, pattern):
        """Says where it is, which must be the page of such a path."""
        path = urllib.parse.unquote(urllib.parse.urlsplit(self.page.url).path)
        assert re.fullmatch(pattern, path), f"{path}, and not {pattern}"
        print(f"  {self.page.url.split('/', 3)[3]}")

    def shoot(self, name):
        if SCREENSHOTS:
            SCREENSHOTS.mkdir(parents=True, exist_ok=True)
            self.page.screenshot(path=SCREENSHOTS / f"{name}.png", full_page=False)


def follow_links(reader, number):
    print("from a set by its inventories to where a part of it is used:")
    reader.open(f"/sets/{urllib.parse.quote(number, safe='-')}")
    reader.shoot("set")
    reader.click_link_from("set_inventories", "set_num")
    reader.expect("/catalog/set_inventories")
    reader.click_value("inventory_id")
    reader.expect(r"/catalog/inventories/\d+")
    reader.shoot("inventory")
    reader.click_link_from("inventory_parts", "inventory_id")
    reader.expect("/catalog/inventory_parts")
    reader.shoot("inventory-parts")
    reader.click_value("part_num")
    reader.expect("/catalog/parts/.+")
    reader.shoot("part")
    reader.click_link_from("inventory_parts", "part_num")
    reader.expect("/catalog/inventory_parts")
    reader.shoot("where-used")
    reader.click_value("inventory_id")
    reader.click_link_from("set_inventories", "inventory_id")
    reader.click_value("set_num")
    reader.expect("/catalog/sets/.+")

    print("from a set by its number to all versions of its inventory:")
    reader.open(f"/sets/{urllib.parse.quote(number, safe='-')}")
    reader.click_link_from("set_nums", "of_set")
    reader.shoot("set-number")
    reader.click("td.col-set_num a, td.type-pk a")
    reader.expect("/catalog/set_nums/.+")
    reader.click_link_from("inventories", "set_num")
    reader.expect("/catalog/inventories")


def look_at_tables(reader, names):
    reader.open("")
    reader.shoot("database")
    shown = {link.rsplit("/", 1)[1] for link in reader.page.locator(
        ".db-table h3 a, h2#views + ul a").evaluate_all("list => list.map(a => a.pathname)")}
    assert shown <= names, f"Datasette shows {shown - names}"
    missing = names - set(DATABASE["tables"])
    assert not missing, f"the metadata has nothing on {missing}"
    for name in sorted(names):
        reader.open(f"/{name}")
        text = reader.page.inner_text("body")
        described = DATABASE["tables"][name]
        for words in [described["description"], *described.get("columns", {}).values()]:
            assert words in text, f"the page of {name} does not say: {words}"
    print(f"{len(names)} tables and views have pages with their words")


def ask_questions(reader, values):
    for name, question in DATABASE["queries"].items():
        parameters = {key: values.get(key, "") for key in re.findall(r":(\w+)", question["sql"])}
        reader.open(f"/{name}?{urllib.parse.urlencode(parameters)}")
        assert question["title"] in reader.page.inner_text("h1"), f"{name} has another title"
        rows = reader.page.locator(".rows-and-columns tbody tr").count()
        print(f"  {name}: {rows} rows")
        assert rows > 0 or name not in ["parts-of-a-set", "where-used"], f"{name} finds nothing"
    reader.shoot("question")


def main():
    catalog = sqlite3.connect(FOLDER / "catalog.sqlite")
    number = a_set(catalog)
    part, color = catalog.execute(
        "SELECT part_num, color_id FROM part_color_stats ORDER BY num_sets DESC").fetchone()
    with serving() as address, sync_playwright() as playwright:
        # Debian's own: none is downloaded.
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1200, "height": 1000})
        page.set_default_timeout(30_000)
        reader = Reader(page, address)
        follow_links(reader, number)
        look_at_tables(reader, tables(catalog))
        print("questions:")
        ask_questions(reader, {"set_num": number, "part_num": part, "color_id": str(color)})
        browser.close()


main()
