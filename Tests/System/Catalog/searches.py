"""Compare the first results of 124 searches with what people mean by them:

    python3 Tests/System Catalog.searches CATALOG [--write]

CATALOG is one of the source files of June 2020. searches.json has what was typed, and either the results that are right
(`first`) or their kinds and a part of their name. Most must be right at the first place, more within five, and no text that
a person can type may fail. A search takes less than 120 ms of processor time on a machine with nothing else to do; here no
text may take more than four times as much. The article's table, of every fourth search, must be up to date; --write writes it.
"""
import json
import sys
import time
from pathlib import Path

from Documentation.cookbook import questions
from support import ROOT, finish, keep_up_to_date, open_catalog

SEARCHES = Path(__file__).with_suffix(".json")
ARTICLE = ROOT / "Sources/RebrickableCatalog/RebrickableCatalog.docc/Searching.md"
FIRST, WITHIN_FIVE = 121, 123
SECONDS = 0.48
HOSTILE = [
    "", " ", "\t\n", "'", '"', '""', "'; --", "*", "-", "-1", "--", ".", "...", "(", ")", "((", "^", "+", ":", "name:", "{", "}",
    "AND", "OR", "NOT", "NEAR", "NEAR(", "NEAR(a b, 2)", "and or not", "a AND", "name : castle", "-castle", "ca*stle", "*castle",
    'the "x', "o'neill", "l'été", "a\0b", "\0", "\\", "\\u0000", "%", "_", "?", "[", "]", "[a-", "$1", ":text", "@x", "`", "~", "é",
    "ÉÉÉ", "日本語", "🏰", "castle 🏰", "\u200b", "\ufeff", "\u0301", "1.2.3", "2 x", "x 2", "x", "x x x", "2 x x 4", "×", "1/2", "1e5",
    "9" * 400, "castle " * 400, "'" * 400, '"' * 401, "a" * 100_000,
]


def is_right(search, kind, key, name):
    if "first" in search:
        return f"{kind} {key}" in search["first"]
    names = search["name"].lower().split("|")
    return kind in search["kinds"] and any(part in name.lower() for part in names)


def main(path, option=None):
    catalog = open_catalog(path)
    question = questions()["search-by-name"]["sql"]
    times = []

    def find(text):
        start = time.process_time()
        found = catalog.execute(question, {"text": text}).fetchall()
        times.append(time.process_time() - start)
        return found

    searches = json.loads(SEARCHES.read_text(encoding="utf-8"))
    places, lines = [], ["| typed | first result |", "|---|---|"]
    for search in searches:
        found = find(search["typed"])
        kind, key, name = found[0][:3] if found else ("nothing", "", "")
        places.append(next((place for place, row in enumerate(found, 1) if is_right(search, *row[:3])), 99))
        good = places[-1] == 1
        meant = "" if good else ", instead of " + " or ".join(search.get("first", search.get("name", "").split("|")))
        if len(places) % 4 == 1:
            lines.append(f"| `{search['typed']}` | {kind} {key}, {name.replace('|', ' ')}{meant} |")
        print(f"{'  ' if good else '! '}{search['typed']}: {kind} {key} {name} ({times[-1] * 1000:.0f} ms)")
    longest = max(times)
    for text in HOSTILE:
        find(text)
    head, _, rest = ARTICLE.read_text(encoding="utf-8").partition("| typed | first result |\n")
    keep_up_to_date(ARTICLE, head + "\n".join(lines) + "\n\n" + rest.partition("\n\n")[2], option == "--write",
                    "python3 Tests/System Catalog.searches CATALOG --write")
    first, in_five = (sum(place <= limit for place in places) for limit in (1, 5))
    summary = (f"searches: {first} of {len(searches)} right at the first place, {in_five} within five, at most "
               f"{longest * 1000:.0f} ms; {len(HOSTILE)} other texts do not fail")
    faults = [f"at least {FIRST} must be right at the first place, {WITHIN_FIVE} within five"] * (
        first < FIRST or in_five < WITHIN_FIVE)
    finish(faults + [f"{max(times):.2f} s for a text"] * (max(times) > SECONDS), summary)
