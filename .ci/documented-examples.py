#!/usr/bin/env python3
"""Checks that the Swift examples of the documentation are ones that are compiled and run.

Every ```swift block of the README and of the libraries' articles, and every block of code in the libraries'
doc comments, fenced or indented, must be found line by line, whatever the indentation, in one of the modules'
Documentation*Tests.swift. Prints each block that is not, and then fails.
"""

import glob
import re
import sys

MODULES = ["SQLiteSwiftly", "SQLiteSwiftlyFoundation", "RebrickableCatalog"]
ARTICLES = ["README.md"] + sorted(
    path for module in MODULES for path in glob.glob(f"Sources/{module}/*.docc/*.md")
)
SOURCES = sorted(
    path for module in MODULES for path in glob.glob(f"Sources/{module}/**/*.swift", recursive=True)
)
TESTS = sorted(
    path for module in MODULES for path in glob.glob(f"Tests/{module}Tests/Documentation*Tests.swift")
)


def lines_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read().split("\n")


def fenced_blocks(path):
    """The ```swift blocks of a file, with the number of their first line."""
    start = None
    lines = [re.sub(r"^\s*/// ?", "", line) for line in lines_of(path)]
    for index, line in enumerate(lines):
        if start is None and line.strip() == "```swift":
            start = index + 1
        elif start is not None and line.strip() == "```":
            yield start + 1, lines[start:index]
            start = None
    if start is not None:
        sys.exit(f"{path}:{start}: the block has no end")


def comment_blocks(path):
    """The indented blocks of code in the doc comments of a Swift file, likewise.

    Code comes after a blank line; what is indented after another one continues a list's item.
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


def trimmed(lines):
    lines = [line.strip() for line in lines]
    while lines and not lines[-1]:
        lines.pop()
    return lines


def contains(test, block):
    return any(
        test[start : start + len(block)] == block
        for start in range(len(test) - len(block) + 1)
        if test[start] == block[0]
    )


def main():
    tests = [trimmed(lines_of(path)) for path in TESTS]
    blocks = [(path, *block) for path in ARTICLES for block in fenced_blocks(path)]
    for path in SOURCES:
        blocks += [(path, *block) for block in [*fenced_blocks(path), *comment_blocks(path)]]
    missing = 0
    for path, number, block in blocks:
        block = trimmed(block)
        if not any(contains(test, block) for test in tests):
            missing += 1
            print(f"{path}:{number}: no test has this example:")
            print("".join(f"    {line}\n" for line in block))
    print(f"{len(blocks)} examples, {missing} of them in no test")
    sys.exit(1 if missing or not blocks else 0)


main()
