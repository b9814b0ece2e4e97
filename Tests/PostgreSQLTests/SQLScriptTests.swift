#if PostgreSQL
  import Testing

  @testable import PostgreSQL

  @Suite struct SQLScriptTests {
    @Test(
      arguments: [
        ("", []),
        (" -- nothing\n/* ; /* nested; */ ; */ ;;", []),
        ("SELECT 1; SELECT 2", ["1 SELECT 1", "1 SELECT 2"]),
        ("\n-- first\n SELECT\n 1;\nSELECT 2 ; ", ["3 SELECT\n 1", "5 SELECT 2 "]),
        ("SELECT ';', 'it''s;', \"a;\"\"b\"; x", ["1 SELECT ';', 'it''s;', \"a;\"\"b\"", "1 x"]),
        (#"SELECT E'\';', e'\\'; x"#, [#"1 SELECT E'\';', e'\\'"#, "1 x"]),
        (#"SELECT E'it''s \';'; x"#, [#"1 SELECT E'it''s \';'"#, "1 x"]),
        ("\u{feff}SELECT 1; x", ["1 SELECT 1", "1 x"]),
        // A backslash is an ordinary character in other texts, also after a name that ends in e.
        (#"SELECT '\'; x"#, [#"1 SELECT '\'"#, "1 x"]),
        ("SELECT $$;$$, $a$ $$;$b$ $a$; x", ["1 SELECT $$;$$, $a$ $$;$b$ $a$", "1 x"]),
        ("SELECT a$b$c; x", ["1 SELECT a$b$c", "1 x"]),
        ("SELECT $1; x", ["1 SELECT $1", "1 x"]),
        (
          "CREATE RULE r AS ON INSERT TO t DO (SELECT 1; SELECT 2); x",
          ["1 CREATE RULE r AS ON INSERT TO t DO (SELECT 1; SELECT 2)", "1 x"]
        ),
        (
          "CREATE OR REPLACE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT CASE WHEN true THEN 1 END; SELECT 2; END; x",
          [
            "1 CREATE OR REPLACE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT CASE WHEN true THEN 1 END; SELECT 2; END",
            "1 x",
          ]
        ),
        ("SELECT CASE WHEN true THEN 1 END; x", ["1 SELECT CASE WHEN true THEN 1 END", "1 x"]),
        ("SELECT 'open; x", ["1 SELECT 'open; x"]),
        ("SELECT $a$ open; x", ["1 SELECT $a$ open; x"]),
        ("SELECT 'ä;'; é", ["1 SELECT 'ä;'", "1 é"]),
      ] as [(String, [String])])
    func `a script is split as by psql`(script: String, statements: [String]) {
      let found = SQLScript("x.sql", Array(script.utf8)).statements
      #expect(found.map { "\($0.line) \($0.text)" } == statements)
    }
  }
#endif
