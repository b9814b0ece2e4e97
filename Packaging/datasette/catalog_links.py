"""A Datasette plugin for a catalog: references have names, links and swatches, numbers lead to the rows that they count,
and data begin on the first screen. Use it with --plugins-dir."""
import json
from urllib.parse import urlencode

from datasette import hookimpl
from datasette.utils import tilde_encode
from jinja2 import ChoiceLoader, DictLoader
from markupsafe import Markup

# The tables whose rows have these keys, beside those that foreign keys name.
TABLES = {
    "set_num": "sets", "part_num": "parts", "fig_num": "minifigs", "color_id": "colors", "theme_id": "themes",
    "inventory_id": "inventories", "child_part_num": "parts", "parent_part_num": "parts", "parent_id": "themes",
    "canonical_part_num": "parts", "root_id": "themes",
}
KINDS = {"part": "parts", "set": "sets", "minifig": "minifigs", "theme": "themes"}
PARTS = "part_stats", "part_color_stats", "part_info", "part_color_info", "color_stats"
COUNTS = "num_sets", "num_colors", "num_unique_parts", "num_lots"
PIECES = {"num_parts": 0, "num_set_parts": 0, "num_spares": 1}
SWATCH = Markup('<span style="display: inline-block; width: 1em; height: 1em; vertical-align: -.15em; '
                'border: 1px solid #888; background: #{}"></span>&nbsp;')
NAME = Markup('{} <span style="display: inline-block; min-width: 12em; font-weight: normal">{}</span>')
# For tables and rows, but not for results of queries.
TABLE = '{% set named = name_references(database, table, display_rows) %}{% include "default:_table.html" %}'
SCRIPT = """
document.head.insertAdjacentHTML(
  "beforeend", "<style>details { margin: .5em 0 } pre { overflow-wrap: anywhere }</style>");
for (const term of document.querySelectorAll(".column-descriptions dt"))
  for (const cell of document.querySelectorAll("th.col-" + term.innerText)) cell.title = term.nextElementSibling.innerText;
for (const [name, title] of [["column-descriptions", "Columns"], ["facet-results", "Facets"]])
  for (const list of document.getElementsByClassName(name)) {
    const details = document.createElement("details");
    details.innerHTML = `<summary>${title}</summary>`;
    list.replaceWith(details);
    details.append(list);
  }
"""


def value_of(row, column):
    """The value of a column, if the row has it. References have a value and a label."""
    value = row[column] if column in row.keys() else None
    return value["value"] if isinstance(value, dict) else value


def parent(column, value, keys=TABLES):
    """The table whose row has a key; nothing for other columns."""
    return "minifigs" if column == "set_num" and str(value).startswith("fig-") else keys.get(column)


def literal(value):
    return str(value) if isinstance(value, int) else "'" + value.replace("'", "''") + "'"


def rows_counted(row, column, table):
    """The table, and the filters, of the rows that a number counts or, for pieces, that add up to it; else nothing."""
    ever, measure = column.startswith("ever_"), column.removeprefix("ever_").removeprefix("total_")
    if table == "sets" and column == "num_parts":
        return "parts-of-a-set", {"set_num": value_of(row, "set_num")}
    names = ["part_num", "color_id"] if table in PARTS or not table and column == "num_sets" else \
        {"set_stats": ["set_num"], "theme_stats": ["theme_id"]}.get(table, [])
    keys = {name: value for name in names if (value := value_of(row, name)) not in (None, "")}
    if not keys or measure not in (*COUNTS, *PIECES):
        return None
    spare = {"is_spare": PIECES.get(measure, 0)}
    same = " and ".join(f"{name} = {literal(value)}" for name, value in (keys | spare).items())
    used = f"from where_{'ever_used' if ever else 'used'} as used where {same}{'' if ever else ' and not is_sub_set'}"
    if table == "theme_stats":
        same = f"theme_id = {keys['theme_id']}" if measure == column else \
            f"theme_id in (select id from theme_paths where '/' || id_path || '/' like '%/{keys['theme_id']}/%')"
        sets = f"set_num in (select set_num from sets where {same})"
        return ("set_stats", {"_where": sets, f"{measure}__gt": 0}) if measure in PIECES else ("sets", {"_where": same})
    if measure == "num_sets":
        if color := not table and value_of(row, "color"):
            used += f" and color_id in (select id from colors where name = {literal(color)})"
        # A common color is in most sets, each of which can show that soonest itself.
        return "sets", {"_where": f"set_num in (select set_num {used})" if "part_num" in keys
                        else f"exists (select 1 {used} and used.set_num = sets.set_num)"}
    if measure == "num_lots":
        return "part_color_stats", {"_where": f"(part_num, color_id) in (select part_num, color_id {used})"}
    if measure in COUNTS or len(keys) == 1 and table != "set_stats":
        return "part_color_stats", keys | {
            f"{column.replace(measure, 'num_sets') if measure in COUNTS else column.replace('_set', '')}__gt": 0}
    if ever:
        # SQLite looks up one value faster than two.
        version, pieces = "set_num || ' ' || version", f"select *, sum(quantity) as pieces {used} group by set_num, version"
        largest = f"select {version} from (select *, max(pieces) from ({pieces}) group by set_num)"
        return "where_ever_used", keys | spare | {"_where": f"{version} in ({largest})"}
    return "where_used", keys | spare | {"is_sub_set": 0}


