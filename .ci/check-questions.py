#!/usr/bin/env python3
"""Compares what a catalogue derives from its tables with what follows from the dumps, row by row.

usage: check-questions.py CATALOG DUMPS

The derived tables and the views are worked out from the dumps with Python's csv and dictionaries; SQL is
only used to read what the catalogue says. Prints a line for each, and exits with 1 if one differs.
"""
import csv
import gzip
import itertools
import os
import sqlite3
import sys
from collections import defaultdict

csv.field_size_limit(1 << 30)
KINDS = "PTMA"


class Dumps:
    """The dumps in a folder; one that is not there has no rows."""

    def __init__(self, folder):
        self.folder = folder

    def rows(self, table, *columns):
        path = os.path.join(self.folder, table + ".csv")
        opener = open
        if not os.path.exists(path):
            path, opener = path + ".gz", gzip.open
        if not os.path.exists(path):
            return
        with opener(path, "rt", encoding="utf-8-sig", newline="") as file:
            rows = csv.reader(file, strict=True)
            header = next(rows)
            places = [header.index(name) if name in header else None for name in columns]
            for row in rows:
                if row:
                    yield [None if place is None else row[place] for place in places]


class Catalogue:
    """What follows from the dumps."""

    def __init__(self, dumps):
        self.names = dict(dumps.rows("parts", "part_num", "name"))
        self.category_of = dict(dumps.rows("parts", "part_num", "part_cat_id"))
        self.categories = dict(dumps.rows("part_categories", "id", "name"))
        self.colors = {int(key): name for key, name in dumps.rows("colors", "id", "name")}
        self.themes = {
            int(key): (name, int(parent) if parent else None)
            for key, name, parent in dumps.rows("themes", "id", "name", "parent_id")
        }
        self.sets = {
            key: (int(year), int(theme))
            for key, year, theme in dumps.rows("sets", "set_num", "year", "theme_id")
        }
        self.latest = {}
        for key, version, number in dumps.rows("inventories", "id", "version", "set_num"):
            known = self.latest.get(number)
            if known is None or int(version) > known[1]:
                self.latest[number] = (int(key), int(version))
        self.lots = defaultdict(list)
        columns = ("inventory_id", "part_num", "color_id", "quantity", "is_spare", "img_url")
        for key, part, color, quantity, spare, picture in dumps.rows("inventory_parts", *columns):
            self.lots[int(key)].append(
                (sys.intern(part), int(color), int(quantity), int(spare in ("t", "True")), picture or None)
            )
        self.inside = defaultdict(list)
        for key, number, quantity in dumps.rows("inventory_sets", "inventory_id", "set_num", "quantity"):
            self.inside[int(key)].append((number, int(quantity)))
        self.minifigs = defaultdict(list)
        for key, number, quantity in dumps.rows(
            "inventory_minifigs", "inventory_id", "fig_num", "quantity"
        ):
            self.minifigs[int(key)].append((number, int(quantity)))
        self.relations = defaultdict(lambda: defaultdict(set))
        for kind, child, parent in dumps.rows(
            "part_relationships", "rel_type", "child_part_num", "parent_part_num"
        ):
            if child != parent:
                self.relations[kind][child].add(parent)
        self.held = {number: self.held_by(number) for number in sorted(self.sets)}
        self.count()

    def held_by(self, number):
        """The inventories of a set: {(inventory, is_sub_set): [is_minifig, quantity]}."""
        held = {}
        if number not in self.latest:
            return held

        def add(inventory, quantity, is_minifig, is_sub_set):
            entry = held.setdefault((inventory, is_sub_set), [0, 0])
            entry[0] = max(entry[0], is_minifig)
            entry[1] += quantity

        def visit(container, times, path):
            inventory = self.latest[container][0]
            is_sub_set = int(len(path) > 1)
            add(inventory, times, 0, is_sub_set)
            for minifig, quantity in self.minifigs.get(inventory, ()):
                if minifig in self.latest:
                    add(self.latest[minifig][0], times * quantity, 1, is_sub_set)
            for content, quantity in self.inside.get(inventory, ()):
                if content not in path and content in self.latest:
                    visit(content, times * quantity, path | {content})

        visit(number, 1, frozenset([number]))
        return held

    def count(self):
        """Adds up the statistics."""
        self.of_pair = defaultdict(Measures)
        self.of_part = defaultdict(Measures)
        self.of_color = defaultdict(Measures)
        self.of_theme = {theme: Measures() for theme in self.themes}
        self.of_set = {}
        for number, held in self.held.items():
            year, theme = self.sets[number]
            pairs = {}
            for (inventory, is_sub_set), (_, times) in held.items():
                if is_sub_set:
                    continue
                for part, color, quantity, spare, _ in self.lots.get(inventory, ()):
                    entry = pairs.setdefault((part, color), [False, 0, 0])
                    entry[0] = entry[0] or not spare
                    entry[1 + spare] += times * quantity
            parts, colors = {}, {}
            for (part, color), (has, pieces, spares) in pairs.items():
                self.of_pair[part, color].add(pieces, spares)
                self.of_part[part].add(pieces, spares)
                self.of_color[color].add(pieces, spares)
                if has:
                    self.of_pair[part, color].had_by(year)
                    parts[part] = colors[color] = True
            for part in parts:
                self.of_part[part].had_by(year)
            for color in colors:
                self.of_color[color].had_by(year)
            whole = Measures()
            for _, pieces, spares in pairs.values():
                whole.add(pieces, spares)
            self.of_theme[theme].had_by(year)
            self.of_theme[theme].add(whole.pieces, whole.spares)
            if held:
                lots = sum(has for has, _, _ in pairs.values())
                self.of_set[number] = (lots, whole.pieces, whole.spares)

    def theme_path(self, theme):
        path = [theme]
        while True:
            parent = self.themes[path[0]][1]
            if parent is None or parent in path:
                return path
            path.insert(0, parent)

    def followed(self, part):
        """The part that one is followed by on the way to the canonical one."""
        for kind in KINDS:
            parents = self.relations[kind].get(part)
            if parents:
                return min(parents)
        return None

    def canonical(self, part):
        way = [part]
        while True:
            part = self.followed(part)
            if part is None:
                return way[-1]
            if part in way:
                return min(way[way.index(part):])
            way.append(part)

    def pictures(self):
        """The picture of each part in each colour: that of its first inventory."""
        pictures = {}
        for inventory in sorted(self.lots):
            for part, color, _, spare, picture in sorted(self.lots[inventory], key=lambda lot: lot[3]):
                pictures.setdefault((part, color), picture)
        return pictures


