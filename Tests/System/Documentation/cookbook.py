"""Run the questions of the cookbook on a catalog, and check the article:

    python3 Tests/System Documentation.cookbook CATALOG [--run | --write]

With --run every question must run; with --write the article is written; otherwise it must be up to date.
The answers in the article are those of the snapshot of June 2020. The questions are read from the Swift files; a test
compares what is written with the list in the program.
"""
import re
import sys
from textwrap import fill

from support import ROOT, keep_up_to_date, open_catalog

COOKBOOK = ROOT / "Sources/RebrickableCatalog/Cookbook"
OTHERS = ROOT / "Benchmarks/CatalogQuestions"
ARTICLE = ROOT / "Sources/RebrickableCatalog/RebrickableCatalog.docc/Cookbook.md"
ROWS = 8
STRING = r'"""\n(.*?)"""|"((?:[^"\\]|\\.)*)"'


def string(match):
    """The value of a Swift string literal."""
    if match[1] is None:
        return match[2].replace('\\"', '"')
    lines = match[1].split("\n")
    indent = len(lines.pop())
    return "\n".join(line[indent:] for line in lines).replace("\\\n", "")


def argument(text, label):
    return string(re.search(rf"\b{label}:\s*(?:{STRING})", text, re.S))


def questions():
    """All questions by declaration name, and the names of those in the cookbook, in order."""
    found = {}
    for path in sorted([*COOKBOOK.glob("*.swift"), *OTHERS.glob("*.swift")]):
        text = path.read_text(encoding="utf-8")
        for match in re.finditer(r"static let (\w+) = CatalogQuestion\(\n(.*?)\n(?=\n  static|\}\n)", text, re.S):
            body = match[2]
            example = body[body.index("example:") : body.index("sql:")]
            found[match[1]] = {
                "name": argument(body, "name"),
                "title": argument(body, "title"),
                "explanation": argument(body, "explanation"),
                "kind": re.search(r"kind: \.(\w+)", body)[1],
                "example": {
                    pair[1]: int(pair[4]) if pair[4] else string([pair[0], pair[2], pair[3]])
                    for pair in re.finditer(rf'"(\w+)":\s*(?:{STRING}|(-?\d+))', example, re.S)
                },
                "sql": argument(body, "sql"),
            }
    text = (COOKBOOK / "CatalogQuestion.swift").read_text(encoding="utf-8")
    listed = re.search(r"let cookbook: \[CatalogQuestion\] = \[(.*?)\]", text, re.S)[1]
    return found, re.findall(r"\.(\w+)", listed)


def cell(value):
    return "" if value is None else str(value).replace("|", "\\|")


def section(question, catalog):
    cursor = catalog.execute(question["sql"], question["example"])
    rows = cursor.fetchall()
    if not rows:
        sys.exit(f"cookbook.py: {question['name']} has no result; choose other values for its example")
    lines = [
        f"## {question['title']}",
        "",
        fill(question["explanation"], 116, break_on_hyphens=False),
        "",
        "```sql",
        question["sql"].rstrip("\n"),
        "```",
        "",
    ]
    if question["example"]:
        values = (f"`:{name}` = `{value}`" for name, value in question["example"].items())
        lines += ["With " + ", ".join(values) + ":", ""]
    lines.append("| " + " | ".join(column[0] for column in cursor.description) + " |")
    lines.append("|" + "---|" * len(cursor.description))
    lines += ["| " + " | ".join(map(cell, row)) + " |" for row in rows[:ROWS]]
    if len(rows) > ROWS:
        lines += ["", f"and {len(rows) - ROWS:,} more rows."]
    return "\n".join(lines) + "\n"


def main(path, option=None):
    catalog = open_catalog(path)
    found, listed = questions()
    if option == "--run":
        for question in found.values():
            catalog.execute(question["sql"], question["example"]).fetchall()
        print(f"cookbook: {len(found)} questions ran")
        return
    # The text above the first question is written by hand.
    introduction = ARTICLE.read_text(encoding="utf-8").partition(f"## {found[listed[0]]['title']}\n")[0].rstrip("\n")
    text = "\n".join([introduction + "\n"] + [section(found[name], catalog) for name in listed])
    keep_up_to_date(
        ARTICLE, text, option == "--write", "python3 Tests/System Documentation.cookbook CATALOG --write, and review the changes")
    print(f"cookbook: {len(listed)} questions checked against the article")