async def named_color(db, name):
    """A color's name with a swatch, in the results of a query; nothing for other names."""
    found = await db.execute("select rgb from colors where name = ?", [name]) if await db.table_exists("colors") else []
    return next((SWATCH.format(rgb) + name for (rgb,) in found), None)


@hookimpl
def render_cell(row, value, column, table, database, datasette):
    if not isinstance(value, (int, str)):
        return None
    if column == "rgb":
        return SWATCH.format(value) + str(value)
    if column == "color" and not table:
        return named_color(datasette.get_database(database), value)
    if counted := rows_counted(row, column, table):
        path = f"{datasette.urls.table(database, counted[0])}?{urlencode(counted[1])}"
    else:
        other = None if table else KINDS.get(value_of(row, "kind")) if column == "key" else parent(column, value)
        path = other and datasette.urls.row(database, other, tilde_encode(str(value)))
    return path and Markup('<a href="{}">{}</a>').format(path, value)


@hookimpl
def prepare_jinja2_environment(env, datasette):
    async def name_references(database, table, rows):
        """Give the references in the cells of rows names and links, and colors swatches."""
        db = datasette.databases[database]
        keys = {key["column"]: key["other_table"] for key in await db.foreign_keys_for_table(table)} | TABLES
        references = {}
        for cell in (cell for row in rows for cell in row if cell["raw"] is not None):
            references.setdefault(parent(cell["column"], cell["raw"], keys), []).append(cell)
        for other in references.keys() & set(await db.table_names()) - {table}:
            key = (await db.primary_keys(other) or ["rowid"])[0]
            name = await db.label_column_for_table(other) or key
            found = await db.execute(
                f'select "{key}", "{name}", {"rgb" if other == "colors" else "null"} from "{other}" where "{key}" in '
                "(select value from json_each(?))", [json.dumps([cell["raw"] for cell in references[other]])])
            links = {str(key): Markup('{}<a href="{}">{}</a>').format(
                SWATCH.format(rgb) if rgb else "", datasette.urls.row(database, other, tilde_encode(str(key))), name)
                for key, name, rgb in found.rows}
            for cell in references[other]:
                if link := links.get(str(cell["raw"])):
                    cell["value"] = (NAME.format(cell["value"], link) if cell["value_type"] == "pk"
                                     else Markup("{}&nbsp;<em>{}</em>").format(link, cell["raw"]))

    env.globals["name_references"] = name_references
    env.loader = ChoiceLoader([DictLoader({"_table.html": TABLE}), env.loader])


@hookimpl
def extra_body_script(columns):
    return columns and SCRIPT


@hookimpl
def asgi_wrapper(datasette):
    def wrap(app):
        async def serve(scope, receive, send):
            # To count the rows of a view can take longer than Datasette allows, and the page then fails.
            names = scope.get("path", "").strip("/").split("/")
            if len(names) == 2 and not scope.get("query_string") and names[0] in datasette.databases:
                if names[1] in await datasette.databases[names[0]].view_names():
                    scope = scope | {"query_string": b"_nocount=1&_nosuggest=1"}
            await app(scope, receive, send)
        return serve
    return wrap
