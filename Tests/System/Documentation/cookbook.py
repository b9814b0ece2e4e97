"""Run the questions of the cookbook on a catalog, and check the article:

    python3 Tests/System Documentation.cookbook CATALOG [--run | --write]

With --run every question must run; with --write the article is written; otherwise it must be up to date.
The answers in the article are those of the snapshot of June 2020.
"""
import sys
from textwrap import fill

from support import ROOT, keep_up_to_date, open_catalog

COOKBOOK = ROOT / "Sources/RebrickableCatalog/Cookbook/Cookbook.sql"
OTHERS = ROOT / "Benchmarks/CatalogQuestions/EverydayQuestions.sql"
ARTICLE = ROOT / "Sources/RebrickableCatalog/RebrickableCatalog.docc/Cookbook.md"
ROWS = 8


def questions(paths=(COOKBOOK, OTHERS)):
    """The questions by name, in the order of the files."""
    found = {}
    for path in paths:
        for section in path.read_text(encoding="utf-8").split("\n-- # ")[1:]:
            heading, *lines = section.rstrip().split("\n")
            comments = [line[3:] for line in lines if line.startswith("-- ")]
            title, *texts = comments
            pairs = (text[1:].split(" = ", 1) for text in texts if text.startswith(":"))
            name = heading.split(" ")[0]
            found[name] = {
                "name": name,
                "title": title,
                "explanation": " ".join(text for text in texts if not text.startswith(":")),
                "example": {key: value[1:-1] if value.startswith("'") else int(value) for key, value in pairs},
                "sql": "\n".join(lines[len(comments) :]).removesuffix(";"),
            }
    return found


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
        question["sql"],
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
    if option == "--run":
        found = questions()
        for question in found.values():
            catalog.execute(question["sql"], question["example"]).fetchall()
        print(f"cookbook: {len(found)} questions ran")
        return
    listed = list(questions([COOKBOOK]).values())
    # The text above the first question is written by hand.
    introduction = ARTICLE.read_text(encoding="utf-8").partition(f"## {listed[0]['title']}\n")[0].rstrip("\n")
    text = "\n".join([introduction + "\n"] + [section(question, catalog) for question in listed])
    keep_up_to_date(
        ARTICLE, text, option == "--write", "python3 Tests/System Documentation.cookbook CATALOG --write, and review the changes")
    print(f"cookbook: {len(listed)} questions checked against the article")
