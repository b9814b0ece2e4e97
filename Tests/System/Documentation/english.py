"""Check the English of texts by the list of phrases in phrases.py:

    python3 Tests/System Documentation.english [--comments | --comments=MODULE | --lower | --modules]

None of the phrases may occur in user-facing texts: Markdown, descriptions in JSON schemas, the files of Packaging, and
the string literals of Sources. In the comments of Sources they may only become fewer: english-comments.txt records
their number per module. --comments also prints those of all modules or of one, --lower lowers the recorded numbers,
and --modules prints only a count per module and folder.
"""
import collections
import re
import sys
from pathlib import Path

from Documentation.phrases import ALLOWED, PHRASES
from support import ROOT, finish

COUNTS = Path(__file__).with_name("english-comments.txt")
MOST_ALLOWED = 20
SKIPPED = (".build", ".git")


def check_phrases():
    """Try the examples of each phrase, and the length of the list of exceptions."""
    faults = []
    for phrase in PHRASES:
        if not hits(phrase, phrase.bad):
            faults.append(f"phrases.py: {phrase.pattern!r} does not match its bad example {phrase.bad!r}")
        faults += [f"phrases.py: {phrase.pattern!r} matches its good example {phrase.good!r}"
                   for _ in hits(phrase, phrase.good)]
    if len(ALLOWED) > MOST_ALLOWED:
        faults.append(f"phrases.py: {len(ALLOWED)} exceptions; at most {MOST_ALLOWED} are allowed")
    return faults


def hits(phrase, text):
    """The places of a phrase in a text, as offsets."""
    def is_allowed(match):
        start = text.rfind("\n", 0, match.start()) + 1
        end = text.find("\n", match.end())
        return phrase.unless and phrase.unless.search(text[start:end if end >= 0 else None])
    return [match for match in phrase.expression.finditer(text) if not is_allowed(match)]


def keep(text, spans, joint):
    """The text of the spans and all line feeds. A mark separates two spans, unless `joint` matches what is between."""
    kept, end = [], 0
    for start, stop in spans:
        between = text[end:start]
        mark = " " if re.fullmatch(joint, between) else "\0"
        kept += [mark, "\n" * between.count("\n"), mark, text[start:stop]]
        end = stop
    return "".join([*kept, "\0"])


SWIFT = re.compile(r'//|/\*|(#*)("""|")|[()]')


def swift_spans(text):
    """The spans of the string literals and the comments of Swift, without delimiters and interpolations."""
    literals, comments = [], []

    def read_code(position, closing):
        """Read code to the parenthesis that closes an interpolation, or to the end; the position after it."""
        depth = 0
        while match := SWIFT.search(text, position):
            position = match.end()
            if match[2]:
                position = read_literal(position, match[2], match[1])
            elif match[0] == "//":
                while text.startswith("/", position):
                    position += 1
                end = text.find("\n", position)
                comments.append((position, end if end >= 0 else len(text)))
                position = comments[-1][1]
            elif match[0] == "/*":
                position = read_block(position)
            elif closing and match[0] == ")" and depth == 0:
                return position
            else:
                depth += 1 if match[0] == "(" else -1
        return len(text)

    def read_block(position):
        start, depth = position, 1
        while position < len(text) and depth:
            pair = text[position:position + 2]
            depth += {"/*": 1, "*/": -1}.get(pair, 0)
            position += 2 if pair in ("/*", "*/") else 1
        comments.append((start, position - 2))
        return position

    def read_literal(position, quote, hashes):
        start = position
        escape = "\\" + hashes
        while position < len(text):
            if text.startswith(quote + hashes, position):
                literals.append((start, position))
                return position + len(quote + hashes)
            if text.startswith(escape + "(", position):
                literals.append((start, position))
                position = start = read_code(position + len(escape) + 1, True)
            elif text.startswith(escape, position):
                position += len(escape) + 1
            else:
                position += 1
        return position

    read_code(0, False)
    return sorted(literals), sorted(comments)


