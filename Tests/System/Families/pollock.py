"""Describe and load each file of the Pollock benchmark, and score the results by its own metrics:

    python3 Tests/System Families.pollock INGEST POLLOCK [PATTERN]

POLLOCK is a checkout of https://github.com/HPI-Information-Systems/Pollock. Each file is described alone, all columns
are read as text, and the table is compared with the benchmark's clean version of the file: success, and precision,
recall and F1 of header, records and cells, at most 10. A file that is refused has 0. Names that the description changed
or invented are compared as the file has them; there is no header row if the description says so. PATTERN selects names
of files.
"""
import csv
import fnmatch
import functools
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from support import expect, temporary_folder

# The lowest scores, simple and weighted, of each data set; the weights are for polluted files.
BARS = {"survey_sample": (9.2, None), "polluted_files": (9.8, 9.8)}


def as_text(description):
    """Make all columns of a description text, without rules; its only resource."""
    description.pop("ingest", None)
    resource, = description["resources"]
    schema = resource["schema"]
    resource["schema"] = {"fields": [{"name": field["name"], "type": "string"} for field in schema["fields"]]}
    if "fieldsMatch" in schema:
        resource["schema"]["fieldsMatch"] = schema["fieldsMatch"]
    return resource


def header(path, resource):
    """The names of a file, as it has them; those of several rows joined, with merged cells. None if more than one is missing."""
    dialect, fields = resource.get("dialect", {}), resource["schema"]["fields"]
    if dialect.get("header") is False:
        return []
    numbers = dialect.get("headerRows", [1])
    delimiter, quote = dialect.get("delimiter", ","), dialect.get("quoteChar", '"')
    text = path.read_bytes().decode(resource.get("encoding", "utf-8"), "replace").lstrip("\ufeff")
    if "lineTerminator" in dialect:
        text = text.replace(dialect["lineTerminator"], "\n")
    # Python's delimiter is one character.
    if len(delimiter) > 1:
        text, delimiter = text.replace(delimiter, "\x1f"), "\x1f"
    rows = csv.reader(text.splitlines(keepends=True), delimiter=delimiter, quotechar=quote or None,
                      quoting=csv.QUOTE_MINIMAL if quote else csv.QUOTE_NONE, escapechar=dialect.get("escapeChar"),
                      doublequote=dialect.get("doubleQuote", True),
                      skipinitialspace=dialect.get("skipInitialSpace", False))
    chosen = []
    for number, row in enumerate(rows, 1):
        if number in numbers or numbers == [1] and row and not chosen:
            chosen.append(row)
        if len(chosen) == len(numbers):
            break
    given = [list(row) for row in chosen]
    for above, row in enumerate(chosen[:-1]):
        for place in range(1, len(row)):
            if not row[place] and not any(other[place] for other in given[:above]):
                row[place] = row[place - 1]
    names = [" ".join(filter(None, parts)) for parts in zip(*chosen)]
    # Row labels and a delimiter at the end of records have no name.
    return names[:len(fields)] if len(names) >= len(fields) - 1 else None


def load(ingest, path, result):
    """Write the table of a file as CSV; None, or the message about why there is none."""
    work = temporary_folder()
    shutil.copy(path, work)
    described = subprocess.run([ingest, "describe", "--source", "."], cwd=work, capture_output=True, text=True)
    if described.returncode:
        return described.stderr.strip()
    description = json.loads(described.stdout)
    resource = as_text(description)
    (work / "datapackage.json").write_text(json.dumps(description))
    loaded = subprocess.run([ingest, "--schema", work / "datapackage.json", "--source", work, "--out", work / "o.sqlite",
                             "--max-rejects", "100%", "--quiet"], capture_output=True, text=True)
    if loaded.returncode not in (0, 3, 4):
        return loaded.stderr.strip()
    database = sqlite3.connect(work / "o.sqlite")
    found = database.execute(f"""SELECT * FROM "{resource['name'].replace('"', '""')}" ORDER BY rowid""")
    names = header(path, resource)
    if names is None:
        names = [column[0] for column in found.description]
    with open(result, "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([names] if names else [])
        csv.writer(file).writerows(found)
    database.close()
    shutil.rmtree(work)
    return None


def score(metrics, ingest, folder, name, result):
    """The sum of the measures of one file, and a remark if it is not 10."""
    fault = load(ingest, folder / "csv" / name, result)
    if fault is not None:
        return 0, "refused: " + " ".join(fault.split())[:300]
    measures = metrics.header_record_cell_measures_csv(folder / "clean" / name, result)
    remark = ", ".join(f"{kind} {measures[place]:.3f}/{measures[place + 1]:.3f}"
                       for place, kind in ((0, "header"), (3, "records"), (6, "cells")))
    return metrics.successful_csv(result) + sum(measures), remark


def main(ingest, checkout, pattern="*"):
    ingest, checkout = str(Path(ingest).resolve()), Path(checkout).resolve()
    if not (checkout / "pollock/metrics.py").exists():
        print(f"skipped: {checkout} is not a checkout of Pollock")
        return
    sys.path.insert(0, str(checkout))
    import pollock.metrics as metrics
    metrics.normalize_cell = functools.lru_cache(None)(metrics.normalize_cell)
    weights = json.loads((checkout / "pollock_weights.json").read_text())
    results = temporary_folder()
    for data, (bar, weighted_bar) in BARS.items():
        folder = checkout / data
        # Those that Git LFS has not fetched have no clean version.
        names = [name for name in sorted(os.listdir(folder / "csv"))
                 if fnmatch.fnmatch(name, pattern) and (folder / "clean" / name).exists()]
        if not names:
            continue
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            scored = dict(zip(names, pool.map(
                lambda name: score(metrics, ingest, folder, name, results / name), names)))
        for name, (points, remark) in sorted(scored.items(), key=lambda each: each[1][0]):
            if points < 9.995:
                print(f"{points:6.3f} {name}: {remark}")
        simple = sum(points for points, _ in scored.values()) / len(names)
        total = sum(weights.get(name, 0) for name in names)
        weighted = sum(points * weights.get(name, 0) for name, (points, _) in scored.items()) / total if total else 0
        print(f"{data}: {len(names)} files, simple {simple:.3f}" + (f", weighted {weighted:.3f}" if total else ""))
        if pattern == "*":
            expect(simple >= bar, f"{data}: the simple score is below {bar}")
            expect(weighted >= (weighted_bar or 0), f"{data}: the weighted score is below {weighted_bar}")
