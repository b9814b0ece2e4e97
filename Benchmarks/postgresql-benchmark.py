#!/usr/bin/env python3
"""Loads dumps into PostgreSQL with ingest and with psql, in turn, and prints how long each takes.

usage: postgresql-benchmark.py INGEST DUMPS [--runs N] [--jobs N] [--nights]

INGEST was built with the trait PostgreSQL. The server is one of its own, in a temporary folder, on a Unix socket and
with the settings that come with it. psql is given the rows that ingest has checked, as CSV, and makes the same
tables, keys, references and indexes, and analyzes them: in one transaction over one connection; and with --jobs N,
as ingest then has N connections, with N of psql for the tables and pg_restore for the rest. Every load is the first
one into an empty database. ingest decompresses and checks in the same time. The tables are described as a
Data Package, so that there are no statistics and no search, which psql could not make.

With --nights, ingest loads the whole catalog, statistics and search included, over an earlier one: once with a merge
and once with a swap. Of 400 rows of inventory_parts, the earlier catalog lacks one, and another has another quantity.
"""
import argparse
import csv
import gzip
import os
import shutil
import statistics
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "Tests/System"))
from support import POSTGRESQL, Server, measure, run, source_file, temporary_folder

# The most of the time that psql takes, by the number of connections, and of the time that a swap takes.
BARS = {1: 0.9, 2: 0.85}
MERGE_BAR = 0.6


class Psql:
    """What ingest has loaded, for psql: the tables as CSV and the statements that make the rest."""

    def __init__(self, server, folder):
        self.server, self.folder = server, folder
        os.mkdir(folder)
        self.tables = server.psql(
            "SELECT oid::regclass FROM pg_class WHERE relnamespace = 'rebrickable'::regnamespace AND relkind = 'r' "
            "ORDER BY pg_relation_size(oid) DESC").split("\n")
        for table in self.tables:
            server.psql(f"\\copy (SELECT * FROM {table}) TO '{folder}/{table}.csv' (FORMAT csv)")
        for section in ("pre-data", "post-data"):
            self.run("pg_dump", "--schema=rebrickable", f"--section={section}", f"--file={folder}/{section}.sql")
        self.run("pg_dump", "--schema=rebrickable", "--schema-only", "--format=custom", f"--file={folder}/archive")
        self.definitions, self.rows = self.described(), self.counted()

    def command(self, program, *arguments):
        return [f"{POSTGRESQL}/{program}", "-h", str(self.server.folder), "-U", "postgres", "-d", "lego", *arguments]

    def run(self, program, *arguments):
        return run(*self.command(program, *arguments)).stdout

    def described(self):
        # The words in lines with a backslash are others each time.
        return [line for line in self.run("pg_dump", "--schema=rebrickable", "--schema-only").split("\n")
                if not line.startswith("\\")]

    def counted(self):
        return {table: int(self.server.psql(f"SELECT count(*) FROM {table}")) for table in self.tables}

    def check(self):
        """Whether what is there now is what was there first."""
        if (self.described(), self.counted()) != (self.definitions, self.rows):
            sys.exit("psql and ingest have not made the same")

    def script(self, name, *lines):
        path = f"{self.folder}/{name}.sql"
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
        return self.command("psql", "-qX", "-v", "ON_ERROR_STOP=1", "-f", path)

    def copies(self, tables):
        return [f"\\copy {table} FROM '{self.folder}/{table}.csv' (FORMAT csv)" for table in tables]

    def analyses(self, tables):
        return [f"ANALYZE {table};" for table in tables]

    def load(self, jobs):
        """Loads, and returns what `measure` does."""
        if jobs == 1:
            return measure(self.script(
                "load", "BEGIN;", f"\\i {self.folder}/pre-data.sql", *self.copies(self.tables),
                f"\\i {self.folder}/post-data.sql", *self.analyses(self.tables), "COMMIT;"))
        # The largest first, each to whom has the least so far.
        shares = [[] for _ in range(jobs)]
        for table in self.tables:
            min(shares, key=lambda share: sum(self.size(name) for name in share)).append(table)
        steps = [
            [self.command("psql", "-qX", "-v", "ON_ERROR_STOP=1", "-f", f"{self.folder}/pre-data.sql")],
            [self.script(f"load-{number}", *self.copies(share), *self.analyses(share))
             for number, share in enumerate(shares)],
            [self.command("pg_restore", "--section=post-data", f"--jobs={jobs}", f"{self.folder}/archive")],
        ]
        results = [measure(*commands) for commands in steps]
        return sum(seconds for seconds, _ in results), max(memory for _, memory in results)

    def size(self, table):
        return os.path.getsize(f"{self.folder}/{table}.csv")


