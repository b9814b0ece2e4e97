"""Compares which descriptions frictionless takes with which ingest takes:
    check-descriptions.py CASES
CASES is fixtures/datapackage/cases.json, which the Swift tests hold ingest against. Where the two differ, the
case has a reason; a difference without one, and a reason without a difference, is an error.
"""
import copy
import json
import sys

from frictionless import FrictionlessException, Package

BASE = {
    "name": "t",
    "path": "t.csv",
    "schema": {"fields": [{"name": "id", "type": "integer"}, {"name": "f", "type": "string"}]},
}


VERSION = {"$schema": "https://datapackage.org/profiles/2.0/datapackage.json"}


def merged(base, changes):
    """The object with other members; null takes one away."""
    result = {**copy.deepcopy(base), **changes}
    return {name: value for name, value in result.items() if value is not None}


def descriptor(case):
    """The whole description of a case, which has only what is special about it."""
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


def takes(description):
    """Whether frictionless takes a description."""
    try:
        Package.from_descriptor(description)
        return True
    except FrictionlessException:
        return False


def main():
    cases = json.load(open(sys.argv[1], encoding="utf-8"))
    wrong = 0
    differences = 0
    for case in cases:
        differs = takes(descriptor(case)) != (not case["faults"])
        differences += differs
        if differs != ("reason" in case):
            wrong += 1
            print(f"{case['name']}: the two {'differ' if differs else 'agree'}", file=sys.stderr)
    print(f"frictionless: {len(cases)} descriptions, {differences} differences with a reason")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
