"""Overload the functions and operators of all statements in schemas of others, and count the calls:

    python3 Tests/System PostgreSQL.overloads INGEST

INGEST was built with the trait PostgreSQL. A first round of all commands shows what their statements use. Then other
roles overload each function and operator, with the types that a call may have, in the published schema, in `public` and
in the schema of the role. No command may call one of them.
"""
import itertools
import os
import re
import shutil

from PostgreSQL import loads
from support import ROOT, Server, expect, run, temporary_folder

work = temporary_folder()
folder = work / "dumps"
# The types of catalog columns and of literals; those of few arguments come in all combinations.
TYPES = ['text', 'name', '"char"', 'oid', 'integer', 'bigint', 'boolean', 'regclass', 'smallint', 'json', 'jsonb',
         'double precision', 'anyelement']
FEW = ['text', 'name', 'oid', 'integer', 'anyelement']
SIGNATURES = [
    *itertools.product(TYPES), *itertools.product(TYPES, TYPES), *itertools.product(FEW, FEW, FEW),
    *itertools.product(FEW[:2], repeat=4), *itertools.product(FEW[:2], repeat=5),
    *((*first, f"VARIADIC {kind}[]") for kind in ("text", "name") for first in ((), ("text",), ("text", "text")))]
COUNTED = "LANGUAGE plpgsql AS 'BEGIN PERFORM pg_catalog.nextval(''counter.calls''); RETURN NULL; END'"


def used_names():
    """The functions and operators that the logged statements may use."""
    text = "".join(path.read_text(errors="replace") for path in (server.folder / "data/log").iterdir())
    known = server.psql("SELECT DISTINCT proname FROM pg_proc WHERE pronamespace = 11").split("\n")
    functions = set(known) & set(re.findall(r"\b([a-z_][a-z0-9_]*) ?\(", text))
    known = server.psql("SELECT DISTINCT oprname FROM pg_operator").split("\n")
    # LIKE and NOT LIKE are operators, too.
    operators = set(known) & {*re.findall(r"[-+*/<>=~!@#%^&|?]+", text), "~~", "!~~", "~~*"}
    return sorted(functions), sorted(operators)


def overload(schema, functions, operators, known):
    statements = [f"CREATE SCHEMA IF NOT EXISTS {schema}"]
    for name in functions:
        for types in SIGNATURES:
            result = "anyelement" if "anyelement" in types else "text"
            statements.append(f'CREATE FUNCTION {schema}."{name}"({", ".join(types)}) RETURNS {result} {COUNTED}')
    for left, right in itertools.product(TYPES[:-1], repeat=2):
        missing = [name for name in operators if f"{name}|{left}|{right}" not in known and name != "=>"]
        names = f"{schema}.\"operator {left.replace(chr(34), '')} {right.replace(chr(34), '')}\""
        for kind in "boolean", "text":
            statements.append(f"CREATE FUNCTION {names[:-1]} {kind}\"({left}, {right}) RETURNS {kind} {COUNTED}")
        for name in missing:
            kind = "boolean" if re.fullmatch("[<>=!~*]+", name) else "text"
            statements.append(f"CREATE OPERATOR {schema}.{name} "
                              f"(FUNCTION = {names[:-1]} {kind}\", LEFTARG = {left}, RIGHTARG = {right})")
    path = work / "overloads.sql"
    path.write_text("SET client_min_messages = warning; BEGIN;\n" + ";\n".join(statements) + "; COMMIT;\n")
    run("psql", "-AtXq", "-v", "ON_ERROR_STOP=1", "-h", server.folder, "-U", "postgres", "-f", path, "lego")


def calls():
    return server.psql("SELECT last_value, is_called FROM counter.calls")


def command(*arguments):
    found = run(ingest, *arguments, statuses=None)
    expect(found.returncode in (0, 1), f"{arguments}: status {found.returncode}: {found.stderr}")


def rounds(before=lambda: None):
    """All commands; `before` runs before each that replaces the schema or reads it."""
    for user in "loader", "postgres":
        uri = server.uri(user)
        server.psql("DROP SCHEMA IF EXISTS rebrickable CASCADE")
        out = ["--source", folder, "--out", uri, "--rejects", work / "rejects", "--quiet", "--max-shrink", "100%"]
        for name, *arguments in (
                ("a first load", *out), ("a swap", *out, "--publish", "swap", "--allow-loss"),
                ("a swap over several connections", *out, "--publish", "swap", "--allow-loss", "--jobs", "3"),
                ("a merge", *out, "--publish", "merge", "--sql", work / "mine.sql"),
                ("a dry run", *out, "--dry-run", "--sql", work / "mine.sql"),
                ("an unchanged run", *out, "--if-changed", "--sql", work / "mine.sql"),
                ("a changed run", *out, "--if-changed", "--no-search", "--publish", "swap", "--allow-loss"),
                ("check", "check", uri), ("history", "history", uri),
                ("diff", "diff", uri, work / "catalog.sqlite")):
            if name == "a merge":
                command(*out, "--publish", "swap", "--allow-loss", "--sql", work / "mine.sql")
                change()
            if name == "check":
                command(*out, "--publish", "swap", "--allow-loss")
            before()
            command(*arguments)
            expect(calls() == "1|f", f"{name} as {user} calls functions of others: {calls()}")
            server.psql("ALTER SEQUENCE counter.calls RESTART")


def change():
    loads.rewrite(folder, "parts", lambda lines: [line | {"name": line["name"] + "x"} for line in lines])


def main(built):
    global server, ingest
    ingest = os.path.abspath(built)
    server = Server(work / "server", "fsync=off", "logging_collector=on", "log_directory=log", "log_statement=all",
                    "max_locks_per_transaction=4096")
    loads.ingest, loads.server = ingest, server
    for statement in loads.CREATION:
        server.psql(statement)
    shutil.copytree(ROOT / loads.FIXTURES, folder)
    run(ingest, "--source", folder, "--out", work / "catalog.sqlite", "--quiet")
    (work / "mine.sql").write_text("CREATE VIEW mine AS SELECT upper(name) AS name FROM parts WHERE name LIKE 'B%';")
    server.psql("CREATE SCHEMA counter; CREATE SEQUENCE counter.calls; GRANT USAGE ON SCHEMA counter TO public; "
                "GRANT ALL ON SEQUENCE counter.calls TO public")
    rounds()
    functions, operators = used_names()
    known = set(server.psql(
        "SELECT oprname, format_type(oprleft, -1), format_type(oprright, -1) FROM pg_operator").split("\n"))
    server.psql("ALTER SYSTEM SET log_statement = 'none'; ")
    server.psql("SELECT pg_reload_conf()")
    for schema in "public", "loader", "postgres":
        overload(schema, functions, operators, known)
    server.psql("GRANT USAGE ON SCHEMA loader, postgres TO public")
    # A role may have any search path.
    server.psql('ALTER DATABASE lego SET search_path = "$user", public, pg_catalog')

    def overload_published():
        if server.psql("SELECT pg_catalog.to_regnamespace('rebrickable') IS NOT NULL "
                       "AND pg_catalog.to_regprocedure('rebrickable.upper(oid)') IS NULL") == "t":
            overload("rebrickable", functions, operators, known)

    rounds(overload_published)
    print(f"postgresql: {len(functions)} functions and {len(operators)} operators of others are not called, "
          f"{expect.count} checks")
