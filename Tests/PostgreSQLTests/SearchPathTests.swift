#if PostgreSQL
  import Foundation
  import Testing

  @testable import PostgreSQL

  extension ServerTests {
    /// Where statements find functions and tables.
    @Suite struct SearchPathTests {
      private let connection: PostgreSQLConnection
      private let target = "lego_" + UUID().uuidString.prefix(8).lowercased()

      init() throws { connection = try connect() }

      @Test func `a schema is built with its names after those of the server`() throws {
        let schema = try newSchema(on: connection)
        try connection.building(in: schema) { () throws(PostgreSQLError) in
          #expect(
            try connection.texts("SELECT unnest(current_schemas(true))") == ["pg_catalog", schema])
          #expect(throws: PostgreSQLError.self) { try connection.execute("SELECT FROM missing") }
        }
        #expect(try connection.texts("SHOW search_path") == ["pg_catalog, pg_temp"])
        let error = #expect(throws: PostgreSQLError.self) {
          try connection.building(in: schema) { () throws(PostgreSQLError) in
            try connection.execute("SELECT FROM missing")
          }
        }
        #expect(error?.message.sqlState == "42P01")
        #expect(try connection.texts("SHOW search_path") == ["pg_catalog, pg_temp"])
      }

      @Test(arguments: ["PUBLIC", "{T}"])
      func `nothing is built in a schema where others can create objects`(role: String) throws {
        try connection.execute("CREATE ROLE \(target)")
        let schema = try newSchema(on: connection)
        let name = role.replacing("{T}", with: target)
        try connection.execute("GRANT CREATE ON SCHEMA \(schema) TO \(name)")
        let error = #expect(throws: PostgreSQLError.self) { try connection.building(in: schema) {} }
        #expect(error?.kind == .foreign)
        #expect(
          error?.message.text
            == "Other roles can create objects in the schema \"\(schema)\", which the run is building: \(name)"
        )
      }

      @Test func `a new schema gets its default grants when it is published`() throws {
        let database = target
        try connection.execute("CREATE DATABASE \(database)")
        let own = try PostgreSQLConnection("host=\(server.folder) user=postgres dbname=\(database)")
        try own.execute(
          "CREATE ROLE \(target); ALTER DEFAULT PRIVILEGES GRANT CREATE, USAGE ON SCHEMAS TO \(target)"
        )
        defer { try? own.execute("ALTER DEFAULT PRIVILEGES REVOKE ALL ON SCHEMAS FROM \(target)") }
        let candidate = try CandidateSchema(replacing: target, madeBy: "x", on: own)
        func privileges(on schema: String) throws -> [[String?]] {
          try own.query(
            "SELECT has_schema_privilege($1, $2, 'CREATE'), has_schema_privilege($1, $2, 'USAGE')",
            [target, schema])
        }
        #expect(try privileges(on: candidate.name) == [["f", "f"]])
        #expect(try candidate.publish() == nil)
        #expect(try privileges(on: target) == [["t", "t"]])
      }
    }
  }
#endif
