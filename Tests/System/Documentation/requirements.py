"""Check that the tests cover the numbered requirements of the SQLite layer:

    python3 Tests/System Documentation.requirements

A test covers the numbers that its name begins with: @Test("SW-33 SW-35 what holds"), or a function
func `SW-33, SW-35 what holds`(). So does a snippet that must not compile, by a comment in its first lines. Any other
number must be in not-testable.txt, with a reason. The requirements themselves are in Tests/Requirements.md.
"""
import itertools
import re
from pathlib import Path

from support import ROOT, finish

KINDS = ["SW", "DAL", "SK", "SQ", "X"]
NUMBER = rf"(?:{'|'.join(KINDS)})-\d+"

NOT_TESTABLE = Path(__file__).with_name("not-testable.txt")
REQUIREMENTS = re.findall(
    rf"(?m)^\| ({NUMBER}) \|", (ROOT / "Tests/Requirements.md").read_text())

NUMBERS = re.compile(rf"{NUMBER}(?:(?:\s*,\s*|\s+){NUMBER})*")
TEST_NAME = re.compile(r'@Test\s*\(\s*"((?:[^"\\]|\\.)*)"|\bfunc\s+`([^`]+)`')

problems = []


def leading_numbers(name, place):
    """The requirements at the beginning of a name."""
    match = NUMBERS.match(name)
    if not match:
        return []
    if not re.match(r"\s|:|$", name[match.end():]):
        problems.append(f'{place}: "{name}": write every number out, with blanks or commas between')
    return re.findall(NUMBER, match.group())


def names():
    """The names of tests, and the first comments of snippets, with their places."""
    for path in sorted((ROOT / "Tests").rglob("*.swift")):
        text, place = path.read_text(), path.relative_to(ROOT)
        if path.parent.name == "MustNotCompile":
            comments = itertools.takewhile(lambda line: line.startswith("//"), text.splitlines())
            yield from ((comment.lstrip("/ "), f"{place}:{line}") for line, comment in enumerate(comments, 1))
            continue
        text = re.sub(r"(?m)^[ \t]*//.*$", "", text)
        for match in TEST_NAME.finditer(text):
            line = text.count("\n", 0, match.end()) + 1
            yield match[1] or match[2], f"{place}:{line}"


def read_not_testable():
    """The requirements that no test can cover."""
    numbers = []
    for line, text in enumerate(NOT_TESTABLE.read_text().splitlines(), 1):
        place = f"{NOT_TESTABLE.relative_to(ROOT)}:{line}"
        number, _, reason = text.partition(" ")
        if number not in REQUIREMENTS:
            problems.append(f'{place}: "{number}" is not a requirement')
        elif number in numbers:
            problems.append(f"{place}: duplicate {number}")
        elif not reason.strip():
            problems.append(f"{place}: {number} has no reason; state why no test can cover it")
        numbers.append(number)
    return numbers


def main():
    tested = {}
    for name, place in names():
        for number in leading_numbers(name, place):
            if number not in REQUIREMENTS:
                problems.append(f'{place}: "{name}": {number} is not a requirement')
            tested.setdefault(number, place)
    not_testable = read_not_testable()
    problems.extend(
        f"{number} has a test ({tested[number]}): remove it from {NOT_TESTABLE.name}"
        for number in not_testable if number in tested)
    missing = [number for number in REQUIREMENTS if number not in tested and number not in not_testable]
    if missing:
        problems.append(f"no test: {' '.join(missing)}: begin the name of a test with the number; "
                        f"or state a reason in {NOT_TESTABLE.name} why no test can cover it")
    covered = sum(number in tested for number in REQUIREMENTS)
    finish(problems, f"{len(REQUIREMENTS)} requirements: {covered} tested, {len(not_testable)} not testable, "
                     f"{len(missing)} missing")