class Measures:
    __slots__ = ("sets", "first", "last", "pieces", "spares")

    def __init__(self):
        self.sets, self.first, self.last, self.pieces, self.spares = 0, None, None, 0, 0

    def add(self, pieces, spares):
        self.pieces += pieces
        self.spares += spares

    def had_by(self, year):
        self.sets += 1
        self.first = year if self.first is None else min(self.first, year)
        self.last = year if self.last is None else max(self.last, year)

    def include(self, other):
        self.add(other.pieces, other.spares)
        self.sets += other.sets
        if other.sets:
            self.first = other.first if self.first is None else min(self.first, other.first)
            self.last = other.last if self.last is None else max(self.last, other.last)

    def row(self):
        return (self.sets, self.first, self.last, self.pieces, self.spares)


def relation_rows(catalogue):
    """Every pair with the shortest way between the two, of several the one that is least from its end."""
    for kind, parents_of in catalogue.relations.items():
        for child in parents_of:
            chains = {child: [child]}
            level = [child]
            while level:
                found = {}
                for part in sorted(level):
                    for parent in parents_of.get(part, ()):
                        if parent not in chains and parent not in found:
                            found[parent] = chains[part] + [parent]
                chains.update(found)
                level = list(found)
            del chains[child]
            for parent, chain in chains.items():
                yield (kind, child, parent, len(chain) - 1, " > ".join(chain))


def part_info_rows(catalogue, pictures):
    best = {}
    for (part, color), measures in catalogue.of_pair.items():
        rank = (-measures.sets, color)
        if part not in best or rank < best[part]:
            best[part] = rank
    for part, name in catalogue.names.items():
        measures = catalogue.of_part.get(part, Measures())
        picture = pictures.get((part, best[part][1])) if part in best else None
        yield (
            part, measures.sets, measures.pieces, measures.last, measures.first,
            "https://rebrickable.com/parts/" + part, picture, name,
            catalogue.categories[catalogue.category_of[part]],
        )


