#!/usr/bin/env python3
"""Holds what ingest writes as JSON against its JSON Schema: reports, as --report FILE.json writes them; with
--diff what ingest diff --json writes; with --log each line of what --log-format json writes. Of a list of more
than 10,000 entries, which are all made in the same way, every hundredth is held against it, and the last.

Usage: check-report.py [--diff | --log] FILE...

Prints a line for everything that the schema does not allow, and then fails.
"""

import json
import sys
from pathlib import Path

from jsonschema import Draft202012Validator

CATALOGUE = Path(__file__).resolve().parent.parent / "Sources/ingest/ingest.docc"
RESOURCES = CATALOGUE / "Resources"


def refuse(name):
    sys.exit(f"{name} is no number of JSON")


def sampled(value):
    """The document with its long lists thinned out."""
    if isinstance(value, dict):
        return {name: sampled(part) for name, part in value.items()}
    if isinstance(value, list):
        return [sampled(part) for part in (value if len(value) <= 10_000 else value[::100] + value[-1:])]
    return value


def documents(path, kind):
    """What is in a file, each document with its name."""
    text = Path(path).read_text(encoding="utf-8")
    if kind != "log":
        return [(path, text)]
    return [(f"{path}: line {number}", line) for number, line in enumerate(text.splitlines(), start=1)]


def main():
    files = sys.argv[1:]
    kind = files.pop(0)[2:] if files[0] in ("--diff", "--log") else "report"
    schema = json.loads((RESOURCES / f"{kind}.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    problems = [
        f"{name}: {error.json_path}: {error.message}"
        for path in files
        for name, text in documents(path, kind)
        for error in validator.iter_errors(sampled(json.loads(text, parse_constant=refuse)))
    ]
    print("\n".join(problems))
    sys.exit(1 if problems else 0)


main()
