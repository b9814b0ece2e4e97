"""Browse a catalog in Datasette by clicking on links, in Chromium:

    python3 Tests/System [--newest] Browser.catalog INGEST [SOURCE [SCREENSHOTS]]

From a set the way must lead to its inventory, its parts, and from a part to the sets that have it; from the front page a
search must lead to the sets that use a part; every table, view and question must have a page, whose data begin on the
first screen of a desktop and of a phone. Each number of a statistics table must lead to as many rows or, if it counts
pieces, to rows that add up to it. The first page that a reader would not expect fails the test. Pictures of the pages go
to the folder SCREENSHOTS.
"""
import contextlib
import html
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
    assert reader.page.locator("h2#queries + ul a").first.inner_text() == "Search"
    reader.click("h2#queries + ul a")
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
    reader.expect("/catalog/sets")
    assert reader.page.locator("th.col-set_num").get_attribute("title"), "the column set_num has no title"
    reader.shoot("sets-of-a-part")
    reader.click("td.col-set_num a")
    reader.expect("/catalog/sets/.+")
    reader.click("td.col-num_parts a")
    reader.expect("/catalog/parts-of-a-set")
    reader.click("td.col-part_num a")
    reader.expect("/catalog/parts/.+")


def check_names(reader, catalog, number, part):
    """References have the names of their rows beside them, and colors a swatch, on the pages of tables and of rows."""
    theme, category = catalog.execute("""
        SELECT (SELECT themes.name FROM sets JOIN themes ON themes.id = theme_id WHERE set_num = ?),
          (SELECT part_categories.name FROM parts JOIN part_categories ON part_categories.id = part_cat_id WHERE part_num = ?)
        """, [number, part]).fetchone()
    keys = {"set_num": "sets", "part_num": "parts", "theme_id": "themes", "color_id": "colors"}
    expected = {f"/sets/{number}": ("theme_id", theme), f"/parts/{part}": ("part_cat_id", category)}
    for table, key in ("part_stats", "part_num"), ("color_stats", "color_id"), ("set_stats", "set_num"), \
            ("theme_stats", "theme_id"), ("set_parts_flat", "color_id"):
        parent = "name FROM colors JOIN set_parts_flat ON id = color_id" if "flat" in table else f"name FROM {keys[key]}"
        expected["/" + table] = key, {name for (name,) in catalog.execute(f"SELECT {parent}")}
    for path, (column, names) in expected.items():
        reader.open(path)
        cell = reader.page.locator(f"td.col-{column}").first
        found = cell.locator("a").last.inner_text()
        assert found == names or found in names, f"{path}: {found}; expected {names}"
        assert column != "color_id" or cell.locator("span[style*=background]").count() == 1, f"{path}: no swatch"
    print(f"{len(expected)} pages have names beside numbers")


PIECES = {"num_parts", "num_spares", "num_set_parts"}


def check_numbers(address, tables):
    """Each number of the first rows of tables leads to as many rows, or to rows that add up to it."""
    def read(path):
        return urllib.request.urlopen(address.removesuffix("/catalog") + path).read().decode()

    checked = 0
    for table in tables:
        rows = read(f"/catalog/{table}?_size=10").partition("<tbody>")[2].partition("</tbody>")[0]
        for column, cell in re.findall(r'<td class="col-(\S+) type-int">(.*?)</td>', rows, re.S):
            if column.endswith("_id") or "year" in column:
                continue
            link = re.search(r'href="([^"]+)">(\d+)<', cell)
            assert link, f"{table}.{column} has no link"
            path, _, filters = html.unescape(link[1]).partition("?")
            page = json.loads(read(f"{path}.json?{filters}&_size=max"))
            found = page["filtered_table_rows_count"]
            if (measure := column.removeprefix("ever_").removeprefix("total_")) in PIECES:
                columns = page["columns"]
                place = columns.index("quantity" if "quantity" in columns else
                                      measure if "total_" in column else column.replace("_set", ""))
                found = sum(row[place] for row in page["rows"])
                while next_page := page.get("next_url"):
                    page = json.loads(urllib.request.urlopen(next_page).read())
                    found += sum(row[place] for row in page["rows"])
            assert found == int(link[2]), f"{table}.{column}: {link[2]} leads to {found}: {path}?{filters}"
            checked += 1
    print(f"{checked} numbers lead to as many rows")


def check_first_screen(page, name):
    """The first row begins on the screen, of a desktop and of a phone, and no word has Markdown's marks."""
    assert "`" not in page.locator(".metadata-description, .column-descriptions").all_text_contents().__str__(), name
    for size in {"width": 1280, "height": 800}, {"width": 390, "height": 844}:
        page.set_viewport_size(size)
        start = page.locator(".rows-and-columns tbody tr, .zero-results").first.bounding_box()["y"]
        assert start < size["height"] - 40, f"{name}: data begin at {start} on a screen of {size}"
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= size["width"], f"{name}: {wide} wide on a screen of {size}"


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
        check_first_screen(reader.page, name)
        text = reader.page.text_content("body")
        for words in [described[name]["description"], *described[name].get("columns", {}).values()]:
            assert words in text, f"the page of {name} does not have: {words}"
    print(f"{len(names)} tables and views have pages with their words")


def run_queries(reader, questions, values):
    for name, question in questions.items():
        parameters = {key: values.get(key, "") for key in re.findall(r":(\w+)", question["sql"])}
        reader.open(f"/{name}?{urllib.parse.urlencode(parameters)}")
        assert question["title"] in reader.page.inner_text("h1"), f"{name} has another title"
        check_first_screen(reader.page, name)
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
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.set_default_timeout(30_000)
        reader = Reader(page, address, screenshots)
        follow_links(reader, number)
        find_sets_of_a_part(reader, part, name)
        check_names(reader, catalog, number, part)
        check_numbers(address, [name for name in described["tables"] if re.search("_stats$|_info$", name)])
        check_tables(reader, described["tables"], tables(catalog, described["tables"]))
        print("questions:")
        run_queries(reader, described["queries"], {"set_num": number, "part_num": part, "color_id": str(color)})
