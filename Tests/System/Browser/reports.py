"""Look at the pages of reports in Chromium, on a light desktop and on a dark phone:

    python3 Tests/System [--newest] Browser.reports INGEST [SCREENSHOTS]

The fixtures give a page for each way in which a run can end. axe-core must find no violation in any of them, none may be
wider than its screen, and on a phone the first table that changed must be on the first screen, with five warnings before
it. Pictures go to the folder SCREENSHOTS.
"""
import os
import shutil

from axe_playwright_python.sync_playwright import Axe

from support import ROOT, chromium, finish, run, take_screenshot, temporary_folder

FIXTURES = ROOT / "fixtures"
TODAY, OLD = FIXTURES / "dumps", FIXTURES / "dumps-2020"
BROKEN, MISSING = FIXTURES / "broken", FIXTURES / "missing-parents"

# Page, expected exit status, arguments; what is loaded stays for the next with the same output.
RUNS = [
    ("clean", 0, "--source", TODAY, "--out", "catalog.sqlite"),
    ("no-changes", 0, "--source", TODAY, "--out", "catalog.sqlite"),
    ("unchanged", 0, "--source", TODAY, "--out", "catalog.sqlite", "--if-changed"),
    ("dry-run", 0, "--source", OLD, "--out", "catalog.sqlite", "--dry-run"),
    ("amber", 0, "--source", "amber", "--out", "catalog.sqlite", "--max-shrink", "100%",
     "--allow-missing", "part_relationships"),
    ("shrunk", 65, "--source", BROKEN / "blank-line", "--out", "catalog.sqlite"),
    ("rejects", 65, "--source", MISSING / "dumps", "--out", "other.sqlite", "--allow-missing", "all"),
    ("repairs", 0, "--source", MISSING / "dumps", "--out", "other.sqlite", "--allow-missing", "all",
     "--repairs", MISSING / "repairs"),
    ("damaged", 65, "--source", BROKEN / "gzip-corrupt", "--out", "new.sqlite"),
    ("foreign", 73, "--source", TODAY, "--out", "foreign.sqlite"),
]
# Colors and layouts do not depend on each other, so two of the four combinations show what is wrong with any.
SCREENS = {"desktop": (1280, 900, "light"), "phone": (390, 844, "dark")}


def make_pages(ingest, folder):
    """Run the command for each page: the paths of the pages by their names."""
    shutil.copytree(OLD, folder / "amber")
    (folder / "amber" / "part_relationships.csv.gz").unlink()
    (folder / "amber" / "boxes.csv").write_text("id\n1\n")
    (folder / "foreign.sqlite").write_text("not a catalog\n")
    pages = {}
    for name, status, *arguments in RUNS:
        pages[name] = folder / f"{name}.html"
        run(ingest, *arguments, "--report", pages[name], cwd=folder, statuses=(status,))
    return pages


def complaints(page, name, screen):
    """What is wrong with the page that is shown, as a list of sentences."""
    found = [f"{rule['id']}: {rule['help']}: {place['target']}"
             for rule in Axe().run(page).response["violations"] for place in rule["nodes"]]
    if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
        found.append("is wider than the screen")
    if (name, screen) == ("amber", "phone"):
        things = page.locator(".verdictWarnings li").count()
        if things < 5:
            found.append(f"has {things} warnings instead of five")
        end = page.locator("#changes tbody tr").first.bounding_box()
        if end["y"] + end["height"] > SCREENS["phone"][1]:
            found.append(f"what changed ends its first line at {end['y'] + end['height']}")
    return found


def main(ingest, screenshots=None):
    found = []
    pages = make_pages(os.path.abspath(ingest), temporary_folder())
    with chromium() as browser:
        for screen, (width, height, scheme) in SCREENS.items():
            # The pages allow no scripts, of which axe is one.
            page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme, bypass_csp=True)
            for name, path in pages.items():
                page.goto(path.as_uri())
                take_screenshot(page, screenshots, f"report-{name}-{screen}")
                found += [f"{name}, {screen}: {text}" for text in complaints(page, name, screen)]
    finish(found, f"axe: {len(found)} violations on {len(RUNS)} reports, on a light desktop and on a dark phone")
