"""Draw the output of ingest for the README: a catalog of full size over a database of the night before.

    python3 Tests/System Documentation.picture INGEST [--write]

The source files are artificial: generate-dumps, in the folder of INGEST, writes them.
Without --write, the picture is compared with the output, without times.
"""
import gzip
import re
import shutil
import subprocess
import sys
import textwrap
from html import escape
from pathlib import Path

from support import ROOT, run, temporary_folder

PICTURE = ROOT / ".github/night.svg"
COLUMNS, LINE, CHARACTER, MARGIN = 92, 19, 7.83, 18


def night(ingest):
    """The command line and its output."""
    folder = temporary_folder()
    source = folder / "today"
    run(ingest.parent / "generate-dumps", "--out", source)
    before = shutil.copytree(source, folder / "before")
    # The night before had fewer records, and two other numbers.
    for table, missing in ("elements", 86), ("inventory_parts", 2143):
        (before / f"{table}.csv.gz").unlink()
        lines = gzip.decompress((source / f"{table}.csv.gz").read_bytes()).decode().splitlines(keepends=True)
        changed = [re.sub(r",\d+,False,", ",9,False,", line) for line in lines[1:3]]
        (before / f"{table}.csv").write_text("".join([lines[0], *changed, *lines[3:-missing]]), newline="")
    for dumps in [before, source]:
        (folder / "dumps").unlink(missing_ok=True)
        (folder / "dumps").symlink_to(dumps)
        done = run(ingest, "--source", "dumps/", "--out", "catalog.sqlite", cwd=folder, stderr=subprocess.STDOUT)
    lines = ["$ ingest --source dumps/ --out catalog.sqlite", *done.stdout.rstrip("\n").split("\n")]
    return [part for line in lines for part in (textwrap.wrap(
        line, COLUMNS, subsequent_indent="  ", drop_whitespace=True, replace_whitespace=False) or [""])]


def svg(lines):
    width = round(COLUMNS * CHARACTER + 2 * MARGIN)
    height = len(lines) * LINE + 2 * MARGIN
    texts = "\n".join(
        f'<text x="{MARGIN}" y="{MARGIN + 14 + index * LINE}" xml:space="preserve"'
        f'{" class=" + chr(34) + "command" + chr(34) if line.startswith("$") else ""}>{escape(line)}</text>'
        for index, line in enumerate(lines)
    )
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">
<title>Output of ingest</title>
<style>
rect {{ fill: #1c2128 }}
text {{ font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #d1d9e0 }}
.command {{ fill: #7ee787 }}
</style>
<rect width="{width}" height="{height}" rx="8"/>
{texts}
</svg>
"""


def words(picture):
    """The picture without times, speeds and white space."""
    untimed = re.sub(r"\d+\.\d{3}\s+[\d,]+|[\d.]+ s\b", "#", picture)
    return re.sub(r"\s+", " ", untimed)


def main(ingest, option=None):
    picture = svg(night(Path(ingest).resolve()))
    if option == "--write":
        PICTURE.write_text(picture, encoding="utf-8")
    elif words(picture) != words(PICTURE.read_text(encoding="utf-8")):
        sys.exit(f"{PICTURE.name} is out of date: python3 Tests/System Documentation.picture INGEST --write")