def earlier(dumps, folder):
    """Dumps in which 0.5 % of the rows of inventory_parts differ."""
    os.mkdir(folder)
    for name in os.listdir(dumps):
        shutil.copyfile(f"{dumps}/{name}", f"{folder}/{name}")
    path = source_file(folder, "inventory_parts")
    opened = gzip.open if path.endswith(".gz") else open
    with opened(path, "rt", encoding="utf-8", newline="") as file:
        rows = csv.reader(file)
        header = next(rows)
        quantity = header.index("quantity")
        os.remove(path)
        with opened(path, "wt", encoding="utf-8", newline="") as changed:
            writer = csv.writer(changed, lineterminator="\n")
            writer.writerow(header)
            for number, row in enumerate(rows):
                if number % 400 == 200:
                    row[quantity] = str(int(row[quantity]) + 1)
                if number % 400:
                    writer.writerow(row)
    return folder


def table(rows):
    """Prints the best and the median of runs by their names, and returns them."""
    print("| program | best, s | median, s | memory of the client, MB |")
    print("|---|---:|---:|---:|")
    times = {}
    for name, runs in rows.items():
        seconds = [run[0] for run in runs]
        times[name] = min(seconds), statistics.median(seconds)
        print(f"| {name} | {times[name][0]:.2f} | {times[name][1]:.2f} | {max(memory for _, memory in runs):,.0f} |")
    print()
    return times


def compare(times, name, other, bar):
    best, median = (mine / its for mine, its in zip(times[name], times[other]))
    print(f"{name} takes {best:.2f} of the best time of {other} and {median:.2f} of its median"
          + (f", the bar is {bar}" if bar else ""))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("ingest")
    parser.add_argument("dumps")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--nights", action="store_true")
    options = parser.parse_args()
    work = temporary_folder()
    server = Server(work / "server")
    ingest = [os.path.abspath(options.ingest), "--out", server.uri(), "--rejects", f"{work}/rejects", "--quiet"]
    (nights if options.nights else loads)(options, work, server, ingest)


def drop(server):
    # What the load before has left to write is not this one's.
    server.psql("SET client_min_messages = warning; DROP SCHEMA IF EXISTS rebrickable CASCADE")
    server.psql("CHECKPOINT")


def loads(options, work, server, ingest):
    description = work / "datapackage.json"
    description.write_text(run(options.ingest, "describe", "--rebrickable").stdout, encoding="utf-8")

    def load(jobs):
        return measure(ingest + [
            "--source", options.dumps, "--schema", str(description), *(["--jobs", str(jobs)] if jobs > 1 else [])])

    load(1)
    psql = Psql(server, f"{work}/psql")
    all_jobs = sorted({1, options.jobs})
    names = {jobs: f"connections: {jobs}" for jobs in all_jobs}
    programs = {(name, jobs): program for jobs in all_jobs for name, program in (("ingest", load), ("psql", psql.load))}
    results = {f"{name}, {names[jobs]}": [] for name, jobs in programs}
    for _ in range(options.runs):
        for (name, jobs), program in programs.items():
            drop(server)
            results[f"{name}, {names[jobs]}"].append(program(jobs))
            psql.check()
    print(f"{sum(psql.rows.values()):,} rows in {len(psql.tables)} tables, {options.runs} runs of each in turn\n")
    times = table(results)
    for jobs, name in names.items():
        compare(times, f"ingest, {name}", f"psql, {name}", BARS.get(jobs))


def nights(options, work, server, ingest):
    before = earlier(options.dumps, f"{work}/earlier")
    results = {"swap": [], "merge": []}
    for _ in range(options.runs):
        for mode, runs in results.items():
            drop(server)
            run(*ingest, "--source", before)
            server.psql("CHECKPOINT")
            server.psql("VACUUM ANALYZE")
            runs.append(measure(ingest + ["--source", options.dumps, "--allow-older", "--publish", mode]))
    print(f"{options.runs} nights of each in turn\n")
    compare(table(results), "merge", "swap", MERGE_BAR)


if __name__ == "__main__":
    main()
