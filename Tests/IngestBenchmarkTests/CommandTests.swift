import Testing

@testable import ingest_benchmark

struct CommandTests {
  @Test func `the help goes to standard output`() throws {
    let bench = try Bench()
    let outcome = try ChildProcess.run(bench.workbench.executable, ["--help"])
    #expect(outcome.output == Arguments.usage)
  }

  @Test(arguments: [
    (["--oops"], 64), (["do-the-whole-job", "/none"], 64),
    (["do-the-whole-job", "/none", "/none/out", "tables and indexes"], 70),
    (["fill-the-tables", "/none"], 64),
  ])
  func `a failure has its exit status`(arguments: [String], status: Int) throws {
    let bench = try Bench()
    let failure = #expect(throws: Failure.self) {
      try ChildProcess.run(bench.workbench.executable, arguments)
    }
    #expect(failure?.message.hasSuffix(" ended with exit status \(status)") == true)
  }

  #if DEBUG
    @Test func `a debug build refuses to measure`() throws {
      let bench = try Bench()
      let failure = #expect(throws: Failure.self) {
        try ChildProcess.run(bench.workbench.executable, [])
      }
      #expect(failure?.message.hasSuffix(" ended with exit status 64") == true)
    }
  #endif
}