def small_expectations(catalogue):
    """The rows of what is not large, by name."""
    yield "latest_inventories", [(number, *known) for number, known in catalogue.latest.items()]
    yield "set_inventories", [
        (number, inventory, is_sub_set, *entry)
        for number, held in catalogue.held.items()
        for (inventory, is_sub_set), entry in held.items()
    ]
    yield "part_color_stats", [(*key, *value.row()) for key, value in catalogue.of_pair.items()]
    colors_of, parts_of = defaultdict(int), defaultdict(int)
    for (part, color), measures in catalogue.of_pair.items():
        if measures.sets:
            colors_of[part] += 1
            parts_of[color] += 1
    yield "part_stats", [(key, colors_of[key], *value.row()) for key, value in catalogue.of_part.items()]
    yield "color_stats", [(key, parts_of[key], *value.row()) for key, value in catalogue.of_color.items()]
    yield "set_stats", [(key, *value) for key, value in catalogue.of_set.items()]
    totals = {theme: Measures() for theme in catalogue.themes}
    for theme, measures in catalogue.of_theme.items():
        for above in catalogue.theme_path(theme):
            totals[above].include(measures)
    yield "theme_stats", [
        (key, *value.row(), *totals[key].row()) for key, value in catalogue.of_theme.items()
    ]
    paths = {theme: catalogue.theme_path(theme) for theme in catalogue.themes}
    yield "theme_paths", [
        (
            theme, name, parent, len(paths[theme]), paths[theme][0],
            " / ".join(catalogue.themes[above][0] for above in paths[theme]),
            "/".join(map(str, paths[theme])),
        )
        for theme, (name, parent) in catalogue.themes.items()
    ]
    relations = list(relation_rows(catalogue))
    yield "part_relations_resolved", relations
    yield "part_relation_chains", [row for row in relations if row[3] > 1]
    yield "canonical_parts", [(part, catalogue.canonical(part)) for part in catalogue.names]
    pictures = catalogue.pictures()
    yield "part_info", list(part_info_rows(catalogue, pictures))
    yield "part_color_info", [
        (
            part, color, value.sets, value.pieces, value.last, value.first,
            "https://rebrickable.com/parts/" + part, pictures[part, color], catalogue.names[part],
            catalogue.colors[color],
        )
        for (part, color), value in catalogue.of_pair.items()
    ]


def set_parts(catalogue, number):
    inventory = catalogue.latest[number][0]
    return [(number, inventory, *lot) for lot in catalogue.lots.get(inventory, ())]


def where_used(catalogue, number):
    return [
        (part, color, number, spare, quantity * times, is_minifig, is_sub_set, inventory)
        for (inventory, is_sub_set), (is_minifig, times) in catalogue.held[number].items()
        for part, color, quantity, spare, _ in catalogue.lots.get(inventory, ())
    ]


def set_parts_flat(catalogue, number):
    quantities = defaultdict(int)
    for part, color, _, spare, quantity, *_ in where_used(catalogue, number):
        quantities[number, part, color, spare] += quantity
    return [(*key, quantity) for key, quantity in quantities.items()]


def order(row):
    return tuple((value is not None, value) for value in row)


def differences(name, expected, found, faults):
    """Compares two lists of rows in any order; no two of them are the same."""
    counts = len(expected), len(found)
    expected, found = set(expected), set(found)
    if expected == found and counts == (len(expected), len(found)):
        return
    for word, rows in (("missing", expected - found), ("unexpected", found - expected)):
        faults += [f"{name}: {word} {row!r}" for row in sorted(rows, key=order)[:3]]
    faults.append(f"{name}: {counts[1]} rows, expected {counts[0]}")


def compare_by_set(database, name, place, numbers, rows_of, faults):
    """Compares a large view set by set."""
    found = itertools.groupby(
        database.execute(f'SELECT * FROM "{name}" ORDER BY set_num'), key=lambda row: row[place]
    )
    wanted = ((number, rows) for number in numbers if (rows := rows_of(number)))
    count = 0
    for want, have in itertools.zip_longest(wanted, ((key, list(rows)) for key, rows in found)):
        if want is None or have is None or want[0] != have[0]:
            faults.append(f"{name}: expected a set {want and want[0]!r}, found {have and have[0]!r}")
            break
        count += len(have[1])
        differences(name, want[1], have[1], faults)
        if len(faults) > 10:
            break
    return count


def main():
    path, folder = sys.argv[1:]
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    catalogue = Catalogue(Dumps(folder))
    faults = []
    for name, expected in small_expectations(catalogue):
        found = database.execute(f'SELECT * FROM "{name}"').fetchall()
        differences(name, expected, found, faults)
        print(f"{name}: {len(found)} rows compared", flush=True)
    for name, place, numbers, rows_of in (
        ("set_parts", 0, sorted(catalogue.latest), set_parts),
        ("set_parts_flat", 0, sorted(catalogue.held), set_parts_flat),
        ("where_used", 2, sorted(catalogue.held), where_used),
    ):
        count = compare_by_set(
            database, name, place, numbers, lambda number: rows_of(catalogue, number), faults
        )
        print(f"{name}: {count} rows compared", flush=True)
    for fault in faults[:30]:
        print("DIFFERENT", fault)
    sys.exit(1 if faults else 0)


main()
