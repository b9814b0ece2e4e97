"""Check that the files that articles name in backticks exist, and the types in articles about the source code:

    python3 Tests/System Documentation.names

A file is named by the end of its path, such as `Run/IngestRun.swift`. Each missing one is printed.
"""
import re

from support import ROOT, finish

# The articles about the source code. In the others, names may be those of values, other programs and other libraries.
ABOUT_SOURCES = {"Pipeline.docc", "SQLiteFormat.docc", "IngestReport.docc", "Guarantees.md"}
SWIFT = {"Int", "Sendable", "Span", "String"}
DECLARED = re.compile(r"\b(?:struct|enum|class|actor|protocol|typealias|extension|case|macro|associatedtype) +(\w+)")
TYPE = re.compile(r"[A-Z]\w*[a-z]\w*")


def main():
    files = [path for folder in ("Sources", "Tests", "Benchmarks") for path in (ROOT / folder).rglob("*") if path.is_file()]
    paths = ["/" + path.relative_to(ROOT).as_posix() for path in files]
    paths.append("/Package.swift")
    known = SWIFT | {folder for path in paths for folder in path.split("/")[:-1]}
    for path in files:
        if path.suffix == ".swift":
            known.update(DECLARED.findall(path.read_text(encoding="utf-8")))
    faults = []
    for article in sorted(path for path in files if path.suffix == ".md" and ".docc" in path.as_posix()):
        text = re.sub(r"^```.*?^```", "", article.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
        is_about_sources = not ABOUT_SOURCES.isdisjoint(article.parts)
        for name in sorted(set(re.findall(r"(?<!`)`([^`\s]+)`(?!`)", text))):
            if name.endswith(".swift"):
                if not any(path.endswith("/" + name) for path in paths):
                    faults.append(f"{article.relative_to(ROOT)}: there is no file {name}")
            elif is_about_sources and TYPE.fullmatch(name) and name not in known:
                faults.append(f"{article.relative_to(ROOT)}: there is no type {name}")
    finish(faults, f"names of the source code in articles: {len(faults)} missing")
