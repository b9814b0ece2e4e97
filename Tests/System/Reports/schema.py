"""Validate JSON output of ingest with its JSON Schema:

    python3 Tests/System Reports.schema [--diff | --log] FILE...

FILE is a report; with --diff the output of `ingest diff --json`, with --log that of `--log-format json`, one document
a line. Of a list with more than 10,000 entries, only every hundredth and the last one are
validated. Each violation is printed on a line that begins with the file.
"""
import json
import sys
from pathlib import Path

from jsonschema import Draft202012Validator

from support import ROOT, finish


def refuse(name):
    sys.exit(f"{name} is not a JSON number")


def sampled(value):
    """The document with long lists sampled."""
    if isinstance(value, dict):
        return {name: sampled(part) for name, part in value.items()}
    if isinstance(value, list):
        return [sampled(part) for part in (value if len(value) <= 10_000 else value[::100] + value[-1:])]
    return value


def documents(path, kind):
    """The documents of a file, each with its name."""
    text = Path(path).read_text(encoding="utf-8")
    if kind != "log":
        return [(path, text)]
    return [(f"{path}: line {number}", line) for number, line in enumerate(text.splitlines(), start=1)]


def main(first, *files):
    kind, files = (first[2:], files) if first in ("--diff", "--log") else ("report", (first, *files))
    schema = json.loads((ROOT / f"Sources/ingest/ingest.docc/Resources/{kind}.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    finish([
        f"{name}: {error.json_path}: {error.message}"
        for path in files
        for name, text in documents(path, kind)
        for error in Draft202012Validator(schema).iter_errors(sampled(json.loads(text, parse_constant=refuse)))
    ])
