"""Compare the derived tables and views of a catalog with what follows from its source files, row by row:

    python3 Tests/System Catalog.questions CATALOG SOURCE

They are computed from the files with Python's csv and dictionaries; SQL only reads the catalog.
"""
import sys
from collections import defaultdict

from support import differences, finish, open_catalog, records, row_count, rows, source_file, typed

KINDS = "PTMA"


class Catalog:
    """The data that follows from the source files of a folder; a missing file has no records."""

    def __init__(self, folder):
        def fields(table, *columns):
            """The fields of some columns; those that begin with # are integers."""
            kinds = {column.lstrip("#"): "INTEGER" if column[0] == "#" else "TEXT" for column in columns}
            for record in records(source_file(folder, table)):
                yield [typed(record.get(column), kind) for column, kind in kinds.items()]

        self.names = dict(fields("parts", "part_num", "name"))
        self.category_of = dict(fields("parts", "part_num", "part_cat_id"))
        self.categories = dict(fields("part_categories", "id", "name"))
        self.colors = dict(fields("colors", "#id", "name"))
        self.looks = {key: (rgb, typed(trans, "BOOLEAN")) for key, rgb, trans in fields("colors", "#id", "rgb", "is_trans")}
        self.themes = {key: (name, parent) for key, name, parent in fields("themes", "#id", "name", "#parent_id")}
        self.sets = {key: (year, theme) for key, year, theme in fields("sets", "set_num", "#year", "#theme_id")}
        versions = defaultdict(list)
        for key, version, number in fields("inventories", "#id", "#version", "set_num"):
            versions[number].append((version, key))
        self.latest = {number: max(known)[::-1] for number, known in versions.items()}
        self.lots = defaultdict(list)
        for key, part, color, quantity, spare, picture in fields(
            "inventory_parts", "#inventory_id", "part_num", "#color_id", "#quantity", "is_spare", "img_url"
        ):
            self.lots[key].append((sys.intern(part), color, quantity, typed(spare, "BOOLEAN"), picture))
        self.inside = defaultdict(list)
        for key, number, quantity in fields("inventory_sets", "#inventory_id", "set_num", "#quantity"):
            self.inside[key].append((number, quantity))
        self.minifigs = defaultdict(list)
        for key, number, quantity in fields("inventory_minifigs", "#inventory_id", "fig_num", "#quantity"):
            self.minifigs[key].append((number, quantity))
        self.relations = defaultdict(lambda: defaultdict(set))
        for kind, child, parent in fields("part_relationships", "rel_type", "child_part_num", "parent_part_num"):
            if child != parent:
                self.relations[kind][child].add(parent)
        self.held = {number: self.held_by(number) for number in sorted(self.sets)}
        self.older = {
            (number, version): self.held_by_version(inventory)
            for number in self.sets for version, inventory in sorted(versions[number])[:-1]
        }
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

    def held_by_version(self, inventory):
        """The inventories of a version of a set, without sets inside it: {inventory: [is_minifig, quantity]}."""
        held = {inventory: [0, 1]}
        for minifig, quantity in self.minifigs.get(inventory, ()):
            if minifig in self.latest:
                held[self.latest[minifig][0]] = [1, quantity]
        return held

    def contents(self, held):
        """What some inventories have of each part in each color: {(part, color): [is_needed, pieces, spares]}."""
        pairs = {}
        for inventory, times in held:
            for part, color, quantity, spare, _ in self.lots.get(inventory, ()):
                entry = pairs.setdefault((part, color), [False, 0, 0])
                entry[0] = entry[0] or not spare
                entry[1 + spare] += times * quantity
        return pairs

    def count(self):
        """Adds up the statistics, of the latest versions and of all."""
        self.latest_use, self.ever_use = Use(), Use()
        versions = defaultdict(list)
        for (number, _), held in self.older.items():
            versions[number].append(self.contents((inventory, times) for inventory, (_, times) in held.items()))
        self.of_theme = {theme: Measures() for theme in self.themes}
        self.of_set = {}
        for number, held in self.held.items():
            year, theme = self.sets[number]
            pairs = self.contents(
                (inventory, times) for (inventory, is_sub_set), (_, times) in held.items() if not is_sub_set)
            self.latest_use.add(pairs, year)
            largest = dict(pairs)
            for version in versions[number]:
                for pair, entry in version.items():
                    largest[pair] = [max(both) for both in zip(entry, largest.get(pair, (False, 0, 0)))]
            self.ever_use.add(largest, year)
            lots, pieces, spares = (sum(column) for column in zip((0, 0, 0), *pairs.values()))
            self.of_theme[theme].add(pieces, spares, [year])
            if held:
                self.of_set[number] = (lots, pieces, spares)

    def theme_path(self, theme):
        path = [theme]
        while True:
            parent = self.themes[path[0]][1]
            if parent is None or parent in path:
                return path
            path.insert(0, parent)

    def followed(self, part):
        """The next part on the way to the canonical one."""
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
        """The picture of each part in each color: that of its first inventory."""
        pictures = {}
        for inventory in sorted(self.lots):
            for part, color, _, spare, picture in sorted(self.lots[inventory], key=lambda lot: lot[3]):
                pictures.setdefault((part, color), picture)
        return pictures


