"""Test Packaging/download-dumps with a web server that fails in many ways:

    python3 Tests/System SourceFiles.downloads INGEST

Whatever happens, DIR/current must lead to a complete set of files of one generation: a thread looks at it all the time.
INGEST loads a downloaded set. The case that fails is printed, or the number of all.
"""
import concurrent.futures
import contextlib
import gzip
import http.server
import os
import resource
import signal
import struct
import subprocess
import tempfile
import threading
import time
from pathlib import Path

from support import ROOT, run

# In the order of the requests.
TABLES = """themes colors part_categories parts part_relationships elements sets minifigs inventories
inventory_parts inventory_sets inventory_minifigs""".split()
# Enough for most cases; the third one fails.
FEW = ["themes", "parts", "sets", "inventories"]
FAULTY = "sets"
DAY = 24 * 3600
TODAY = 1_743_491_280


class Dump:
    """The server's file of a table."""

    def __init__(self, table, time):
        self.body = gzip.compress(gzip.decompress((ROOT / f"fixtures/dumps/{table}.csv.gz").read_bytes()), mtime=time)
        self.tag = f'"{table}-{time}"'
        self.modified = time


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server_port}/media"
        threading.Thread(target=self.serve_forever, daemon=True).start()
        self.reset()

    def reset(self):
        """Serve today's files without failures from now on."""
        self.dumps = {}
        self.publish(TABLES, TODAY)
        # The failures of requests for a table: a function of the handler, and their number; None for all.
        self.faults = {}
        self.has_tags = True
        self.requests = []
        # Called before each answer.
        self.before = lambda table: None
        # Ends the wait of a held answer.
        self.released = threading.Event()

    def publish(self, tables, time):
        self.dumps = self.dumps | {table: Dump(table, time + TABLES.index(table)) for table in tables}

    def fail(self, table, fault, times=None):
        self.faults[table] = [fault, times]

    def statuses(self):
        return sorted(status for _, status, _, _ in self.requests)


class Handler(http.server.BaseHTTPRequestHandler):
    # Head and body are two small packets.
    disable_nagle_algorithm = True

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        self.table = self.path.removeprefix("/media/").removesuffix(".csv.gz")
        server = self.server
        server.before(self.table)
        fault = server.faults.get(self.table)
        if fault and fault[1] != 0:
            if fault[1]:
                fault[1] -= 1
            with contextlib.suppress(ConnectionError):
                fault[0](self)
            return
        dump = server.dumps.get(self.table)
        if not dump:
            return self.answer(404)
        headers = {"Last-Modified": self.date_time_string(dump.modified)}
        is_same = self.headers["If-Modified-Since"] == headers["Last-Modified"]
        if server.has_tags:
            headers["ETag"] = dump.tag
            is_same = self.headers["If-None-Match"] == dump.tag
        self.answer(*(304, None) if is_same else (200, dump.body), **headers)

    @property
    def dump(self):
        return self.server.dumps[self.table].body

    def answer(self, status, body=b"<html>an error page</html>", length=None, **headers):
        self.server.requests.append((self.table, status, time.monotonic(), self.headers["User-Agent"]))
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        if body is not None:
            self.send_header("Content-Length", str(length or len(body)))
        self.end_headers()
        self.wfile.write(body or b"")


def status(code, **headers):
    return lambda handler: handler.answer(code, **headers)


def body(text):
    return lambda handler: handler.answer(200, text)


