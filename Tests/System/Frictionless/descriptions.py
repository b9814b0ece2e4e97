"""Compare which descriptions frictionless accepts with which ingest accepts:

    python3 Tests/System Frictionless.descriptions CASES

CASES is fixtures/datapackage/cases.json, with which the Swift tests compare ingest. Where the two differ, the case has a
reason; a difference without one, and a reason without a difference, is an error.
"""
import copy
import json
from pathlib import Path

from frictionless import FrictionlessException, Package

from support import finish

BASE = {
    "name": "t",
    "path": "t.csv",
    "schema": {"fields": [{"name": "id", "type": "integer"}, {"name": "f", "type": "string"}]},
}
VERSION = {"$schema": "https://datapackage.org/profiles/2.0/datapackage.json"}


def merged(base, changes):
    """The object with other members; null removes one."""
    result = {**copy.deepcopy(base), **changes}
    return {name: value for name, value in result.items() if value is not None}


def descriptor(case):
    """The whole description of a case, of which it has only what is special."""
    if "package" in case:
        return case["package"]
    if "resources" in case:
        return {**VERSION, "resources": [
            merged({**BASE, "path": f"t{place}.csv"}, resource)
            for place, resource in enumerate(case["resources"])]}
    resource = copy.deepcopy(BASE)
    if "resource" in case:
        resource = merged(resource, case["resource"])
    if "dialect" in case:
        resource["dialect"] = case["dialect"]
    if "schema" in case:
        resource["schema"] = merged(resource["schema"], case["schema"])
    if "field" in case:
        resource["schema"]["fields"][1] = {"name": "f", **case["field"]}
    return {**VERSION, "resources": [resource], **case.get("packageAnd", {})}


def accepts(description):
    """Whether frictionless accepts a description."""
    try:
        Package.from_descriptor(description)
        return True
    except FrictionlessException:
        return False


def main(path):
    cases = json.loads(Path(path).read_text(encoding="utf-8"))
    differing = [case for case in cases if accepts(descriptor(case)) != (not case["faults"])]
    faults = [
        f"{case['name']}: the two {'differ' if case in differing else 'agree'}"
        for case in cases if (case in differing) != ("reason" in case)]
    finish(faults, f"frictionless: {len(cases)} descriptions, {len(differing)} differences with a reason")