class Measures:
    __slots__ = ("years", "pieces", "spares")

    def __init__(self):
        self.years, self.pieces, self.spares = [], 0, 0

    def add(self, pieces, spares, years=()):
        self.pieces += pieces
        self.spares += spares
        self.years += years

    def row(self):
        return (len(self.years), min(self.years, default=None), max(self.years, default=None), self.pieces, self.spares)


class Use:
    """The use of parts, colors, and parts in colors."""

    def __init__(self):
        self.of_pair, self.of_part, self.of_color = (defaultdict(Measures) for _ in range(3))

    def add(self, pairs, year):
        """Adds what a set has of each part in each color."""
        had = set()
        for (part, color), (is_needed, pieces, spares) in pairs.items():
            for measures in self.of_pair[part, color], self.of_part[part], self.of_color[color]:
                measures.add(pieces, spares)
                had.update([measures] if is_needed else [])
        for measures in had:
            measures.years.append(year)

    def inner_counts(self):
        """The number of colors of each part that sets need, and of parts of each color."""
        colors_of, parts_of = defaultdict(int), defaultdict(int)
        for (part, color), measures in self.of_pair.items():
            if measures.years:
                colors_of[part] += 1
                parts_of[color] += 1
        return colors_of, parts_of


def statistics(catalog):
    """The rows of the statistics: of the latest versions, then of all."""
    latest, ever = catalog.latest_use, catalog.ever_use
    yield "part_color_stats", [
        (*key, *latest.of_pair.get(key, Measures()).row(), *measures.row()) for key, measures in ever.of_pair.items()
    ]
    for name, now, whole, counts in (
        ("part_stats", latest.of_part, ever.of_part, 0), ("color_stats", latest.of_color, ever.of_color, 1),
    ):
        count, ever_count = latest.inner_counts()[counts], ever.inner_counts()[counts]
        yield name, [
            (key, count[key], *now.get(key, Measures()).row(), ever_count[key], *measures.row())
            for key, measures in whole.items()
        ]
    for name, now, whole in (
        ("parts in colors", latest.of_pair, ever.of_pair), ("parts", latest.of_part, ever.of_part),
        ("colors", latest.of_color, ever.of_color),
    ):
        needed = [{key for key, measures in uses.items() if measures.years} for uses in (whole, now)]
        print(f"{name} that only older versions have: {len(needed[0] - needed[1])}", flush=True)


def relation_rows(catalog):
    """Every pair with its shortest chain; of several, the least one, compared from its end."""
    for kind, parents_of in catalog.relations.items():
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


def info(part, measures, picture, name, group):
    """The row of part_info or part_color_info."""
    sets, first, last, pieces, _ = measures.row()
    return (sets, pieces, last, first, "https://rebrickable.com/parts/" + part, picture, name, group)


def part_info_rows(catalog, pictures):
    best = {}
    for part, color in catalog.ever_use.of_pair:
        measures = catalog.latest_use.of_pair.get((part, color), Measures())
        rank = (-len(measures.years), color)
        best[part] = min(best.get(part, rank), rank)
    for part, name in catalog.names.items():
        picture = pictures.get((part, best[part][1])) if part in best else None
        yield (part, *info(part, catalog.latest_use.of_part.get(part, Measures()), picture, name,
                           catalog.categories[catalog.category_of[part]]))


