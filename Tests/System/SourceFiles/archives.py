"""Make ZIP archives of the source files in a folder, in the folder where it runs:

    python3 Tests/System SourceFiles.archives SOURCE KIND [SHIFTED...]

KIND is some of these words, joined by "-": "all" (one archive of all tables, dumps.zip; otherwise one for each, in
dumps/), "short" (sets.zip for sets.csv.zip), "stored", "pipe" (data descriptors, since the file cannot seek),
"wide" (64-bit numbers everywhere), "folder" (in a folder, with an entry of its own), "prefix", "comment", "mac"
(with the files that macOS adds). The archive of a table in SHIFTED is two hours older than the others.
"""
import gzip
import io
import os
import zipfile


class Pipe(io.RawIOBase):
    def __init__(self, file):
        self.file = file

    def writable(self):
        return True

    def write(self, data):
        return self.file.write(data)


def write(path, source, names, words, shifted):
    zipfile.ZIP64_LIMIT = zipfile.ZIP_FILECOUNT_LIMIT = 1 << 30
    method = zipfile.ZIP_STORED if "stored" in words else zipfile.ZIP_DEFLATED
    folder = "dumps of today/" if "folder" in words else ""
    with open(path, "wb") as raw:
        if "prefix" in words:
            raw.write(b"#!/bin/sh\nexit 1\n" * 99)
        out = Pipe(raw) if "pipe" in words else raw
        with zipfile.ZipFile(out, "a" if "prefix" in words else "w", method) as archive:
            if folder:
                archive.writestr(folder, b"")
            for name in names:
                hour = 5 if name[:-4] in shifted else 7
                entry = zipfile.ZipInfo(folder + name, (2025, 4, 1, hour, 8, 10))
                entry.compress_type = method
                with gzip.open(f"{source}/{name}.gz") as file:
                    with archive.open(entry, "w", force_zip64="wide" in words) as target:
                        target.write(file.read())
                if "mac" in words:
                    archive.writestr(f"__MACOSX/._{name}", b"\0\5\26\7")
            if "wide" in words:
                # The directory is written when the archive is closed.
                zipfile.ZIP64_LIMIT = zipfile.ZIP_FILECOUNT_LIMIT = 0
            if "comment" in words:
                archive.comment = b"the dumps of today"


def main(source, kind, *shifted):
    words = kind.split("-")
    tables = [name[: -len(".gz")] for name in sorted(os.listdir(source)) if name.endswith(".csv.gz")]
    if "all" in words:
        write("dumps.zip", source, tables, words, shifted)
        return
    os.mkdir("dumps")
    for name in tables:
        short = name[: -len(".csv")] if "short" in words else name
        write(f"dumps/{short}.zip", source, [name], words, shifted)
