"""Browse a catalog in Datasette by clicking on links, in Chromium:

    python3 Tests/System [--newest] Browser.catalog INGEST [SOURCE [SCREENSHOTS]]

From a set the way must lead to its inventory, its parts, and from a part to the sets that have it; from the front page a
search must lead to the sets that use a part; every table, view and question must have a page. The first page that a reader would not expect fails the test. Pictures of the pages go to
the folder SCREENSHOTS.
"""
import contextlib
import json
import re
import socket
import sqlite3
import subprocess
import sys
import urllib.parse
import urllib.request
from pathlib import Path

from support import ROOT, chromium, run, take_screenshot, temporary_folder, wait_until

FOLDER = temporary_folder()
TOOLS = Path(sys.executable).parent


@contextlib.contextmanager
def serving(*options):
    """Run Datasette with some options, and give the address of the catalog."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}/"
    log = open(FOLDER / "datasette.log", "w+")
    server = subprocess.Popen(
        [TOOLS / "datasette", "--immutable", FOLDER / "catalog.sqlite", "--metadata", FOLDER / "metadata.json",
         "--plugins-dir", ROOT / "Packaging/datasette", "--port", str(port), *options],
        stdout=log, stderr=log)

    def answers():
        with contextlib.suppress(OSError):
            return urllib.request.urlopen(address).read()

    try:
        wait_until(answers, f"Datasette does not answer: see {log.name}")
        yield address + "catalog"
    finally:
        server.terminate()
        server.wait()


def tables(catalog, described):
    """The tables and views of the file that are for readers, as a set."""
    rows = catalog.execute(
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'view')")
    hidden = {name for name, table in described.items() if table.get("hidden")}
    return {name for (name,) in rows if not name.startswith("sqlite_")} - hidden


def a_set(catalog):
    """A set that has parts of its own and minifigs."""
    return catalog.execute("""
        SELECT set_num FROM set_inventories JOIN inventory_parts USING (inventory_id)
        WHERE NOT is_sub_set GROUP BY set_num ORDER BY max(is_minifig) DESC, count(*) DESC LIMIT 1
        """).fetchone()[0]


# Paths of links from a set: the page of each link, and the name of its screenshot. A link with a question mark leads to
# rows of another table that refer to this one. Any other is the class of a field in the first row, with a reference.
WAYS = {
    "its inventories to where a part of it is used": [
        ("set_inventories?set_num", "set_inventories", None),
        ("col-inventory_id", r"inventories/\d+", "inventory"),
        ("inventory_parts?inventory_id", "inventory_parts", "inventory-parts"),
        ("col-part_num", "parts/.+", "part"),
        ("inventory_parts?part_num", "inventory_parts", "where-used"),
        ("col-inventory_id", r"inventories/\d+", None),
        ("set_inventories?inventory_id", "set_inventories", None),
        ("col-set_num", "sets/.+", None),
    ],
    "its number to all versions of its inventory": [
        ("set_nums?of_set", "set_nums", "set-number"),
        ("type-pk", "set_nums/.+", None),
        ("inventories?set_num", "inventories", None),
    ],
}


class Reader:
    """A user who follows links."""

    def __init__(self, page, address, screenshots):
        self.page, self.address, self.screenshots = page, address, screenshots

    def open(self, path):
        response = self.page.goto(self.address + path)
        assert response.status == 200, f"{path}: {response.status}"

    def click(self, selector):
        with self.page.expect_navigation():
            self.page.locator(selector).first.click()

    def expect(self, pattern):
        """Check and print the path of the current page."""
        path = urllib.parse.unquote(urllib.parse.urlsplit(self.page.url).path)
        assert re.fullmatch(pattern, path), f"{path}; expected {pattern}"
        print(f"  {self.page.url.split('/', 3)[3]}")

    def shoot(self, name):
        take_screenshot(self.page, self.screenshots, name)


def follow_links(reader, number):
    for way, links in WAYS.items():
        print(f"from a set by {way}:")
        reader.open(f"/sets/{urllib.parse.quote(number, safe='-')}")
        reader.shoot("set")
        for link, pattern, picture in links:
            reader.click(f"a[href*='/{link}=']" if "?" in link else f"td.{link} a")
            reader.expect("/catalog/" + pattern)
            if picture:
                reader.shoot(picture)


def find_sets_of_a_part(reader, part, name):
    """From the front page to the sets that use a part, without SQL."""
    print("from the front page to the sets of a part:")
    reader.page.goto(reader.address.removesuffix("catalog"))
    reader.click("a[href='/catalog']")
    reader.click("a[href='/catalog/search-by-name']")
    reader.page.fill("input[name=text]", name.replace(" x ", "x").lower())
    reader.click("input[type=submit]")
    reader.expect("/catalog/search-by-name")
    reader.shoot("search")
    reader.click(f"td.col-key a[href$='/parts/{part}']")
    reader.expect(f"/catalog/parts/{part}")
    reader.click("a[href*='/part_color_stats?part_num=']")
    reader.expect("/catalog/part_color_stats")
    reader.shoot("part-colors")
    reader.click("td.col-num_sets a")
    reader.expect("/catalog/where-used")
    assert reader.page.locator("th.col-set_num").get_attribute("title"), "the column set_num has no title"
    reader.shoot("sets-of-a-part")
    reader.click("td.col-set_num a")
    reader.expect("/catalog/sets/.+")
    reader.click("td.col-num_parts a")
    reader.expect("/catalog/parts-of-a-set")
    reader.click("td.col-part_num a")
    reader.expect("/catalog/parts/.+")
    # There the number of the set is a link itself.
    reader.open("/set_stats")
    reader.click("td.col-num_parts a")
    reader.expect("/catalog/parts-of-a-set")
    reader.click("td.col-part_num a")


def check_tables(reader, described, names):
    reader.open("")
    reader.shoot("database")
    shown = {link.rsplit("/", 1)[1] for link in reader.page.locator(
        ".db-table h3 a, h2#views + ul a").evaluate_all("list => list.map(a => a.pathname)")}
    assert shown <= names, f"Datasette shows {shown - names}"
    missing = names - set(described)
    assert not missing, f"the metadata does not describe {missing}"
    for name in sorted(names):
        reader.open(f"/{name}")
        text = reader.page.inner_text("body")
        for words in [described[name]["description"], *described[name].get("columns", {}).values()]:
            assert words in text, f"the page of {name} does not have: {words}"
    print(f"{len(names)} tables and views have pages with their words")


def run_queries(reader, questions, values):
    for name, question in questions.items():
        parameters = {key: values.get(key, "") for key in re.findall(r":(\w+)", question["sql"])}
        reader.open(f"/{name}?{urllib.parse.urlencode(parameters)}")
        assert question["title"] in reader.page.inner_text("h1"), f"{name} has another title"
        rows = reader.page.locator(".rows-and-columns tbody tr").count()
        print(f"  {name}: {rows} rows")
        assert rows > 0 or name not in ["parts-of-a-set", "where-used"], f"{name} finds nothing"
    reader.shoot("question")


def main(ingest, source="fixtures/dumps", screenshots=None):
    run(ingest, "--source", source, "--out", FOLDER / "catalog.sqlite", "--quiet")
    metadata = run(ingest, "metadata", "--datasette").stdout
    (FOLDER / "metadata.json").write_text(metadata, encoding="utf-8")
    described = json.loads(metadata)["databases"]["catalog"]
    catalog = sqlite3.connect(FOLDER / "catalog.sqlite")
    number = a_set(catalog)
    part, color, name = catalog.execute("""
        SELECT part_num, color_id, name FROM part_color_stats JOIN parts USING (part_num) ORDER BY num_sets DESC
        """).fetchone()
    with serving() as address, chromium() as browser:
        page = browser.new_page(viewport={"width": 1200, "height": 1000})
        page.set_default_timeout(30_000)
        reader = Reader(page, address, screenshots)
        follow_links(reader, number)
        find_sets_of_a_part(reader, part, name)
        check_tables(reader, described["tables"], tables(catalog, described["tables"]))
        print("questions:")
        run_queries(reader, described["queries"], {"set_num": number, "part_num": part, "color_id": str(color)})