def versions_of_sets(catalog):
    """The versions of each set: its number, the version, whether it is the latest, and its inventories."""
    for number, held in catalog.held.items():
        if held:
            own = [(inventory, entry) for (inventory, is_sub_set), entry in held.items() if not is_sub_set]
            yield number, catalog.latest[number][1], 1, own
    for (number, version), held in catalog.older.items():
        yield number, version, 0, held.items()


def expectations(catalog):
    """The rows of each derived table and view, by its name."""
    yield "latest_inventories", [(number, *known) for number, known in catalog.latest.items()]
    yield "set_inventories", [
        (number, inventory, is_sub_set, *entry)
        for number, held in catalog.held.items()
        for (inventory, is_sub_set), entry in held.items()
    ]
    yield "older_set_inventories", [
        (*key, inventory, *entry) for key, held in catalog.older.items() for inventory, entry in held.items()
    ]
    yield from statistics(catalog)
    yield "set_stats", [(key, *value) for key, value in catalog.of_set.items()]
    totals = {theme: Measures() for theme in catalog.themes}
    for theme, measures in catalog.of_theme.items():
        for above in catalog.theme_path(theme):
            totals[above].add(measures.pieces, measures.spares, measures.years)
    yield "theme_stats", [
        (key, *value.row(), *totals[key].row()) for key, value in catalog.of_theme.items()
    ]
    paths = {theme: catalog.theme_path(theme) for theme in catalog.themes}
    yield "theme_paths", [
        (
            theme, name, parent, len(paths[theme]), paths[theme][0],
            " / ".join(catalog.themes[above][0] for above in paths[theme]),
            "/".join(map(str, paths[theme])),
        )
        for theme, (name, parent) in catalog.themes.items()
    ]
    relations = list(relation_rows(catalog))
    yield "part_relations_resolved", relations
    yield "part_relation_chains", [row for row in relations if row[3] > 1]
    yield "canonical_parts", [(part, catalog.canonical(part)) for part in catalog.names]
    pictures = catalog.pictures()
    yield "part_info", list(part_info_rows(catalog, pictures))
    yield "part_color_info", [
        (part, color, *info(part, catalog.latest_use.of_pair.get((part, color), Measures()), pictures[part, color],
                            catalog.names[part], catalog.colors[color]))
        for part, color in catalog.ever_use.of_pair
    ]
    yield "color_info", [
        (color, sets, pieces, last, first, name, *catalog.looks[color])
        for color, name in catalog.colors.items()
        for sets, first, last, pieces, _ in [catalog.latest_use.of_color.get(color, Measures()).row()]
    ]
    yield "set_parts", (
        (number, inventory, *lot)
        for number, (inventory, _) in catalog.latest.items()
        for lot in catalog.lots.get(inventory, ())
    )
    yield "where_used", (
        (part, color, number, spare, quantity * times, is_minifig, is_sub_set, inventory)
        for number, held in catalog.held.items()
        for (inventory, is_sub_set), (is_minifig, times) in held.items()
        for part, color, quantity, spare, _ in catalog.lots.get(inventory, ())
    )
    yield "where_ever_used", (
        (part, color, number, version, is_latest, spare, quantity * times, is_minifig, inventory)
        for number, version, is_latest, held in versions_of_sets(catalog)
        for inventory, (is_minifig, times) in held
        for part, color, quantity, spare, _ in catalog.lots.get(inventory, ())
    )
    quantities = defaultdict(int)
    for number, held in catalog.held.items():
        for (inventory, _), (_, times) in held.items():
            for part, color, quantity, spare, _ in catalog.lots.get(inventory, ()):
                quantities[number, part, color, spare] += quantity * times
    yield "set_parts_flat", ((*key, quantity) for key, quantity in quantities.items())


def main(path, folder):
    database = open_catalog(path)
    faults = []
    for name, expected in expectations(Catalog(folder)):
        faults += differences(name, expected, rows(database, name))
        print(f"{name}: {row_count(database, name)} rows compared", flush=True)
    finish(faults, f"{len(faults)} differences", limit=30)
