"""Describe families of CSV files from a part of their records, and load all of them by that description:

    python3 Tests/System Families.described INGEST [LIST FOLDER [NAME...]]

Without a list, families are generated, and each must load. LIST is a file such as `public.json` beside this script:
families of public repositories with the keys and references that their authors document. FOLDER has a folder of CSV
files for each. A line for each family shows whether all records loaded, described from the first 80% and from a random
half of the records of each file, how many guesses of that description they broke, and which keys and references the
description of all records has. The fields of all loads are compared with those that Python's csv reads.
"""
import csv
import datetime
import gzip
import io
import json
import random
import re
import subprocess
from pathlib import Path

from support import column_types, differences, expect, open_catalog, rows, temporary_folder

SHARES = ("first 80%", "random 50%")
# The warnings about guesses that records broke.
BROKEN = ("type-widened", "key-dropped", "reference-dropped")


def parts_of(path, share):
    """The header, and the records of a file that are in the share; None if Python cannot read it."""
    # Python also ends a record at a carriage return alone.
    content = path.read_bytes()
    if content.count(b"\r") > content.count(b"\r\n"):
        return None
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            sample = file.read(64 << 10)
            delimiter = max(",;\t|", key=sample.split("\n", 1)[0].count)
            file.seek(0)
            header, *lines = csv.reader(file, delimiter=delimiter)
    except (UnicodeDecodeError, csv.Error, ValueError):
        return None
    if share == SHARES[0]:
        lines = lines[:len(lines) * 4 // 5]
    else:
        chosen = random.Random(path.name)
        lines = [line for line in lines if chosen.random() < 0.5]
    return delimiter, header, lines


def describe(ingest, folder):
    """The description of a folder of files, or the message about why there is none."""
    described = subprocess.run([ingest, "describe", "--source", "."], cwd=folder, capture_output=True, text=True)
    return (described.stdout, "") if described.returncode == 0 else (None, described.stderr.strip())


def records_of(resource, folder):
    """The names of the columns of a file, or None, and its records, as Python's csv reads them by its description."""
    dialect, path = resource.get("dialect", {}), folder / resource["path"]
    content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    quote = dialect.get("quoteChar", '"')
    read = csv.reader(
        io.StringIO(content.decode(resource.get("encoding", "utf-8")).removeprefix("\ufeff"), newline=""),
        delimiter=dialect.get("delimiter", ","), quotechar=quote or None, escapechar=dialect.get("escapeChar"),
        quoting=csv.QUOTE_MINIMAL if quote else csv.QUOTE_NONE, doublequote=dialect.get("doubleQuote", True),
        skipinitialspace=dialect.get("skipInitialSpace", False))
    lines = [line for line in read if line]
    if not dialect.get("header", True):
        return None, lines
    numbers = dialect.get("headerRows", [1])
    # The names of several rows are joined.
    return [name.strip() for name in lines[numbers[0] - 1]] if len(numbers) == 1 else None, lines[numbers[-1]:]


def as_iso(text, field):
    """A date or time in the form in which it is stored; any other text unchanged."""
    pattern = field.get("format", "")
    if "%" in pattern:
        try:
            time = datetime.datetime.strptime(text, pattern)
        except ValueError:
            return text
        return getattr(time, {"date": "date", "time": "time"}.get(field["type"], "replace"))().isoformat()
    if field["type"] == "datetime" and re.search(r"\d[+-]\d\d:\d\d$", text):
        time = datetime.datetime.fromisoformat(text).astimezone(datetime.UTC)
        text = time.isoformat().replace("+00:00", "Z")
    if field["type"] in ("datetime", "time"):
        return re.sub(r"\.(\d*?)0+(?!\d)", lambda found: "." * bool(found[1]) + found[1], text.replace(" ", "T", 1))
    return text


def stored(text, field, kind, missing):
    """What a column of a kind has for a text of the file, which must follow from it."""
    if text in missing:
        return None
    if field["type"] == "boolean" and kind != "TEXT":
        return int(text in field.get("trueValues", ("true", "True", "TRUE", "1", "t")))
    if kind in ("INTEGER", "REAL"):
        number = text.replace(field.get("groupChar") or "\0", "").replace(field.get("decimalChar", "."), ".")
        # A text that does not follow from its number equals none.
        return text if re.match(r"\+|-?0\d", number) else int(number) if kind == "INTEGER" else float(number)
    return as_iso(text, field)


def compare_fields(resource, folder, database, missing):
    """The number of fields of a file, and how the table differs from it."""
    fields, kinds = resource["schema"]["fields"], column_types(database, resource["name"])
    names, lines = records_of(resource, folder)
    columns = [(field, kinds[field["name"]], missing | set(field.get("missingValues", ()))) for field in fields]
    is_by_name = names and resource["schema"].get("fieldsMatch", "exact") != "exact"
    places = [names.index(field["name"]) if is_by_name else place for place, field in enumerate(fields)]
    expected = ([stored(line[place] if place < len(line) else "", *column) for place, column in zip(places, columns)]
                for line in lines)
    found = ([None if value in column[2] else as_iso(value, column[0]) if isinstance(value, str) else value
              for value, column in zip(row, columns)]
             for row in rows(database, resource["name"], [field["name"] for field in fields]))
    return len(lines) * len(fields), differences(resource["name"], expected, found)


def loads(ingest, folder, share, work, counts):
    """Whether the description of a share of the records loads all of them; otherwise the first messages."""
    sample = work / "sample"
    sample.mkdir()
    for path in sorted(folder.iterdir()):
        part = parts_of(path, share)
        if part is None:
            (sample / path.name).write_bytes(path.read_bytes())
            continue
        with open(sample / path.name, "w", encoding="utf-8", newline="") as file:
            csv.writer(file, delimiter=part[0], lineterminator="\n").writerows([part[1], *part[2]])
    text, fault = describe(ingest, sample)
    if text is None:
        return fault
    (work / "described.json").write_text(text)
    loaded = subprocess.run([ingest, "--schema", work / "described.json", "--source", folder, "--out",
                             work / "catalog.sqlite", "--quiet", "--report", work / "report.json"],
                            capture_output=True, text=True)
    report = json.loads((work / "report.json").read_text())
    for code in BROKEN:
        counts[code] += sum(warning["code"] == code for warning in report["warnings"])
    if loaded.returncode == 0:
        description, database = json.loads(text), open_catalog(work / "catalog.sqlite")
        for resource in description["resources"]:
            missing = set(resource["schema"].get("missingValues", description.get("missingValues", [""])))
            fields, faults = compare_fields(resource, folder, database, missing)
            counts["fields"] += fields
            expect(not faults, f"{folder}, described from the {share}: {faults}")
        return None
    rejects = report["rejects"]
    samples = ["{table}, {total} {code}: {message}".format(
        table=each["table"], total=each["total"], code=each["code"],
        message=each["samples"][0]["reasons"][0]["message"][:200]) for each in rejects]
    return "\n    ".join(samples) if samples else loaded.stderr[:1000]


def conclusions(text):
    """The keys and references of a description, by table."""
    keys, references = {}, set()
    for resource in json.loads(text)["resources"]:
        schema = resource["schema"]
        key = schema.get("primaryKey", [])
        keys[resource["name"]] = tuple([key] if isinstance(key, str) else key)
        for reference in schema.get("foreignKeys", []):
            columns = [reference["fields"]] if isinstance(reference["fields"], str) else reference["fields"]
            references.add((resource["name"], tuple(columns), reference["reference"].get("resource") or resource["name"]))
    return keys, references


def compare(ingest, family, folder, counts):
    """The conclusions from all records beside the documented ones."""
    text, fault = describe(ingest, folder)
    if text is None:
        return [fault]
    keys, references = conclusions(text)
    notes = []
    for table, documented in family.get("keys", {}).items():
        found = keys.get(table, ())
        # Some tables have two keys.
        every = documented if isinstance(documented[0], list) else [documented]
        is_found = any(set(found) == set(each) for each in every)
        counts["keys"] += 1
        counts["keys found"] += is_found
        if not is_found:
            counts["keys wrong"] += bool(found)
            notes.append(f"key of {table}: {', '.join(found) or 'none'} instead of {', '.join(every[0])}")
    documented = {(each["table"], tuple(each["columns"]), each["to"]) for each in family.get("references", [])}
    counts["references"] += len(documented)
    counts["references found"] += len(documented & references)
    notes += [f"no reference {table}.{', '.join(columns)} to {parent}"
              for table, columns, parent in sorted(documented - references)]
    if documented:
        counts["references made"] += len(references)
        counts["references wrong"] += len(references - documented)
        notes += [f"reference {table}.{', '.join(columns)} to {parent} is not documented"
                  for table, columns, parent in sorted(references - documented)]
    return notes


def check(ingest, families, folders, strict):
    counts = dict.fromkeys(("keys", "keys found", "keys wrong", "references", "references found", "references made",
                            "references wrong", "families", "fields", *BROKEN, *SHARES), 0)
    for family in families:
        folder = folders / family["name"]
        counts["families"] += 1
        faults = {share: loads(ingest, folder, share, temporary_folder(), counts) for share in SHARES}
        for share in SHARES:
            counts[share] += faults[share] is None
        notes = compare(ingest, family, folder, counts)
        words = ["loads" if faults[share] is None else "REFUSED" for share in SHARES]
        print(f"{family['name']}: {', '.join(words)}{'' if notes else '; as documented'}")
        for share in SHARES:
            if faults[share]:
                print(f"  {share}: {faults[share]}")
        for note in notes:
            print(f"  {note}")
        expect(not strict or not any(faults.values()), f"{family['name']} does not load")
    shares = [f"{share}: {counts[share]}" for share in SHARES]
    broken = ", ".join(f"{counts[code]} {code}" for code in BROKEN)
    print(f"families: {counts['families']}; loaded, described from the {', '.join(shares)}; {broken}; "
          f"keys {counts['keys found']} of {counts['keys']}, {counts['keys wrong']} wrong; references "
          f"{counts['references found']} of {counts['references']}, {counts['references wrong']} of "
          f"{counts['references made']} wrong; {counts['fields']} fields, each as Python reads it")
    return counts


def generate(folder, seed):
    """Write a family whose first records suggest more than what holds for all; return what is true of it."""
    chosen = random.Random(seed)
    key = chosen.choice(("id", "code", "own"))
    entities = chosen.sample(("team", "country", "station", "author", "species", "category"), 3)
    folder.mkdir()
    family = {"name": folder.name, "keys": {}, "references": []}

    def plural(entity):
        return entity if entity == "species" else entity[:-1] + "ies" if entity.endswith("y") else entity + "s"

    def key_of(entity):
        return f"{entity}_id" if key == "own" else key

    def write(table, columns, lines, *keys):
        with open(folder / f"{table}.csv", "w", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([columns, *lines])
        if keys:
            family["keys"][table] = list(keys)

    def refer(table, column, entity):
        family["references"].append(
            {"table": table, "columns": [column], "to": plural(entity), "keys": [key_of(entity)]})

    def reference(entity):
        return f"{entity}_{'id' if key == 'own' else key}"

    values, counts = {}, {}
    for place, entity in enumerate(entities):
        count = counts[entity] = chosen.choice((60, 400, 3000))
        values[entity] = [f"{entity[:2].upper()}{number:05}" if key == "code" else str(number)
                          for number in chosen.sample(range(1, 9 * count), count)]
        above = entities[place - 1] if place else None
        columns = [key_of(entity), "name", "kind", "remark", "founded", "weight", "visitors", "is_open", "website"]
        lines = []
        for number, value in enumerate(values[entity]):
            # What is rare comes late: another kind, a missing remark, visitors as many as others had or a part of one, and
            # a year alone.
            is_late = number > count * 17 // 20
            lines.append([
                value, f"{chosen.choice('ABCDEF')}{number:x} {chosen.choice(('Hill', 'Lake', 'Town'))}",
                "other" if is_late and number % 7 == 0 else chosen.choice(("large", "small")),
                "" if is_late and number % 5 == 0 else f"A remark of some words about number {number}, which is long",
                f"{1900 + number % 120}" + ("" if is_late and number % 9 == 0 else f"-{1 + number % 12:02}-01"),
                f"{chosen.uniform(1, 99):.3f}",
                7 * number if not is_late else 0.5 if number % 4 == 0 else 7 * (number - count // 10), chosen.choice(("true", "false")),
                f"https://example.org/{number}/{'ü' if is_late else 'u'}"])
        if above:
            columns.append(reference(above))
            for line in lines:
                line.append(chosen.choice(values[above]))
            refer(plural(entity), reference(above), above)
        write(plural(entity), columns, lines, key_of(entity))
    first, second = entities[:2]
    names = [reference(first), reference(second)]
    links = sorted({(chosen.choice(values[first]), chosen.choice(values[second])) for _ in range(2000)})
    chosen.shuffle(links)
    write(f"{first}_{second}", [*names, "quantity"], [[*link, chosen.randint(1, 9)] for link in links], *names)
    days = [f"2024-{month:02}-{day:02}" for month in range(1, 13) for day in range(1, 29)]
    lines = [[chosen.choice(values[first][:40]), day, f"{chosen.gauss(0, 9):.1f}"] for day in days for _ in range(20)]
    lines = list({tuple(line[:2]): line for line in lines}.values())
    write("measurements", [names[0], "date", "value"], lines, names[0], "date")
    for table, entity in ((f"{first}_{second}", first), (f"{first}_{second}", second), ("measurements", first)):
        refer(table, reference(entity), entity)
    return family


def main(ingest, path=None, folders=None, *names):
    ingest = str(Path(ingest).resolve())
    if path:
        families = json.loads(Path(path).read_text())["families"]
        chosen = [family for family in families if not names or family["name"] in names]
        check(ingest, chosen, Path(folders), strict=False)
        return
    work = temporary_folder()
    counts = check(ingest, [generate(work / f"generated-{seed}", seed) for seed in range(12)], work, strict=True)
    for kind in "keys", "references":
        expect(counts[f"{kind} found"] >= 0.9 * counts[kind], f"too few {kind} are found")
        expect(counts[f"{kind} wrong"] <= 0.05 * counts[kind], f"too many {kind} are wrong")
