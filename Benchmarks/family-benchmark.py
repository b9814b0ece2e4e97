#!/usr/bin/env python3
"""Loads a GTFS feed with ingest and with other programs, and prints how long each takes and what each checks.

usage: family-benchmark.py INGEST FEED [--runs N] [--only NAME,NAME]

FEED is a folder that `generate-dumps --gtfs` has written. The others are frictionless, sqlite-utils and duckdb, as modules
of the Python that runs this script; one that is not there is left out. Each run is a process of its own; the time
is the least of all runs, the memory the most. Every program is given the same tables, types, keys and references;
"checks" says what each makes of them.
"""
import argparse
import importlib.util
import json
import os
import re
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "Tests/System"))
from support import measure, temporary_folder

# Columns in which * is the primary key, > a reference, :i an integer and :r a number; the others are texts.
FEED = """
agency: agency_id* agency_name agency_url agency_timezone agency_lang agency_phone
stops: stop_id* stop_name stop_desc stop_lat:r stop_lon:r location_type:i parent_station>stops.stop_id
  wheelchair_boarding:i
routes: route_id* agency_id>agency.agency_id route_short_name route_long_name route_type:i route_color
  route_text_color
calendar: service_id* monday:i tuesday:i wednesday:i thursday:i friday:i saturday:i sunday:i start_date end_date
calendar_dates: service_id*>calendar.service_id date* exception_type:i
shapes: shape_id* shape_pt_lat:r shape_pt_lon:r shape_pt_sequence*:i shape_dist_traveled:r
trips: route_id>routes.route_id service_id>calendar.service_id trip_id* trip_headsign direction_id:i block_id
  shape_id wheelchair_accessible:i
stop_times: trip_id*>trips.trip_id arrival_time departure_time stop_id>stops.stop_id stop_sequence*:i
  stop_headsign pickup_type:i drop_off_type:i shape_dist_traveled:r timepoint:i
frequencies: trip_id*>trips.trip_id start_time* end_time headway_secs:i exact_times:i
feed_info: feed_publisher_name feed_publisher_url feed_lang feed_start_date feed_end_date feed_version
"""


def described():
    """The tables of FEED: columns with their types, primary key, and references: column, table, its column."""
    tables = {}
    for line in FEED.replace("\n  ", " ").strip().split("\n"):
        table, _, words = line.partition(": ")
        columns = [re.fullmatch(r"(\w+)(\*?)(?::(.))?(?:>(\w+)\.(\w+))?", word) for word in words.split()]
        tables[table] = (
            {column[1]: {"i": I, "r": R}.get(column[3], S) for column in columns},
            [column[1] for column in columns if column[2]],
            [(column[1], column[4], column[5]) for column in columns if column[4]])
    return tables


S, I, R = "string", "integer", "number"
TABLES = described()
CHECKS = {
    "ingest": "types, domains, keys, references; rejects kept; file verified, published at once",
    "frictionless": "types, primary keys, references; writes no database",
    "sqlite-utils": "primary keys; types are converted where that is possible; references are declared, and not checked",
    "duckdb": "types, primary keys, references (but those of a table to itself)",
}


def package(feed):
    """The description for frictionless."""
    resources = []
    for name, (columns, key, references) in TABLES.items():
        schema = {"fields": [{"name": name, "type": kind} for name, kind in columns.items()]}
        if key:
            schema["primaryKey"] = key
        schema["foreignKeys"] = [
            {"fields": [column], "reference": {"resource": "" if table == name else table, "fields": [parent]}}
            for column, table, parent in references]
        resources.append({"name": name, "type": "table", "path": f"{name}.txt", "format": "csv", "schema": schema})
    return {"name": "feed", "resources": resources}


def run_frictionless(feed, _):
    from frictionless import Package
    report = Package.from_descriptor(package(feed), basepath=feed).validate()
    if not report.valid:
        sys.exit(str(report.flatten(["type", "note"])[:5]))


def run_sqlite_utils(feed, output):
    import sqlite_utils
    from sqlite_utils.utils import rows_from_file
    kinds = {S: str, I: int, R: float}
    database = sqlite_utils.Database(output)
    for name, (columns, key, references) in TABLES.items():
        table = database[name].create(
            {column: kinds[kind] for column, kind in columns.items()}, pk=key or None,
            foreign_keys=[reference for reference in references])
        with open(f"{feed}/{name}.txt", "rb") as file:
            rows, _ = rows_from_file(file)
            table.insert_all(
                ({column: value or None for column, value in row.items()} for row in rows), batch_size=1000)


def run_duckdb(feed, output):
    import duckdb
    kinds = {S: "VARCHAR", I: "BIGINT", R: "DOUBLE"}
    database = duckdb.connect(output)
    for name, (columns, key, references) in TABLES.items():
        lines = [f'"{column}" {kinds[kind]}' for column, kind in columns.items()]
        if key:
            lines.append(f"PRIMARY KEY ({', '.join(key)})")
        # A table that is filled by one statement cannot refer to itself there.
        lines += [f"FOREIGN KEY ({column}) REFERENCES {table} ({parent})"
                  for column, table, parent in references if table != name]
        database.execute(f"CREATE TABLE {name} ({', '.join(lines)})")
        types = {column: kinds[kind] for column, kind in columns.items()}
        database.execute(
            f"INSERT INTO {name} SELECT * FROM read_csv('{feed}/{name}.txt', header = true, columns = {json.dumps(types)})"
            .replace('"', "'"))
    database.close()


OTHERS = {
    "frictionless": ("frictionless", run_frictionless), "sqlite-utils": ("sqlite_utils", run_sqlite_utils),
    "duckdb": ("duckdb", run_duckdb),
}


def count_rows(feed):
    """The records of the generated files, in which no field has a line end."""
    total = 0
    for name in TABLES:
        with open(f"{feed}/{name}.txt", "rb") as file:
            total += sum(block.count(b"\n") for block in iter(lambda: file.read(1 << 20), b"")) - 1
    return total


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("ingest")
    parser.add_argument("feed")
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        name, output = options.child.split("=", 1)
        return OTHERS[name][1](options.feed, output)
    feed = str(Path(options.feed).resolve())
    rows = count_rows(feed)
    names = options.only.split(",") if options.only else ["ingest", *OTHERS]
    print(f"{rows:,} records in {len(TABLES)} files\n")
    print("| program | seconds | records/s | memory, MB | file, MB | checks |")
    print("|---|---:|---:|---:|---:|---|")
    for name in names:
        if name in OTHERS and importlib.util.find_spec(OTHERS[name][0]) is None:
            print(f"| {name} | not installed | | | | |")
            continue
        results = []
        for _ in range(options.runs):
            output = f"{temporary_folder()}/feed.db"
            command = [sys.executable, __file__, options.ingest, feed, "--child", f"{name}={output}"]
            if name == "ingest":
                command = [options.ingest, "--schema", "gtfs", "--source", feed, "--out", output, "--quiet"]
            seconds, memory = measure(command)
            size = os.path.getsize(output) / 1e6 if os.path.exists(output) else 0
            results.append((seconds, memory, size))
        seconds = min(result[0] for result in results)
        memory = max(result[1] for result in results)
        size = f"{results[-1][2]:,.1f}" if results[-1][2] else "-"
        print(f"| {name} | {seconds:.1f} | {rows / seconds:,.0f} | {memory:,.0f} | {size} | {CHECKS[name]} |", flush=True)


if __name__ == "__main__":
    main()
