"""Check that the Swift examples of the documentation are compiled and run by tests:

    python3 Tests/System Documentation.examples

Every ```swift block of the README and of the libraries' articles, and every block of code in the libraries' doc
comments, fenced or indented, must be in one of the modules' Documentation*Tests.swift, with any indentation.
Each missing block is printed.
"""
import re
import sys

from support import ROOT, finish

MODULES = ["SQLiteSwiftly", "SQLiteSwiftlyData", "SQLiteSwiftlyFoundation", "Schema", "RebrickableCatalog"]


def files(*patterns):
    """The files of each module, by patterns in which * is its name."""
    return sorted(path for module in MODULES for pattern in patterns for path in ROOT.glob(pattern.replace("*", module, 1)))


def lines_of(path):
    return path.read_text(encoding="utf-8").split("\n")


def fenced_blocks(path):
    """The ```swift blocks of a file, with the numbers of their first lines."""
    start = None
    lines = [re.sub(r"^\s*/// ?", "", line) for line in lines_of(path)]
    for index, line in enumerate(lines):
        if start is None and line.strip() == "```swift":
            start = index + 1
        elif start is not None and line.strip() == "```":
            yield start + 1, lines[start:index]
            start = None
    if start is not None:
        sys.exit(f"{path}:{start}: unterminated block")


def comment_blocks(path):
    """The indented code blocks in the doc comments of a Swift file, likewise.

    Code follows a blank line; other indented lines continue a list item.
    """
    block, first, previous, is_fenced = [], 0, None, False
    for number, line in enumerate(lines_of(path) + [""], start=1):
        match = re.match(r"\s*/// ?(.*)$", line)
        comment = match and match[1]
        if comment is not None and comment.startswith("```"):
            is_fenced = not is_fenced
        is_indented = comment is not None and comment.startswith("    ") and not is_fenced
        if block and (is_indented or comment == ""):
            block.append(comment)
        elif is_indented and previous == "":
            block, first = [comment], number
        elif block:
            yield first, block
            block = []
        previous = comment


def whole(lines):
    """The lines as searchable text, without indentation and trailing blank lines."""
    return "\n" + "\n".join(line.strip() for line in lines).rstrip("\n") + "\n"


def main():
    tests = [whole(lines_of(path)) for path in files("Tests/*Tests/Documentation*Tests.swift")]
    blocks = [(path, *block) for path in [ROOT / "README.md", *files("Sources/*/*.docc/*.md")] for block in fenced_blocks(path)]
    for path in files("Sources/*/**/*.swift"):
        blocks += [(path, *block) for block in [*fenced_blocks(path), *comment_blocks(path)]]
    missing = [
        f"{path}:{number}: example without a test:\n    " + "\n    ".join(block)
        for path, number, block in blocks
        if not any(whole(block) in test for test in tests)
    ]
    finish(missing if blocks else ["found no examples"], f"{len(blocks)} examples, {len(missing)} of them in no test")
