"""A Datasette plugin for a catalog: the answers of queries and the rows of views link to the rows that they are about,
and the titles of columns explain them. Use it with --plugins-dir."""
import json
from urllib.parse import urlencode

from datasette import hookimpl
from datasette.utils import tilde_encode
from markupsafe import Markup

# The tables whose rows have these keys.
TABLES = {
    "set_num": "sets", "part_num": "parts", "fig_num": "minifigs", "color_id": "colors", "theme_id": "themes",
    "inventory_id": "inventories", "child_part_num": "parts", "parent_part_num": "parts", "parent_id": "themes",
}
KINDS = {"part": "parts", "set": "sets", "minifig": "minifigs", "theme": "themes"}


def value_of(row, column):
    """The value of a column; None if the row does not have it. References have a value and a label."""
    value = row[column] if column in row.keys() else None
    return value["value"] if isinstance(value, dict) else value


def destination(row, value, column, database, datasette):
    """The path of a page about a value, or None."""
    part = value_of(row, "part_num")
    if column == "num_sets" and part is not None:
        name, keys = "where_used", {"part_num": part}
        if (color := value_of(row, "color_id")) is not None:
            name, keys = "where-used", keys | {"color_id": color}
        return f"{datasette.urls.table(database, name)}?{urlencode(keys)}"
    if column == "num_parts" and value_of(row, "set_num") is not None:
        return f"{datasette.urls.table(database, 'parts-of-a-set')}?{urlencode({'set_num': value_of(row, 'set_num')})}"
    table = KINDS.get(value_of(row, "kind")) if column == "key" else TABLES.get(column)
    if column == "set_num" and str(value).startswith("fig-"):
        table = "minifigs"
    return table and datasette.urls.row(database, table, tilde_encode(str(value)))


def meanings(database, datasette):
    """The meanings of columns by name: of keys, and of columns that mean the same in all tables."""
    found = {}
    tables = datasette.metadata("tables", database=database) or {}
    for name, table in tables.items():
        for column, meaning in table.get("columns", {}).items():
            if TABLES.get(column, name) == name:
                found.setdefault(column, set()).add(meaning)
    return {column: texts.pop() for column, texts in found.items() if len(texts) == 1}


@hookimpl
def render_cell(row, value, column, table, database, datasette):
    # Datasette itself links references and the keys of tables.
    if value is not None and not isinstance(value, dict) and not (table in TABLES.values() and column in TABLES):
        path = destination(row, value, column, database, datasette)
        return path and Markup('<a href="{}">{}</a>').format(path, value)


@hookimpl
def extra_body_script(database, columns, datasette):
    if not columns:
        return None
    known = meanings(database, datasette)
    titles = json.dumps({name: known[name] for name in columns if name in known}).replace("</", "<\\/")
    return f"""
for (const [name, title] of Object.entries({titles}))
  for (const cell of document.querySelectorAll("th"))
    if (cell.innerText.trim() === name) cell.title = title;
"""


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
