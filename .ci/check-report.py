#!/usr/bin/env python3
"""Holds reports of ingest, as --report FILE.json writes them, against their JSON Schema.

Usage: check-report.py FILE...

Prints a line for everything that the schema does not allow, and then fails.
"""

import json
import sys
from pathlib import Path

from jsonschema import Draft202012Validator

CATALOGUE = Path(__file__).resolve().parent.parent / "Sources/IngestReport/IngestReport.docc"
SCHEMA = CATALOGUE / "Resources/report.schema.json"


def refuse(name):
    sys.exit(f"{name} is no number of JSON")


def main():
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    problems = [
        f"{path}: {error.json_path}: {error.message}"
        for path in sys.argv[1:]
        for error in validator.iter_errors(
            json.loads(Path(path).read_text(encoding="utf-8"), parse_constant=refuse)
        )
    ]
    print("\n".join(problems))
    sys.exit(1 if problems else 0)


main()
