#!/usr/bin/env python3
"""Runs the questions of the cookbook on a catalogue, and keeps the article about them up to date.

    cookbook.py --run CATALOGUE      every question runs
    cookbook.py CATALOGUE            the article is as it would be written
    cookbook.py --write CATALOGUE    writes the article

The answers in the article are those of the snapshot of June 2020. The questions are read from the Swift
files; a test compares what is written with the list in the program.
"""

import re
import sqlite3
import sys
from glob import glob
from textwrap import fill

SOURCES = "Sources/RebrickableCatalog/Cookbook"
ARTICLE = "Sources/RebrickableCatalog/RebrickableCatalog.docc/Cookbook.md"
ROWS = 8
INTRODUCTION = """\
# Cookbook

Fifteen questions that people ask a catalogue, and how it answers.

## Overview

Each query runs as it stands in `sqlite3`, Datasette or a program, with values for the parameters that begin with
a colon; ``RebrickableCatalog/RebrickableCatalog/cookbook`` has them for Swift. The answers are those of the
snapshot of June 2020, cut off after eight rows, with the parameters as given. A number that is not there gives an empty
answer.

```sh
sqlite3 -box catalog.sqlite ".parameter set :set_num \\"'8880-1'\\"" ".read question.sql"
```
"""

STRING = r'"""\n(.*?)"""|"((?:[^"\\]|\\.)*)"'


def string(match):
    """The value of a Swift string literal, with or without lines."""
    if match[1] is None:
        return match[2].replace('\\"', '"')
    lines = match[1].split("\n")
    indent = len(lines.pop())
    return "\n".join(line[indent:] for line in lines).replace("\\\n", "")


def argument(text, label):
    return string(re.search(rf"\b{label}:\s*(?:{STRING})", text, re.S))


def questions():
    """All questions by the names of their declarations, and the names of those in the cookbook, in order."""
    found = {}
    for path in sorted(glob(f"{SOURCES}/*.swift")):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for match in re.finditer(r"static let (\w+) = CatalogQuestion\(\n(.*?)\n(?=\n  static|\}\n)", text, re.S):
            body = match[2]
            example = body[body.index("example:") : body.index("sql:")]
            found[match[1]] = {
                "name": argument(body, "name"),
                "title": argument(body, "title"),
                "explanation": argument(body, "explanation"),
                "kind": re.search(r"kind: \.(\w+)", body)[1],
                "example": {
                    pair[1]: int(pair[4]) if pair[4] else string([pair[0], pair[2], pair[3]])
                    for pair in re.finditer(rf'"(\w+)":\s*(?:{STRING}|(-?\d+))', example, re.S)
                },
                "sql": argument(body, "sql"),
            }
    with open(f"{SOURCES}/CatalogQuestion.swift", encoding="utf-8") as file:
        listed = re.search(r"let cookbook: \[CatalogQuestion\] = \[(.*?)\]", file.read(), re.S)[1]
    return found, re.findall(r"\.(\w+)", listed)


def cell(value):
    return "" if value is None else str(value).replace("|", "\\|")


def section(question, catalogue):
    cursor = catalogue.execute(question["sql"], question["example"])
    rows = cursor.fetchall()
    if not rows:
        sys.exit(f"cookbook.py: {question['name']} has no answer; choose other values for its example")
    lines = [
        f"## {question['title']}",
        "",
        fill(question["explanation"], 116, break_on_hyphens=False),
        "",
        "```sql",
        question["sql"].rstrip("\n"),
        "```",
        "",
    ]
    if question["example"]:
        values = (f"`:{name}` = `{value}`" for name, value in question["example"].items())
        lines += ["With " + ", ".join(values) + ":", ""]
    lines.append("| " + " | ".join(column[0] for column in cursor.description) + " |")
    lines.append("|" + "---|" * len(cursor.description))
    lines += ["| " + " | ".join(map(cell, row)) + " |" for row in rows[:ROWS]]
    if len(rows) > ROWS:
        lines += ["", f"and {len(rows) - ROWS:,} rows more."]
    return "\n".join(lines) + "\n"


def main():
    options = [argument for argument in sys.argv[1:] if argument.startswith("--")]
    arguments = [argument for argument in sys.argv[1:] if argument not in options]
    if len(arguments) != 1 or not set(options) <= {"--run", "--write"}:
        sys.exit(__doc__)
    catalogue = sqlite3.connect(f"file:{arguments[0]}?mode=ro", uri=True)
    found, listed = questions()
    if "--run" in options:
        for question in found.values():
            catalogue.execute(question["sql"], question["example"]).fetchall()
        print(f"cookbook: {len(found)} questions ran")
        return
    text = "\n".join([INTRODUCTION] + [section(found[name], catalogue) for name in listed])
    if "--write" in options:
        with open(ARTICLE, "w", encoding="utf-8") as file:
            file.write(text)
        return
    with open(ARTICLE, encoding="utf-8") as file:
        if file.read() != text:
            sys.exit(f"{ARTICLE} is out of date: python3 .ci/cookbook.py --write CATALOGUE, and look at what changed")
    print(f"cookbook: {len(listed)} questions answered as the article says")


if __name__ == "__main__":
    main()
