#!/usr/bin/env python3
"""Follows the links of the documents at the top and in .github to files of the project, and to their headings.

Prints each that leads nowhere, and then fails.
"""

import glob
import re
import sys
from pathlib import Path


def anchors(path):
    """The anchors that GitHub gives to the headings of a file."""
    headings = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading).strip().lower().replace(" ", "-") for heading in headings}


faults = []
for name in sorted(glob.glob("*.md") + glob.glob(".github/*.md") + glob.glob("Packaging/**/*.md", recursive=True)):
    for link in re.findall(r"\]\(([^)\s]+)\)", Path(name).read_text(encoding="utf-8")):
        if re.match(r"[a-z]+:", link):
            continue
        target, _, anchor = link.partition("#")
        path = Path(name).parent / target if target else Path(name)
        if not path.exists():
            faults.append(f"{name}: {link} is not there")
        elif anchor and anchor not in anchors(path):
            faults.append(f"{name}: {path} has no heading {anchor}")
print("\n".join(faults) if faults else "all links lead somewhere")
sys.exit(1 if faults else 0)
