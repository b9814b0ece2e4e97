"""Compare the public interface of the libraries with the listings in this folder:

    python3 Tests/System Interface.listings [--write]

Public is a promise to keep. A listing shows in each change what becomes one, and what is broken: one declaration a line,
in groups by type. --write brings it up to date.
"""
import json
import os
import re
import sys
from pathlib import Path

from support import ROOT, keep_up_to_date, run

MODULES = ["SQLiteSwiftly", "SQLiteSwiftlyData", "SQLiteSwiftlyFoundation", "Schema", "RebrickableCatalog"]


def output(*command):
    return run(*command, cwd=ROOT, timeout=None).stdout


def interface(module, folder):
    """The public interface of a module, as the compiler prints it."""
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
        # A plain extension is an implementation detail.
        if line == f"extension {inner}":
            line = next((heading for known, heading in groups if known == inner), line)
        groups.setdefault((inner, line), [])
        types.append((inner, line))
    if len(types) != 1:
        sys.exit("The braces of the interface do not match: extend listing() for new syntax.")
    lines = []
    for (_, heading), members in sorted(groups.items()):
        lines += [heading] if heading else []
        lines += [f"  {member}" if heading else member for member in sorted(members)]
    return [line + "\n" for line in lines]


def main(option=None):
    folder = ROOT / ".build/debug/Modules"
    # The gate has built them, with flags of its own.
    if "IS_BUILT" not in os.environ:
        output("swift", "build", "--traits", "PostgreSQL")
    for module in MODULES:
        keep_up_to_date(
            Path(__file__).with_name(f"{module}.txt"), "".join(listing(interface(module, folder))), option == "--write",
            "if every change of the public interface is intended and useful, run\n"
            "  python3 Tests/System Interface.listings --write\nand commit the listing")