def swift_texts(path):
    """The literals and the comments of a source file, each as a text with the lines of the file."""
    text = path.read_text(encoding="utf-8")
    literals, comments = swift_spans(text)
    # Two literals that are added up are one text; and a comment may break a sentence into lines.
    literals = keep(text, literals, r'"\s*\+\s*"')
    literals = re.sub(r"\\n|\\\n", lambda match: "\n".rjust(2) if "\n" in match[0] else "  ", literals)
    return literals, keep(text, comments, r"\s*///?\s*")


def schema_text(path):
    text = path.read_text(encoding="utf-8")
    found = re.finditer(r'"(?:description|title|\$comment)"\s*:\s*"((?:[^"\\]|\\.)*)"', text)
    return keep(text, [match.span(1) for match in found], r"(?!)")


def markdown_text(path):
    text = path.read_text(encoding="utf-8")
    # Its tables list old names.
    return re.sub(r"(?m)^\|.*$", "", text) if path.name == "CHANGELOG.md" else text


def files(pattern, folder="."):
    return sorted(path for path in (ROOT / folder).glob(pattern)
                  if path.is_file() and not set(SKIPPED) & set(path.relative_to(ROOT).parts))


def texts():
    """The texts to check: the module or the folder, the path, the text, and whether it is of comments."""
    for path in files("**/*.md"):
        yield path, markdown_text(path), False
    for path in files("**/*.schema.json"):
        yield path, schema_text(path), False
    for path in files("**/*", "Packaging"):
        if path.suffix != ".md":
            yield path, path.read_text(encoding="utf-8"), False
    for path in files("**/*.swift", "Sources"):
        literals, comments = swift_texts(path)
        yield path, literals, False
        yield path, comments, True


def module(path):
    parts = path.relative_to(ROOT).parts
    return parts[1] if parts[0] == "Sources" else parts[0]


def read_counts():
    lines = (line.split() for line in COUNTS.read_text().splitlines())
    return {name: int(count) for name, count in lines}


def check_counts(found, is_lowering):
    """Compare the numbers of phrases in comments with those that are recorded."""
    recorded = read_counts()
    if is_lowering:
        recorded = {name: min(count, found[name]) for name, count in recorded.items()}
        COUNTS.write_text("".join(f"{name} {count}\n" for name, count in sorted(recorded.items()) if count))
    for name in sorted(recorded | found):
        allowed, count = recorded.get(name, 0), found[name]
        if count > allowed:
            yield f"comments of {name}: {count} phrases, {allowed} allowed; list them with --comments={name}"
        elif count < allowed:
            yield f"comments of {name}: {count} phrases, {allowed} allowed; run with --lower"


def main(option=""):
    faults = check_phrases()
    if faults:
        finish(faults)
    allowed = [(re.compile(pattern), reason) for pattern, reason in ALLOWED]
    used = set()
    in_texts, in_comments = collections.Counter(), collections.Counter()
    for path, text, is_comment in texts():
        lines = text.split("\n")
        found = []
        for phrase in PHRASES:
            for match in hits(phrase, text):
                line = text.count("\n", 0, match.start())
                place = path.relative_to(ROOT)
                shown = f"{place}: {lines[line].strip()}"
                exceptions = {pattern for pattern, _ in allowed if pattern.fullmatch(shown)}
                used |= exceptions
                if not exceptions:
                    found.append((line + 1, f"{place}:{line + 1}: {' '.join(match[0].split())} → {phrase.better}"))
        (in_comments if is_comment else in_texts)[module(path)] += len(found)
        if not is_comment or option in ("--comments", f"--comments={module(path)}"):
            faults += [hit for _, hit in sorted(found)]
    faults += [f"phrases.py: no line matches the exception {pattern.pattern!r}; remove it"
               for pattern, _ in allowed if pattern not in used]
    faults += check_counts(in_comments, option == "--lower")
    if option == "--modules":
        for name in sorted(in_texts | in_comments):
            print(f"{name}: {in_texts[name]} in texts, {in_comments[name]} in comments")
        sys.exit()
    finish(faults, f"English: {len(PHRASES)} phrases, {sum(in_texts.values())} in texts, "
                   f"{sum(in_comments.values())} in comments")
