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
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

S, I, R = "string", "integer", "number"
# Columns with their types, primary key, and references: column, table, its column.
TABLES = {
    "agency": (
        dict(agency_id=S, agency_name=S, agency_url=S, agency_timezone=S, agency_lang=S, agency_phone=S),
        ["agency_id"], []),
    "stops": (
        dict(stop_id=S, stop_name=S, stop_desc=S, stop_lat=R, stop_lon=R, location_type=I, parent_station=S,
             wheelchair_boarding=I),
        ["stop_id"], [("parent_station", "stops", "stop_id")]),
    "routes": (
        dict(route_id=S, agency_id=S, route_short_name=S, route_long_name=S, route_type=I, route_color=S,
             route_text_color=S),
        ["route_id"], [("agency_id", "agency", "agency_id")]),
    "calendar": (
        dict(service_id=S, monday=I, tuesday=I, wednesday=I, thursday=I, friday=I, saturday=I, sunday=I, start_date=S,
             end_date=S),
        ["service_id"], []),
    "calendar_dates": (
        dict(service_id=S, date=S, exception_type=I), ["service_id", "date"],
        [("service_id", "calendar", "service_id")]),
    "shapes": (
        dict(shape_id=S, shape_pt_lat=R, shape_pt_lon=R, shape_pt_sequence=I, shape_dist_traveled=R),
        ["shape_id", "shape_pt_sequence"], []),
    "trips": (
        dict(route_id=S, service_id=S, trip_id=S, trip_headsign=S, direction_id=I, block_id=S, shape_id=S,
             wheelchair_accessible=I),
        ["trip_id"], [("route_id", "routes", "route_id"), ("service_id", "calendar", "service_id")]),
    "stop_times": (
        dict(trip_id=S, arrival_time=S, departure_time=S, stop_id=S, stop_sequence=I, stop_headsign=S, pickup_type=I,
             drop_off_type=I, shape_dist_traveled=R, timepoint=I),
        ["trip_id", "stop_sequence"], [("trip_id", "trips", "trip_id"), ("stop_id", "stops", "stop_id")]),
    "frequencies": (
        dict(trip_id=S, start_time=S, end_time=S, headway_secs=I, exact_times=I), ["trip_id", "start_time"],
        [("trip_id", "trips", "trip_id")]),
    "feed_info": (
        dict(feed_publisher_name=S, feed_publisher_url=S, feed_lang=S, feed_start_date=S, feed_end_date=S,
             feed_version=S),
        [], []),
}
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


def measure(command):
    """Seconds, and the most memory of the process in MB."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{' '.join(command)}: exit status {process.returncode}")
    return time.monotonic() - start, usage.ru_maxrss / 1000


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
            folder = tempfile.mkdtemp()
            try:
                output = f"{folder}/feed.db"
                command = [sys.executable, __file__, options.ingest, feed, "--child", f"{name}={output}"]
                if name == "ingest":
                    command = [options.ingest, "--schema", "gtfs", "--source", feed, "--out", output, "--silent"]
                seconds, memory = measure(command)
                size = os.path.getsize(output) / 1e6 if os.path.exists(output) else 0
                results.append((seconds, memory, size))
            finally:
                shutil.rmtree(folder)
        seconds = min(result[0] for result in results)
        memory = max(result[1] for result in results)
        size = f"{results[-1][2]:,.1f}" if results[-1][2] else "-"
        print(f"| {name} | {seconds:.1f} | {rows / seconds:,.0f} | {memory:,.0f} | {size} | {CHECKS[name]} |", flush=True)


if __name__ == "__main__":
    main()
