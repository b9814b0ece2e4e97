#if PostgreSQL
  import Testing

  @testable import PostgreSQL

  @Suite struct ConnectionStringTests {
    @Test(arguments: [
      "postgresql://ada:s3cret@[::1/lego", "postgresql://ada:s3cret@host/lego?connect_timeout",
      "postgresql://ada:s3c%ret@host/lego", "postgresql://ada:s3cret%00@host/lego",
      "postgresql://ada:s3@cret@host/lego", "postgresql://ada:s3/cret@host/lego",
      "postgresql://ada:1/s3cret@host/lego", "postgresql://ada:s3/cret?x@host/lego",
      "host=host password=my s3cret", "host=host password='s3cret", "s3cret",
      "postgresql://ada@host:s3cret/lego",
      "host=host s3cret=1", "postgresql://ada:777777/lego", "postgresql://ada:s3\"cret@[::1/lego",
      "host=h\0ost password=s3cret", "postgresql://ada%3As3cret@host/lego",
      "postgresql://ada%3As3cret/lego", "host=host dbname='lego password=s3cret'",
      "postgresql://host/lego?PASSWORD=s3cret", "postgresql://ada:p@s3/cret@host/lego",
      "postgresql://host/lego?dbname=postgres%3A//ada%3As3cret",
    ])
    func `no part of a password is told`(string: String) throws {
      let error = try #require(throws: PostgreSQLError.self) {
        try ConnectionString.validate(string)
      }
      #expect(error.kind == .misuse)
      #expect(!"\(error)".contains("s3"), "\(error)")
      #expect(!"\(error)".contains("cret"), "\(error)")
      #expect(!"\(error)".contains("777"), "\(error)")
    }

    @Test func `what is wrong is told`() throws {
      let error = try #require(throws: PostgreSQLError.self) {
        try ConnectionString.validate("host=host password=my s3cret")
      }
      #expect(
        error.message.text
          == "The connection string cannot be read: missing \"=\" after … in connection info string"
      )
    }

    @Test(arguments: [
      "postgresql://", "postgresql:///lego?host=/run/postgresql",
      "postgresql://ada:p%40ss@db.example:5433/lego",
      "host=a,b,c port=5432,,5433 dbname=lego", "service=nightly", "user=ada@server", "",
      "postgresql://[2001:db8::1]:5432/lego?sslmode=verify-full",
      "postgresql://ada:s3?cret@host/lego", "host=fe80::1%eth0,10.0.0.1,db.example",
    ])
    func `what libpq takes is taken`(string: String) {
      #expect(throws: Never.self) { try ConnectionString.validate(string) }
    }
  }
#endif