def cut(handler):
    """Announce the whole length, send half, and close."""
    handler.answer(200, handler.dump[: len(handler.dump) // 2], len(handler.dump))


def truncated(handler):
    """Send half a file as if it were complete."""
    handler.answer(200, handler.dump[: len(handler.dump) // 2])


def slow(handler):
    """Send everything in ten pieces."""
    dump = handler.dump
    handler.answer(200, dump[:1], len(dump))
    for index in range(10):
        time.sleep(0.1)
        handler.wfile.write(dump[1 + index * (len(dump) - 1) // 10 : 1 + (index + 1) * (len(dump) - 1) // 10])


def held(handler):
    """Send one byte, and everything else when the test lets it go on."""
    handler.answer(200, handler.dump[:1], len(handler.dump))
    handler.server.released.wait()
    handler.wfile.write(handler.dump[1:])


def stall(handler):
    """Send one byte, and then nothing for a long time."""
    handler.answer(200, b"\x1f", 1000)
    time.sleep(20)


class Folder:
    """The download folder, and a thread that checks it all the time."""

    def __init__(self, path, server):
        self.path, self.server, self.tables = path, server, FEW
        self.mistakes = []
        self.looks = 0
        self.is_watched = True
        self.watcher = threading.Thread(target=self.watch)
        self.watcher.start()

    @property
    def current(self):
        return self.path / "current"

    def times(self):
        """The compression times of the files that a reader finds in the current folder."""
        times = {}
        folder = os.open(self.current, os.O_RDONLY | os.O_DIRECTORY)
        try:
            for name in os.listdir(folder):
                if name.endswith(".csv.gz"):
                    with open(os.open(name, os.O_RDONLY, dir_fd=folder), "rb") as dump:
                        times[name.removesuffix(".csv.gz")] = struct.unpack("<4xI", dump.read(8))[0]
        finally:
            os.close(folder)
        return times

    def watch(self):
        has_dumps = False
        while self.is_watched:
            try:
                times = self.times()
                has_dumps = True
                if set(times) != set(self.tables) or max(times.values(), default=0) - min(times.values(), default=0) > 3600:
                    self.mistakes.append(times)
            except OSError as error:
                if has_dumps:
                    self.mistakes.append(error)
            self.looks += has_dumps
            time.sleep(0.002)

    def start(self, *options, **settings):
        command = [ROOT / "Packaging/download-dumps", "--out", self.path, "--base-url", self.server.url, "--pause", "0"]
        command += ["--retry-delay", "0", "--attempts", "2"]
        command += ([] if self.tables == TABLES else self.tables) + list(options)
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **settings)

    def run(self, expected, words, *options, **settings):
        """Run the script, and check its status and some words of its output."""
        process = self.start(*options, **settings)
        output, errors = process.communicate(timeout=3600)
        assert process.returncode == expected, (process.returncode, output, errors)
        assert words in output + errors, (words, output, errors)
        return errors

    def download(self, *options):
        """Run the script, and check that it downloads all tables."""
        errors = self.run(0, f"{len(self.tables)} dumps, {len(self.tables)} new", *options)
        self.expect_all()
        return errors

    def expect_all(self):
        """Check that all files match those of the server."""
        names = sorted(path.name for path in self.current.glob("[!.]*"))
        assert names == sorted(f"{table}.csv.gz" for table in self.tables), names
        for table in self.tables:
            assert (self.current / f"{table}.csv.gz").read_bytes() == self.server.dumps[table].body, table

    def folders(self):
        return sorted(path.name for path in self.path.glob("set-*"))

    def close(self):
        self.is_watched = False
        self.watcher.join()
        assert not self.mistakes, self.mistakes[:3]


def downloads_and_revalidates(folder, server):
    folder.tables = TABLES
    assert not folder.download()
    assert {agent for *_, agent in server.requests} == {"download-dumps (ingest)"}
    generation = os.readlink(folder.current)
    server.requests.clear()
    folder.run(0, "12 dumps, none changed")
    assert server.statuses() == [304] * 12
    assert os.readlink(folder.current) == generation and not (folder.path / ".next").exists()
    server.dumps["parts"] = Dump("parts", TODAY + 600)
    server.requests.clear()
    folder.run(0, "12 dumps, 1 new")
    assert server.statuses() == [200] + [304] * 11
    folder.expect_all()
    assert len(folder.folders()) == 2 and generation in folder.folders()
    server.publish(TABLES, TODAY + DAY)
    folder.download()
    assert len(folder.folders()) == 2 and generation not in folder.folders()


def handles_servers_without_entity_tags(folder, server):
    server.has_tags = False
    folder.download()
    folder.run(0, "4 dumps, none changed")
    server.dumps["sets"] = Dump("sets", TODAY + 600)
    server.requests.clear()
    folder.run(0, "dumps, 1 new")
    assert server.statuses() == [200] + [304] * 3
    folder.expect_all()


def survives_temporary_failure(fault):
    def case(folder, server):
        server.fail(FAULTY, fault, times=1)
        folder.download()
        # Existing files were only revalidated.
        assert server.statuses().count(304) == (0 if fault is slow else 2), server.statuses()

    return case


def gives_up(expected, words, fault, *options):
    def case(folder, server):
        folder.download()
        generation, old = os.readlink(folder.current), server.dumps
        server.publish(TABLES, TODAY + DAY)
        server.fail(FAULTY, fault)
        folder.run(expected, words, *options)
        assert os.readlink(folder.current) == generation
        server.dumps = old
        folder.expect_all()
        # The next run succeeds.
        server.reset()
        server.publish(TABLES, TODAY + 2 * DAY)
        folder.download()

    return case


def waits_for_files_from_one_day(folder, server):
    folder.download()
    generation = os.readlink(folder.current)
    server.publish(FEW[:2], TODAY + DAY)
    folder.run(75, "the server has dumps from different days: sets was compressed at 2025-04-01 07:08:06 UTC")
    assert os.readlink(folder.current) == generation
    # The server gets new files during the first half of the requests.
    server.before = lambda table: server.publish(FEW, TODAY + DAY) if table == FEW[-1] else None
    # The first half was already downloaded, but not yet published.
    folder.run(0, "4 dumps, 2 new")
    folder.expect_all()


def waits_as_long_as_the_server_asks(folder, server):
    server.fail("parts", status(503, Retry_After="2"), times=1)
    folder.download()
    times = [moment for table, _, moment, _ in server.requests if table == "parts"]
    assert len(times) == 2 and times[1] - times[0] >= 2, times


def pauses_and_backs_off(folder, server):
    folder.tables = ["parts", FAULTY]
    server.fail(FAULTY, status(500), times=2)
    folder.download("--attempts=3", "--retry-delay=1", "--pause=1")
    moments = [moment for _, _, moment, _ in server.requests]
    waits = [later - earlier for earlier, later in zip(moments, moments[1:])]
    # One pause in each attempt; one second after the first, two after the second.
    assert len(waits) == 5 and all(wait > least - 0.01 for wait, least in zip(waits, [1, 1, 1, 2, 1])), waits


def runs_alone(folder, server):
    server.fail(FEW[0], held)
    first = folder.start("--stall-timeout", "3600")
    while not server.requests:
        time.sleep(0.01)
    folder.run(75, "another download")
    server.released.set()
    first.communicate(timeout=3600)
    assert first.returncode == 0
    folder.expect_all()


def goes_on_after_a_kill(folder, server):
    folder.download()
    generation = os.readlink(folder.current)
    server.publish(TABLES, TODAY + DAY)
    server.fail(FAULTY, held)
    process = folder.start("--stall-timeout", "3600", process_group=0)
    while FAULTY not in [table for table, *_ in server.requests[4:]]:
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    assert os.readlink(folder.current) == generation
    server.released.set()
    server.faults = {}
    server.requests.clear()
    folder.run(0, "4 dumps, 2 new")
    assert server.statuses() == [200] * 2 + [304] * 2, server.requests
    folder.expect_all()


def reports_a_full_disk(folder, server):
    folder.download()
    server.publish(TABLES, TODAY + DAY)
    # Ignored signals are inherited: writing fails instead of ending the process.
    folder.run(
        74, "Free disk space", restore_signals=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)))
    folder.download()


def reports_mistakes_of_the_caller(folder, server):
    for options, expected, words in [
        (["--wait"], 64, "unknown option '--wait'"),
        (["--out="], 64, "the option '--out' needs a value"),
        (["--out"], 64, "the option '--out' needs a value"),
        (["--out", "--pause"], 64, "the option '--out' needs a value"),
        (["--attempts", "0"], 64, "invalid value '0' for --attempts"),
        (["parts.csv.gz"], 64, "'parts.csv.gz' is not a table name"),
        (["../parts"], 64, "'../parts' is not a table name"),
        (["--out", "/dev/null/dumps"], 73, "/dev/null/dumps cannot be created"),
        (["--base-url", "gopher://localhost"], 69, "Check --base-url"),
        (["--base-url", "http://127.0.0.1:1"], 75, "current is unchanged"),
        (["no_such_table"], 66, "no_such_table.csv.gz does not exist (HTTP 404)"),
    ]:
        folder.run(expected, words, *options)
    assert not folder.current.exists()
    folder.tables = []
    folder.current.mkdir(parents=True)
    folder.run(73, "is not a link made by download-dumps")


def downloads_files_for_ingest(folder, server):
    folder.tables = TABLES
    folder.download()
    run(ingest, "--source", folder.current, "--out", folder.path / "catalog.sqlite", "--strict-schema", "--quiet")


CASES = {
    "downloads, and revalidates": downloads_and_revalidates,
    "a server without entity tags": handles_servers_without_entity_tags,
    "a connection that is cut once": survives_temporary_failure(cut),
    "a connection that is always cut": gives_up(75, "bytes remaining", cut),
    "500 once": survives_temporary_failure(status(500)),
    "500 always": gives_up(75, "HTTP 500", status(500)),
    "429 once": survives_temporary_failure(status(429)),
    "a damaged file once": survives_temporary_failure(truncated),
    "a damaged file always": gives_up(65, "the file is damaged", truncated),
    "404": gives_up(66, "does not exist (HTTP 404)", status(404)),
    "403": gives_up(66, "refuses access", status(403)),
    "a web page": gives_up(65, "is a web page", body(b"\n<!DOCTYPE html><title>Log in</title>")),
    "plain CSV": gives_up(65, "is not a gzip file; it begins: 'id,name", body(b"id,name\n1,a\n")),
    "an empty file": gives_up(65, "is not a gzip file", body(b"")),
    "a slow server": survives_temporary_failure(slow),
    "a server that stalls": gives_up(75, "too slow", stall, "--stall-timeout", "1", "--attempts", "1"),
    "files from different days": waits_for_files_from_one_day,
    "Retry-After": waits_as_long_as_the_server_asks,
    "pauses": pauses_and_backs_off,
    "two at a time": runs_alone,
    "a kill": goes_on_after_a_kill,
    "a full disk": reports_a_full_disk,
    "mistakes of the caller": reports_mistakes_of_the_caller,
    "ingest reads the dumps": downloads_files_for_ingest,
}


def try_case(name):
    server = Server()
    # A disk would be slow to sync.
    with tempfile.TemporaryDirectory(dir="/dev/shm") as path:
        folder = Folder(Path(path) / "dumps", server)
        try:
            with contextlib.closing(folder):
                CASES[name](folder, server)
        except BaseException:
            print(f"FAILED: {name}", flush=True)
            raise
        finally:
            server.shutdown()
    return folder.looks


def main(command):
    global ingest
    ingest = command
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        looks = sum(pool.map(try_case, CASES))
    print(f"download: {len(CASES)} cases, DIR/current checked {looks} times and always complete")
