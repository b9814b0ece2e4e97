#!/usr/bin/env python3
"""Draws what ingest prints as a picture for the README: the fixtures of 2020, and then those of today over them.

Usage: picture.py INGEST > .github/night.svg
       picture.py --check INGEST: fails if the picture shows other words; its times may be others.
"""

import re
import subprocess
import sys
import tempfile
import textwrap
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / ".github/night.svg"
COLUMNS, LINE, CHARACTER, MARGIN = 92, 19, 7.83, 18


def night(ingest):
    """What is printed, with the command line before it."""
    with tempfile.TemporaryDirectory() as folder:
        for dumps in ["dumps-2020", "dumps"]:
            (Path(folder) / "dumps").unlink(missing_ok=True)
            (Path(folder) / "dumps").symlink_to(ROOT / "fixtures" / dumps)
            done = subprocess.run(
                [ingest, "--source", "dumps/", "--out", "catalog.sqlite"],
                cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=True,
            )
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
<title>What ingest prints about a night</title>
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
    """The picture without its times and the speeds that follow from them, and the room that they take."""
    untimed = re.sub(r"\d+\.\d{3}\s+[\d,]+|[\d.]+ s\b", "#", picture)
    return re.sub(r"\s+", " ", untimed)


def main():
    *check, ingest = sys.argv[1:]
    picture = svg(night(Path(ingest).resolve()))
    if not check:
        print(picture, end="")
    elif words(picture) != words(PICTURE.read_text(encoding="utf-8")):
        sys.exit(f"{PICTURE.name} does not show what is printed; draw it again with .ci/picture.py")


main()
