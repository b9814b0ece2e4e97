"""Load files in many encodings, and compare every character with what Python decodes:

    python3 Tests/System Families.encodings INGEST

Each file has all characters of its encoding that Python knows, a few in each field, in gzip and with CRLF line ends. A
byte that the encoding does not have is refused with its place. `ingest describe` guesses encodings that have a mark or
are not UTF-8.
"""
import csv
import gzip
import io
import json
import sqlite3
import subprocess

from support import expect, run, temporary_folder

# Those in which glibc and Python agree on every character.
ENCODINGS = (
    "utf-8", "utf_16", "utf_16_le", "utf_16_be", "utf_32", "latin-1", "iso8859-2", "iso8859-5", "iso8859-7", "iso8859-15",
    "iso8859-16", "cp437", "cp850", "cp874", "cp1250", "cp1251", "cp1252", "cp1253", "cp1254", "koi8_r", "koi8_u", "tis_620",
    "gbk", "gb2312", "cp949", "cp932", "euc_jp", "iso2022_jp",
)
FIELD_CHARACTERS = 50


def characters(encoding):
    """Those of the encoding, without controls and the private use area."""
    found = []
    for number in range(0x20, 0x30000):
        character = chr(number)
        if 0x7f <= number < 0xa0 or 0xd800 <= number < 0xf900 or number == 0xfeff or number & 0xfffe == 0xfffe:
            continue
        try:
            if character.encode(encoding).decode(encoding) == character:
                found.append(character)
        except UnicodeError:
            continue
    return found


def records(encoding):
    every = characters(encoding)
    texts = ["".join(every[start:start + FIELD_CHARACTERS]) for start in range(0, len(every), FIELD_CHARACTERS)]
    return [(number, text, text[::-1]) for number, text in enumerate(texts)]


def write(path, encoding, lines):
    text = io.StringIO(newline="")
    csv.writer(text).writerows([("id", "text", "reversed"), *lines])
    path.write_bytes(gzip.compress(text.getvalue().encode(encoding)))


def describe(folder, encoding, name="t.csv.gz"):
    fields = [{"name": "id", "type": "integer"}, {"name": "text", "type": "string"}, {"name": "reversed", "type": "string"}]
    path = folder / "datapackage.json"
    path.write_text(json.dumps({"name": "t", "resources": [
        {"name": "t", "path": name, "encoding": encoding, "schema": {"fields": fields, "primaryKey": "id"}}]}))
    return path


def load(ingest, folder):
    return subprocess.run([ingest, "--schema", folder / "datapackage.json", "--out", folder / "t.sqlite", "--quiet"],
                          capture_output=True, text=True)


def check_characters(ingest, encoding):
    folder = temporary_folder()
    lines = records(encoding)
    write(folder / "t.csv.gz", encoding, lines)
    describe(folder, encoding)
    loaded = load(ingest, folder)
    expect(loaded.returncode == 0, f"{encoding}: {loaded.stderr}")
    found = sqlite3.connect(folder / "t.sqlite").execute("SELECT id, text, reversed FROM t ORDER BY id").fetchall()
    expect(found == lines, f"{encoding}: {sum(one != other for one, other in zip(found, lines))} of {len(lines)} differ")
    return sum(len(line[1]) for line in lines)


def check_invalid(ingest, encoding, content, line, place):
    folder = temporary_folder()
    (folder / "t.csv").write_bytes(content)
    describe(folder, encoding, "t.csv")
    loaded = load(ingest, folder)
    expect(loaded.returncode == 65 and not (folder / "t.sqlite").exists(), f"{encoding}: {loaded.stderr}")
    expect(f"t.csv: line {line}: " in loaded.stderr and f"at byte {place} " in loaded.stderr, loaded.stderr)


def check_guess(ingest, encoding, expected):
    folder = temporary_folder()
    write(folder / "t.csv.gz", encoding, [(1, "Zürich", "é"), (2, "Köln", "“")])
    described = run(ingest, "describe", "--source", folder)
    found = json.loads(described.stdout)["resources"][0]["encoding"]
    expect(found == expected, f"{encoding}: guessed {found}")
    expect(("Zürich" in described.stderr) == (expected == "windows-1252"), described.stderr)


def main(ingest):
    for encoding in ENCODINGS:
        print(f"{encoding}: {check_characters(ingest, encoding)} characters as in Python")
    check_invalid(ingest, "cp1252", b"id,text,reversed\n1,a,b\n2,\x81,c\n", 3, 25)
    check_invalid(ingest, "utf-16", "id,text,reversed\n1,a,b\n".encode("utf-16") + b"\x00\xdc\n\x00", 3, 48)
    check_invalid(ingest, "utf-16", "id,text,reversed\n1,a,b\n".encode("utf-16") + b"a", 3, 48)
    check_invalid(ingest, "shift_jis", b"id,text,reversed\n1,a,\x83", 2, 21)
    for encoding, expected in (("utf-8", "utf-8"), ("utf-16", "utf-16"), ("utf-32", "utf-32"), ("cp1252", "windows-1252")):
        check_guess(ingest, encoding, expected)
    print(f"{expect.count} checks of encodings")

