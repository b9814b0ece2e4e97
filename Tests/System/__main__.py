"""Run a system test from the root of the clone:

    python3 Tests/System [--newest] FOLDER.TEST [ARGUMENT...]

The module FOLDER/TEST.py begins with a description of its arguments. If FOLDER has a requirements.txt, its packages are
installed into .build/python and the test runs with them; --newest installs the newest version of each instead.
"""
import importlib
import inspect
import os
import sys
from pathlib import Path

from support import ROOT, run


def enter_environment(requirements, newest):
    """Restart with the Python that has these packages, unless this is that Python."""
    folder = ROOT / ".build/python" / (requirements.parent.name + ("-newest" if newest else ""))
    if Path(sys.prefix) == folder:
        return
    if not (folder / "bin/pip").exists():
        run(sys.executable, "-m", "venv", folder)
    lines = requirements.read_text().splitlines()
    names = [line.split("==")[0] for line in lines if not line.startswith("#")]
    packages = ["--upgrade", *names] if newest else ["-r", requirements]
    run(folder / "bin/pip", "install", "--quiet", "--disable-pip-version-check", *packages)
    os.execv(folder / "bin/python", [folder / "bin/python", *sys.argv])


def main(name="", *arguments):
    newest = name == "--newest"
    if newest:
        name, *arguments = arguments or [""]
    if not (Path(__file__).parent / (name.replace(".", "/") + ".py")).exists():
        sys.exit(__doc__)
    requirements = Path(__file__).resolve().parent / name.split(".")[0] / "requirements.txt"
    if requirements.exists():
        enter_environment(requirements, newest)
    test = importlib.import_module(name)
    try:
        inspect.signature(test.main).bind(*arguments)
    except TypeError:
        sys.exit(test.__doc__)
    test.main(*arguments)


main(*sys.argv[1:])
