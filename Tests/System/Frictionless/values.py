"""Compare what frictionless reads texts as with fixtures/values/cases.tsv, or write that file:

    python3 Tests/System Frictionless.values [--write]

Each line has a kind of column, a text as JSON, and what it is read as: NULL, a value, `ok` or `error`. The
kinds are those of ReadingAgreementTests, which knows where another reading is right, and why.
"""
import datetime
import json
import random

from frictionless import Field

from support import ROOT, keep_up_to_date

KINDS = {
    "integer": ({"type": "integer"}, ["12", "-7", "007", "+5", " 8 "], "0123456789+- .,e_"),
    "integer-around": (
        {"type": "integer", "bareNumber": False}, ["€12", "95%", "USD -7 "], "0129-€% a."),
    "number": (
        {"type": "number"},
        ["12.5", "-.5", "1e5", "INF", "NaN", "123456789012345678", "0.1234567890123456789"],
        "0123456789+-.eE infa_,"),
    "number-comma": (
        {"type": "number", "decimalChar": ",", "groupChar": "."}, ["1.234,5", "7,25", "1.000.000"], "0159.,-e"),
    "number-around": ({"type": "number", "bareNumber": False}, ["€12.5", "95.5%", "-7e2 km"], "0129-€%. e"),
    "number-bounds": (
        {"type": "number", "constraints": {"exclusiveMinimum": 0, "maximum": 100}}, ["1", "99.5"], "019.-e"),
    "number-enum": ({"type": "number", "constraints": {"enum": ["1.0", "2.5"]}}, ["1", "2.50"], "0125."),
    "boolean": ({"type": "boolean"}, ["true", "False", "1", "0"], "trueTRUEfals01"),
    "date": ({"type": "date"}, ["2024-02-29", "1999-12-31"], "0123456789-"),
    "date-pattern": ({"type": "date", "format": "%d/%m/%Y"}, ["29/02/2024", "1/2/1999"], "0123456789/"),
    "date-bounds": (
        {"type": "date", "constraints": {"minimum": "2024-01-01", "maximum": "2024-06-30"}},
        ["2024-01-01", "2024-06-30"], "0123456-"),
    "time": ({"type": "time"}, ["12:30:59", "23:59:59.5"], "0123456789:.Z"),
    "time-pattern": ({"type": "time", "format": "%I:%M %p"}, ["12:30 AM", "1:05 pm"], "0123456:aApPmM "),
    "datetime": (
        {"type": "datetime"},
        ["2024-02-29T12:30:59", "2024-01-26T15:00:00.300-05:00", "2024-01-01T00:00:00Z"],
        "0123456789:.-+TZ"),
    "datetime-pattern": (
        {"type": "datetime", "format": "%Y-%m-%d %H:%M:%S%z"},
        ["2024-02-29 12:30:59+0100", "2024-12-31 23:59:59-05:30"], "0123456789:-+Z "),
    "year": ({"type": "year"}, ["2024", "1999"], "0123456789-+ "),
    "yearmonth": ({"type": "yearmonth"}, ["2024-12", "1999-01"], "0123456789-"),
    "duration": ({"type": "duration"}, ["P1Y2M3DT4H5M6S", "PT0.5S", "-P3D"], "PYMDTHS0123.-"),
    "geopoint": ({"type": "geopoint"}, ["90.50, 45.50", "-180,90"], "0159.,- "),
    "list-integer": ({"type": "list", "itemType": "integer"}, ["1,2,3", "-7"], "0123,-+ x"),
    "list-date": ({"type": "list", "itemType": "date"}, ["2024-02-29,1999-12-31"], "0129,-"),
    "object": ({"type": "object"}, ['{"a": [1, -0.5e3, null]}', '{"b": "\\u00e9"}'], '{}[]",:01.-e\\n u'),
    "array": ({"type": "array"}, ["[1, true, {}]", "[]"], '{}[]",:01.-truefalsn'),
    "email": ({"type": "string", "format": "email"}, ["a.b@example.org", "x+y@a-b.de"], "ab.@-+_ ,1"),
    "uri": (
        {"type": "string", "format": "uri"}, ["https://example.org/a?b=c#d", "mailto:a@b.de"], "ab:/?#%2 1.@"),
    "uuid": (
        {"type": "string", "format": "uuid"}, ["123e4567-e89b-12d3-a456-426614174000"], "0123456789abcdefAF-g"),
    "base64": ({"type": "string", "format": "binary"}, ["YWJj", "YQ==", "YWI="], "YQabW=+/ -"),
    "pattern": (
        {"type": "string", "constraints": {"pattern": "[A-Z]{2}-?\\d*"}}, ["DE-1", "FR22"], "ABZab-0129\n"),
    "length": ({"type": "string", "constraints": {"minLength": 2, "maxLength": 4}}, ["abc", "é🧱"], "aé🧱\u0301"),
    "enum": ({"type": "string", "constraints": {"enum": ["red", "green blue"]}}, ["red", "green blue"], "redgnblu "),
}


def without_zeros(moment):
    text = moment.isoformat()
    return text.rstrip("0") if "." in text else text


def outcome(field, kind, text):
    cell, notes = field.read_cell(text)
    if notes:
        return "error"
    if cell is None:
        return "NULL"
    if kind.startswith("integer"):
        return str(cell)
    if kind.startswith("number"):
        value = float(cell)
        return "nan" if value != value else (value + 0.0).hex()
    if kind == "boolean":
        return "1" if cell else "0"
    if isinstance(cell, datetime.datetime):
        is_utc = cell.tzinfo is not None
        if is_utc:
            cell = cell.astimezone(datetime.timezone.utc).replace(tzinfo=None)
        return without_zeros(cell) + ("Z" if is_utc else "")
    return without_zeros(cell) if isinstance(cell, (datetime.date, datetime.time)) else "ok"


def changed(text, alphabet, generator):
    letters = list(text)
    for _ in range(generator.randint(1, 3)):
        place = generator.randint(0, len(letters))
        letter = generator.choice(alphabet)
        action = generator.randint(0, 2)
        # A letter is replaced, removed or inserted.
        is_other = action < 2 and place < len(letters)
        letters[place : place + is_other] = [] if is_other and action == 1 else [letter]
    return "".join(letters)


def main(option=None):
    generator = random.Random(20)
    lines = []
    for kind, (descriptor, seeds, alphabet) in KINDS.items():
        field = Field.from_descriptor({"name": "v", **descriptor})
        texts = dict.fromkeys(seeds + [""])
        while len(texts) < 120:
            texts[changed(generator.choice(seeds), alphabet, generator)] = None
        for text in texts:
            lines.append("\t".join([kind, json.dumps(text, ensure_ascii=False), outcome(field, kind, text)]))
    keep_up_to_date(
        ROOT / "fixtures/values/cases.tsv", "\n".join(lines) + "\n", option == "--write",
        "python3 Tests/System Frictionless.values --write")
