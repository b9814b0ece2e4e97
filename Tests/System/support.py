"""Helpers of the system tests: commands, source files, catalogs, comparisons, a browser and a PostgreSQL server."""
import atexit
import collections
import contextlib
import csv
import difflib
import glob
import gzip
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BOOLEANS = {"t": 1, "True": 1, "f": 0, "False": 0}
csv.field_size_limit(1 << 30)


def expect(condition, what):
    """Count a check, and exit if its condition is false."""
    expect.count += 1
    if not condition:
        sys.exit(f"failed: {what}")


expect.count = 0


def wait_until(condition, what):
    """Wait for an event that comes on any machine; after an hour, something hangs."""
    for _ in range(72_000):
        if condition():
            return
        time.sleep(0.05)
    sys.exit(f"failed: {what}")


def finish(faults, summary="", limit=None):
    """Print the faults and a summary, and exit."""
    print(*faults[:limit], summary, sep="\n")
    sys.exit(1 if faults else 0)


def keep_up_to_date(path, text, write, advice):
    """Write a generated file, or show how it differs from what it should be, and exit with advice."""
    if write:
        path.write_text(text, encoding="utf-8")
        return
    old = path.read_text(encoding="utf-8") if path.exists() else ""
    if old != text:
        lines = (part.splitlines(keepends=True) for part in (old, text))
        sys.stdout.writelines(difflib.unified_diff(*lines, str(path.relative_to(ROOT)), "expected"))
        sys.exit(f"{path.name} is out of date: {advice}")


def temporary_folder():
    """A new folder, which is removed at exit."""
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


def run(*command, statuses=(0,), **settings):
    """Run a command to its end, and exit if its status is unexpected; `statuses=None` expects any."""
    settings = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "timeout": 3600} | settings
    ended = subprocess.run([str(word) for word in command], **settings)
    if statuses and ended.returncode not in statuses:
        sys.exit(f"{' '.join(map(str, command))}: exit status {ended.returncode}\n{ended.stdout}{ended.stderr}")
    return ended


def measure(*commands):
    """Run commands at the same time: seconds, and the largest memory of one in MB."""
    start = time.monotonic()
    processes = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for command in commands]
    memory = 0
    for process in processes:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            sys.exit(f"{' '.join(process.args)}: exit status {process.returncode}")
        memory = max(memory, usage.ru_maxrss / 1000)
    return time.monotonic() - start, memory


def source_file(folder, table):
    """The path of a table's file; None if there is none."""
    paths = (f"{folder}/{table}{ending}" for ending in (".csv", ".csv.gz", ".txt"))
    return next(filter(os.path.exists, paths), None)


def records(path):
    """The records of a source file by its columns, as Python's csv reads them; without a file there are none."""
    if path is None:
        return
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8-sig", newline="") as file:
        rows = csv.reader(file, strict=True)
        header = next(rows)
        for row in rows:
            if row:
                yield dict(zip(header, row, strict=True))


def typed(field, kind):
    """The value of a field in a column of a kind; a field that is empty or absent is NULL."""
    if field is None or field == "":
        return None
    return {"BOOLEAN": BOOLEANS.__getitem__, "INTEGER": int, "REAL": float}.get(kind, str)(field)


def open_catalog(path):
    return sqlite3.connect(f"file:{path}?mode=ro", uri=True)


def tables(database, kinds=("table",), without=("sqlite_",)):
    """The names of the tables, or of other kinds of objects, but those with a prefix."""
    found = database.execute("SELECT name, type FROM sqlite_schema ORDER BY name")
    return [name for name, kind in found if kind in kinds and not name.startswith(without)]


def column_types(database, table):
    found = database.execute("SELECT name, type FROM pragma_table_info(?) ORDER BY cid", (table,))
    return dict(found.fetchall())


def rows(database, table, columns=None):
    """The rows of a table, with all columns or with some."""
    listed = ", ".join(f'"{column}"' for column in columns) if columns else "*"
    return database.execute(f'SELECT {listed} FROM "{table}"')


def row_count(database, table):
    return database.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0]


def differences(name, expected, found):
    """The faults where two lists of rows differ in any but their order; 1, 1.0 and '1' are different values."""
    counts = collections.Counter(repr(tuple(row)) for row in expected)
    counts.subtract(repr(tuple(row)) for row in found)
    missing = sorted(row for row, count in counts.items() if count > 0)
    unexpected = sorted(row for row, count in counts.items() if count < 0)
    faults = [f"{name}: missing {row}" for row in missing[:3]] + [f"{name}: unexpected {row}" for row in unexpected[:3]]
    return faults + [f"{name}: {len(missing)} rows missing, {len(unexpected)} unexpected"] if faults else []


@contextlib.contextmanager
def chromium():
    """The browser that Debian has: none is downloaded."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        yield browser
        browser.close()


def take_screenshot(page, folder, name):
    """Keep a picture of a page, if a folder is given."""
    if folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=f"{folder}/{name}.png")


POSTGRESQL = os.environ.get("PG_BINDIR") or max(
    glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: int(path.split("/")[4]), default=None)
# An older pg_dump refuses a newer server.
os.environ["PATH"] = os.pathsep.join(filter(None, (POSTGRESQL, os.environ["PATH"])))
# A server refuses to run as root.
AS_NOBODY = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] if os.getuid() == 0 else []


class Server:
    """A PostgreSQL server with a database `lego`, in a new folder and on a Unix socket, which stops at exit."""

    def __init__(self, folder, *settings):
        self.folder, self.settings, self.through = folder, settings, AS_NOBODY
        folder.mkdir()
        if AS_NOBODY:
            folder.parent.chmod(0o755)
            shutil.chown(folder, "nobody")
        run(*AS_NOBODY, f"{POSTGRESQL}/initdb", "--no-sync", "-A", "trust", "-U", "postgres", "-E", "UTF8",
            "--locale=C.UTF-8", "-D", f"{folder}/data", cwd=folder)
        (folder / "data/pg_hba.conf").write_text("local all locked scram-sha-256\nlocal all all trust\n")
        atexit.register(self.stop)
        self.start()
        self.psql("CREATE DATABASE lego", "postgres")

    def start(self):
        settings = ["listen_addresses=", f"unix_socket_directories={self.folder}", *self.settings]
        self.process = subprocess.Popen(
            [*self.through, f"{POSTGRESQL}/postgres", "-D", f"{self.folder}/data",
             *(word for setting in settings for word in ("-c", setting))],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self.folder)
        is_ready = [f"{POSTGRESQL}/pg_isready", "-q", "-h", self.folder]
        wait_until(lambda: run(*is_ready, statuses=None).returncode == 0, "the server does not start")

    def stop(self, how=signal.SIGINT):
        self.process.send_signal(how)
        self.process.wait()

    def uri(self, user="postgres", password=None):
        secret = f":{password}" if password else ""
        return f"postgresql://{user}{secret}@/lego?host={self.folder}"

    def psql(self, sql, database="lego"):
        return run("psql", "-AtX", "-v", "ON_ERROR_STOP=1", "-h", self.folder, "-U", "postgres", "-c", sql,
                   database).stdout.rstrip("\n")

    def session(self):
        return Session(self)


class Session:
    """A session of psql, for transactions of several statements."""

    def __init__(self, server):
        self.process = subprocess.Popen(["psql", "-AtXq", "-h", server.folder, "-U", "postgres", "lego"],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, statements):
        """Run statements whose result is one line."""
        self.process.stdin.write(statements + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().rstrip("\n")

    def end(self, statements):
        self.process.communicate(statements + "\n")
