#!/usr/bin/env python3
"""Loads dumps into PostgreSQL with ingest and with psql, in turn, and prints how long each takes.

usage: postgresql-benchmark.py INGEST DUMPS [--runs N] [--jobs N]

INGEST was built with the trait PostgreSQL. The server is one of its own, in a temporary folder, on a Unix socket and
with the settings that come with it. psql is given the rows that ingest has checked, as CSV, and makes the same
tables, keys, references and indexes, and analyzes them: in one transaction over one connection; and with --jobs N,
as ingest then has N connections, with N of psql for the tables and pg_restore for the rest. Every load is the first
one into an empty database. ingest decompresses and checks in the same time. The tables are described as a
Data Package, so that there are no statistics and no search, which psql could not make.
"""
import argparse
import os
import statistics
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "Tests/System"))
from support import POSTGRESQL, Server, measure, run, temporary_folder

# Of the time that psql takes.
BAR = 0.9


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


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("ingest")
    parser.add_argument("dumps")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    work = temporary_folder()
    server = Server(work / "server")
    description = work / "datapackage.json"
    description.write_text(run(options.ingest, "describe", "--rebrickable").stdout, encoding="utf-8")

    def load(jobs):
        return measure([
            os.path.abspath(options.ingest), "--source", options.dumps, "--schema", str(description), "--out", server.uri(),
            "--rejects", f"{work}/rejects", "--quiet", *(["--jobs", str(jobs)] if jobs > 1 else [])])

    load(1)
    psql = Psql(server, f"{work}/psql")
    programs = {(name, jobs): program for jobs in sorted({1, options.jobs})
                for name, program in (("ingest", load), ("psql", psql.load))}
    results = {key: [] for key in programs}
    for _ in range(options.runs):
        for key, program in programs.items():
            # What the load before has left to write is not this one's.
            server.psql("SET client_min_messages = warning; DROP SCHEMA rebrickable CASCADE")
            server.psql("CHECKPOINT")
            results[key].append(program(key[1]))
            psql.check()
    rows = sum(psql.rows.values())
    print(f"{rows:,} rows in {len(psql.tables)} tables, {options.runs} runs of each in turn\n")
    print("| program | connections | best, s | median, s | rows/s | memory of the client, MB |")
    print("|---|---:|---:|---:|---:|---:|")
    times = {}
    for key, runs in results.items():
        times[key] = min(seconds for seconds, _ in runs), statistics.median(seconds for seconds, _ in runs)
        best, median = times[key]
        print(f"| {key[0]} | {key[1]} | {best:.2f} | {median:.2f} | {rows / best:,.0f} | "
              f"{max(memory for _, memory in runs):,.0f} |")
    print()
    for jobs in sorted({1, options.jobs}):
        best, median = (mine / its for mine, its in zip(times["ingest", jobs], times["psql", jobs]))
        print(f"ingest takes {best:.2f} of psql's best time and {median:.2f} of its median, the bar is {BAR}; "
              f"connections: {jobs}")


if __name__ == "__main__":
    main()
