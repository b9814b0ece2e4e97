#!/usr/bin/env python3
"""Holds what ingest writes as JSON against its JSON Schema: reports, as --report FILE.json writes them, and
with --diff what ingest diff --json writes. Of a list of more than 10,000 entries, which are all made in the
same way, every hundredth is held against it, and the last.

Usage: check-report.py [--diff] FILE...

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


def main():
    files = sys.argv[1:]
    name = "report.schema.json"
    if files[0] == "--diff":
        name = "diff.schema.json"
        del files[0]
    schema = json.loads((RESOURCES / name).read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    problems = [
        f"{path}: {error.json_path}: {error.message}"
        for path in files
        for error in validator.iter_errors(
            sampled(json.loads(Path(path).read_text(encoding="utf-8"), parse_constant=refuse))
        )
    ]
    print("\n".join(problems))
    sys.exit(1 if problems else 0)


main()
