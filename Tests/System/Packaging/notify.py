"""Runs Packaging/notify-operator for runs with each end: who is told what, by mail or in the journal."""

import os
import pathlib
import subprocess
import tempfile

from support import ROOT, finish

COMMANDS = {
    "systemctl": 'case "$*" in *Result*) echo "$RESULT" ;; *Status*) echo "$STATUS" ;; *) echo 0a1b ;; esac',
    "journalctl": 'echo "$*" | grep -q _SYSTEMD_INVOCATION_ID=0a1b && echo "published with 2 warnings"',
    "sendmail": 'cat >"$WORK/mail"',
}
# The result and status of a run, and what is told; nothing of a clean one.
RUNS = [
    ("success", 0, None),
    ("success", 3, "published with rejected records"),
    ("success", 4, "published with warnings"),
    ("exit-code", 65, "failed with status 65 (exit-code)"),
    ("signal", 9, "failed with status 9 (signal)"),
    ("oom-kill", 0, "failed (oom-kill)"),
    ("start-limit-hit", 75, "failed with status 75 (start-limit-hit)"),
]


def told(folder, result, status, **variables):
    """The mail and the lines on standard error."""
    mail = folder / "mail"
    mail.unlink(missing_ok=True)
    environment = {"PATH": f"{folder}:/usr/bin:/bin", "WORK": str(folder), "RESULT": result, "STATUS": str(status)}
    run = subprocess.run([ROOT / "Packaging/notify-operator", "ingest.service"], env={**environment, **variables},
                         capture_output=True, text=True, check=True)
    return mail.read_text() if mail.exists() else "", run.stdout + run.stderr


def main(*_):
    faults = []
    with tempfile.TemporaryDirectory() as work:
        folder = pathlib.Path(work)
        for name, script in COMMANDS.items():
            (folder / name).write_text(f"#!/bin/sh\n{script}\n")
            (folder / name).chmod(0o755)
        for result, status, ended in RUNS:
            subject = f"ingest.service on {os.uname().nodename}: {ended}"
            mail = (f"To: a@example.org\nSubject: {subject}\nContent-Type: text/plain; charset=utf-8\n\n"
                    "published with 2 warnings\n")
            for variables, expected in (({"MAILTO": "a@example.org"}, (mail, "")), ({}, ("", f"<4>{subject}\n"))):
                found = told(folder, result, status, **variables)
                if found != (expected if ended else ("", "")):
                    faults.append(f"{result} {status} {variables}: {found}")
    finish(faults, f"notify: {len(RUNS)} ends of a run, {len(faults)} faults")
