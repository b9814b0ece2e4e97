"""Check the site of the documentation in Chromium, on a light desktop and on a dark phone:

    python3 Tests/System [--newest] Browser.site SITE [SCREENSHOTS]

It is opened from the file system and, a second time, from a web server under a path. No page may be wider than its screen
or fail to load anything, axe-core must find no violation on a page of each kind, and the search must find a code.
Pictures of those pages go to the folder SCREENSHOTS.
"""
import functools
import http.server
import shutil
import threading
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe

from support import chromium, expect, finish, take_screenshot, temporary_folder

SCREENS = {"desktop": (1280, 900, "light"), "phone": (390, 844, "dark")}
# The start, a page of the handbook, an article with tables, a module, a type with its members.
KINDS = ["index.html", "ingest/rejects.html", "ingest/benchmarks.html", "sqliteswiftly/index.html",
         "sqliteswiftly/connection.html"]


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        pass


def serve_under_path(site):
    """The address of a server that has the site at /of/docs/."""
    root = temporary_folder()
    shutil.copytree(site, root / "of/docs")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=root))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/of/docs"


def search(page):
    """Search for a code from a page of the handbook, and open the first page found."""
    page.get_by_role("searchbox").fill("missing-parent")
    page.locator("form li a").first.wait_for()
    expect(page.locator("form li").count() >= 2, "several pages have the code")
    page.keyboard.press("Enter")
    page.wait_for_url("**/ingest/*.html")
    expect("missing-parent" in page.locator("main").inner_text(), "the page found has the code")


def main(site, screenshots=None):
    site = Path(site).resolve()
    pages = sorted(str(path.relative_to(site)) for path in site.rglob("*.html"))
    expect(len(pages) > 100 and set(KINDS) <= set(pages), "the site has the handbook and the libraries")
    found = []
    with chromium() as browser:
        for start in (site.as_uri(), serve_under_path(site)):
            for screen, (width, height, scheme) in SCREENS.items():
                settings = {"viewport": {"width": width, "height": height}, "color_scheme": scheme}
                page = browser.new_page(**settings)
                page.on("requestfailed", lambda request: found.append(f"not loaded: {request.url}"))
                page.on("response", lambda answer: answer.status < 400 or found.append(f"status {answer.status}: {answer.url}"))
                page.on("pageerror", lambda error: found.append(f"script: {error}"))
                for name in pages:
                    page.goto(f"{start}/{name}")
                    if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                        found.append(f"{name} is wider than the {screen}")
                page.goto(f"{start}/{KINDS[1]}")
                search(page)
                page.close()
                # Of its own, because axe reads the style sheet in a way that is not allowed for files.
                page = browser.new_page(**settings)
                for name in KINDS:
                    page.goto(f"{start}/{name}")
                    take_screenshot(page, screenshots, f"site-{name.replace('/', '-')}-{screen}")
                    found += [f"{name}, {screen}: {rule['id']}: {place['target']}"
                              for rule in Axe().run(page).response["violations"] for place in rule["nodes"]]
                page.close()
    finish(found, f"site: {len(found)} faults on {len(pages)} pages, from files and under a path, on two screens", limit=40)
