#!/usr/bin/env python3
"""Compares what the libraries offer with the listing in .ci/public-interface.

usage: public-interface.py [--write]

Public is a promise to keep. The listing shows in each change what becomes one, and what is broken:
one declaration a line, in groups by type. --write brings it up to date.
"""
import difflib
import json
import re
import subprocess
import sys
from pathlib import Path

MODULES = ["SQLiteSwiftly", "SQLiteSwiftlyFoundation", "RebrickableCatalog"]
ROOT = Path(__file__).resolve().parent.parent


def output(*command):
    result = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    if result.returncode != 0:
        sys.exit(f"failed: {' '.join(map(str, command))}\n{result.stdout}")
    return result.stdout


def interface(module, folder):
    """What other packages can see of a module, as the compiler writes it down."""
    swift = json.loads(output("swiftc", "-print-target-info"))
    tool = Path(swift["paths"]["runtimeResourcePath"]).parents[1] / "bin/swift-synthesize-interface"
    text = output(tool, "-module-name", module, "-target", swift["target"]["triple"],
                  "-swift-version", "6", "-I", folder, "-I", "Sources/CSQLite")
    return re.sub(rf"(?<![\w.])(?:{'|'.join(MODULES)})\.", "", text)


def listing(text):
    """The declarations, sorted by the type that they belong to, each on one line."""
    groups = {}
    types = [("", "")]
    attributes = ""
    for line in text.splitlines():
        line = line.strip()
        if line in ("", "deinit") or line.startswith(("//", "import ")):
            continue
        if re.fullmatch(r"@\w+(\(.*\))?", line):
            attributes += line + " "
            continue
        line, attributes = re.sub(r"\bpublic ", "", attributes + line), ""
        if line == "}":
            types.pop()
            continue
        name, heading = types[-1]
        if not line.endswith("{"):
            groups.setdefault((name, heading), []).append(line)
            continue
        line = line[:-1].strip()
        keyword, inner = re.search(r"\b(actor|class|enum|extension|protocol|struct) ([\w.]+)", line).groups()
        if name:
            line = line.replace(f"{keyword} {inner}", f"{keyword} {name}.{inner}", 1)
            inner = f"{name}.{inner}"
        # A plain extension is a matter of files, and no business of a user's.
        if line == f"extension {inner}":
            line = next((heading for known, heading in groups if known == inner), line)
        groups.setdefault((inner, line), [])
        types.append((inner, line))
    if len(types) != 1:
        sys.exit("The braces of the interface do not match: teach listing() what is new in it.")
    lines = []
    for (_, heading), members in sorted(groups.items()):
        lines += [heading] if heading else []
        lines += [f"  {member}" if heading else member for member in sorted(members)]
    return [line + "\n" for line in lines]


def main():
    for module in MODULES:
        output("swift", "build", "--target", module)
    folder = output("swift", "build", "--show-bin-path").strip() + "/Modules"
    is_same = True
    for module in MODULES:
        path = ROOT / f".ci/public-interface/{module}.txt"
        new = listing(interface(module, folder))
        if "--write" in sys.argv[1:]:
            path.parent.mkdir(exist_ok=True)
            path.write_text("".join(new))
            continue
        old = path.read_text().splitlines(keepends=True) if path.exists() else []
        difference = list(difflib.unified_diff(old, new, str(path.relative_to(ROOT)), "the sources"))
        sys.stdout.writelines(difference)
        is_same = is_same and not difference
    if not is_same:
        sys.exit("The public interface has changed. If every line of that is wanted, and somebody has a "
                 "use for it, run\n  python3 .ci/public-interface.py --write\nand commit the listing.")


main()
