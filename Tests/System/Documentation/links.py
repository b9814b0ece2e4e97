"""Check the links of the documents at the root, in .github and in Packaging to files and headings:

    python3 Tests/System Documentation.links

Each broken link is printed.
"""
import re

from support import ROOT, finish


def anchors(path):
    """The anchors of a file's headings on GitHub."""
    headings = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading).strip().lower().replace(" ", "-") for heading in headings}


def main():
    faults = []
    for document in sorted(path for pattern in ("*.md", ".github/*.md", "Packaging/**/*.md") for path in ROOT.glob(pattern)):
        for link in re.findall(r"\]\(([^)\s]+)\)", document.read_text(encoding="utf-8")):
            target, _, anchor = link.partition("#")
            path = document.parent / target if target else document
            if re.match(r"[a-z]+:", link):
                continue
            if not path.exists():
                faults.append(f"{document}: {link} does not exist")
            elif anchor and anchor not in anchors(path):
                faults.append(f"{document}: {path} has no heading {anchor}")
    finish(faults, f"links: {len(faults)} broken")
