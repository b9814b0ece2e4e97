"""Compare answers of the cookbook with what follows from the source files of a catalog:

    python3 Tests/System Catalog.answers CATALOG SOURCE

They are computed from the files with Python's csv and dictionaries. The sets and parts are the largest and most common.
"""
import json
import re
from collections import Counter, defaultdict

from Catalog.questions import Catalog
from Documentation.cookbook import questions
from support import differences, finish, open_catalog, records, source_file


class Answers(Catalog):
    def __init__(self, folder):
        super().__init__(folder)
        versions = defaultdict(list)
        for record in records(source_file(folder, "inventories")):
            versions[record["set_num"]].append(int(record["id"]))
        # For each inventory, the versions of sets that have it: its own, or that of a minifig.
        self.had_by = defaultdict(set)
        for number in self.sets:
            for version in versions.get(number, ()):
                minifigs = (minifig for minifig, _ in self.minifigs.get(version, ()))
                latest = (self.latest[minifig][0] for minifig in minifigs if minifig in self.latest)
                for inventory in [version, *latest]:
                    self.had_by[inventory].add((version, number))
        self.own = {number: self.own_pieces(number) for number in self.sets}

    def pieces(self, number, with_spares=False, with_sets_inside=False):
        """The number of pieces of each part and color in a set."""
        pieces = Counter()
        for (inventory, is_sub_set), (_, times) in self.held.get(number, {}).items():
            if with_sets_inside or not is_sub_set:
                for part, color, quantity, spare, _ in self.lots.get(inventory, ()):
                    if with_spares or not spare:
                        pieces[part, color] += times * quantity
        return pieces

    def own_pieces(self, number):
        """Those of its latest inventory itself, without minifigs."""
        pieces = Counter()
        if number in self.latest:
            for part, color, quantity, spare, _ in self.lots.get(self.latest[number][0], ()):
                if not spare:
                    pieces[part, color] = quantity
        return pieces

    def missing(self, number, parts, sets):
        have = Counter()
        for part, color, quantity in parts:
            have[part, color] += quantity
        for one in sets:
            have += self.pieces(one, with_spares=True, with_sets_inside=True)
        for (part, color), needed in self.pieces(number).items():
            if needed > have[part, color]:
                yield part, self.names[part], self.colors[color], needed, have[part, color], needed - have[part, color]

    def lifetime(self, part):
        uses = defaultdict(set)
        for inventory, color in self.lots_of[part]:
            uses[color] |= self.had_by.get(inventory, set())
        for color, found in uses.items():
            if not found:
                continue
            years = {self.sets[number][0] for _, number in found}
            yield self.colors[color], min(years), max(years), len(years), len({number for _, number in found}), len(found)

    def index(self, parts):
        """The inventories and colors of some parts."""
        self.lots_of = {part: [] for part in parts}
        for inventory, lots in self.lots.items():
            for part, color, _, spare, _ in lots:
                if part in self.lots_of and not spare:
                    self.lots_of[part].append((inventory, color))

    def similar(self, sets):
        own = sum((self.own[number] for number in sets), Counter())
        found = []
        for number, pieces in self.own.items():
            common = own.keys() & pieces.keys()
            if common and number not in sets:
                shared = sum(min(own[key], pieces[key]) for key in common)
                found.append((number, shared, 100 * shared // own.total()))
        return sorted(found, key=lambda row: (-row[1], row[0]))[:20]


def main(path, folder):
    database = open_catalog(path)
    answers = Answers(folder)
    asked = questions()
    faults = []

    def compare(name, values, expected, select=lambda row: row):
        found = [select(row) for row in database.execute(asked[name]["sql"], values)]
        faults.extend(differences(f"{name} {str(values)[:60]}", list(expected), found))
        compare.rows += len(found)

    compare.rows = 0
    largest = sorted(answers.of_set, key=lambda number: (-answers.of_set[number][0], number))
    uses = answers.latest_use.of_part
    common = sorted(uses, key=lambda part: (-len(uses[part].years), part))
    lists = [largest[:1], largest[1:11], largest[5::99], largest[7:9] + largest[7:8]]
    example = asked["missing-parts"]["example"]
    if example["set_num"] in answers.sets:
        compare("missing-parts", example, answers.missing(
            example["set_num"], json.loads(example["parts"]), re.split(", ", example["sets"])))
    for number in [*largest[:3], *largest[100::500]]:
        parts = [[*key, quantity] for key, quantity in answers.pieces(largest[3]).items()]
        for sets in lists:
            compare("missing-parts", {"set_num": number, "parts": json.dumps(parts), "sets": ",\r\n ".join(sets)},
                    answers.missing(number, parts, sets))
    parts = [*common[:20], *common[20::200]]
    answers.index(parts)
    for part in parts:
        compare("part-lifetime", {"part_num": part}, answers.lifetime(part))
    for sets in lists:
        compare("similar-sets", {"set_num": "\n,\t".join(sets)}, answers.similar(sets), lambda row: (row[0], *row[3:]))
    if answers.lots and compare.rows < 100:
        faults.append("hardly anything was compared")
    finish(faults, f"cookbook: {compare.rows} rows of answers compared, {len(faults)} differences", limit=30)
