#!/usr/bin/env python3
"""Holds the tests against the numbered requirements of the SQLite layer.

A test covers the numbers that its name begins with: @Test("SW-33 SW-35 what holds"), or a function
func `SW-33, SW-35 what holds`(). So does a snippet in .ci/must-not-compile, by a comment in its first
lines. Whatever is left must be in .ci/not-testable.txt, each with a reason. The requirements themselves are in
Tests/Requirements.md.
"""
import re
import sys
from pathlib import Path

KINDS = ["SW", "DAL", "SK", "SQ", "X"]
NUMBER = rf"(?:{'|'.join(KINDS)})-\d+"

ROOT = Path(__file__).resolve().parent.parent
NOT_TESTABLE = ROOT / ".ci/not-testable.txt"
REQUIREMENTS = re.findall(
    rf"(?m)^\| ({NUMBER}) \|", (ROOT / "Tests/Requirements.md").read_text())

NUMBERS = re.compile(rf"{NUMBER}(?:(?:\s*,\s*|\s+){NUMBER})*")
TEST_NAME = re.compile(r'@Test\s*\(\s*"((?:[^"\\]|\\.)*)"|\bfunc\s+`([^`]+)`')

problems = []


def leading_numbers(name, place):
    """The requirements that a name begins with."""
    match = NUMBERS.match(name)
    if not match:
        return []
    if not re.match(r"\s|:|$", name[match.end():]):
        problems.append(f'{place}: "{name}": write every number out, with blanks or commas between')
    return re.findall(NUMBER, match.group())


def names_of_tests():
    """All names of tests, each with its place."""
    for path in sorted((ROOT / "Tests").rglob("*.swift")):
        text = re.sub(r"(?m)^[ \t]*//.*$", "", path.read_text())
        for match in TEST_NAME.finditer(text):
            line = text.count("\n", 0, match.end()) + 1
            yield match[1] or match[2], f"{path.relative_to(ROOT)}:{line}"


def names_of_snippets():
    """The comments that the snippets begin with, each with its place."""
    for path in sorted((ROOT / ".ci/must-not-compile").glob("*.swift")):
        for line, text in enumerate(path.read_text().splitlines(), 1):
            if not text.startswith("//"):
                break
            yield text.lstrip("/ "), f"{path.relative_to(ROOT)}:{line}"


def read_not_testable():
    """The requirements that no test can cover."""
    numbers = []
    for line, text in enumerate(NOT_TESTABLE.read_text().splitlines(), 1):
        place = f"{NOT_TESTABLE.relative_to(ROOT)}:{line}"
        number, _, reason = text.partition(" ")
        if number not in REQUIREMENTS:
            problems.append(f'{place}: "{number}" is no requirement')
        elif number in numbers:
            problems.append(f"{place}: {number} is here twice")
        elif not reason.strip():
            problems.append(f"{place}: {number} has no reason; say why no test can cover it")
        numbers.append(number)
    return numbers


def main():
    tested = {}
    for name, place in [*names_of_tests(), *names_of_snippets()]:
        for number in leading_numbers(name, place):
            if number not in REQUIREMENTS:
                problems.append(f'{place}: "{name}": {number} is no requirement')
            tested.setdefault(number, place)
    not_testable = read_not_testable()
    for number in not_testable:
        if number in tested:
            problems.append(
                f"{number} has a test ({tested[number]}): take it out of .ci/not-testable.txt")
    missing = [n for n in REQUIREMENTS if n not in tested and n not in not_testable]
    for kind in KINDS:
        if lacking := [number for number in missing if number.startswith(f"{kind}-")]:
            problems.append("no test: " + " ".join(lacking))
    if missing:
        problems.append("Begin the name of a test with the number; "
                        "or say in .ci/not-testable.txt why there can be none.")
    for problem in problems:
        print(problem)
    covered = sum(number in tested for number in REQUIREMENTS)
    print(f"{len(REQUIREMENTS)} requirements: {covered} tested, {len(not_testable)} not testable, "
          f"{len(missing)} missing")
    sys.exit(1 if problems else 0)


main()
