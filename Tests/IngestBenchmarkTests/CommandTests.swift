import TestSupport
import Testing

@testable import ingest_benchmark

struct CommandTests {
  private func run(_ arguments: [String]) throws -> TestSupport.ChildProcess.Outcome {
    try TestSupport.ChildProcess(Bench().workbench.executable, arguments).run()
  }

  @Test func `the help goes to standard output`() throws {
    let outcome = try run(["--help"])
    #expect(outcome.status == 0 && outcome.output == Arguments.usage && outcome.errors == "")
  }

  @Test(
    arguments: [
      (["--oops"], 64), (["do-the-whole-job", "/none"], 64),
      (["do-the-whole-job", "/none", "/none/out", "tables and indexes"], 70),
      (["fill-the-tables", "/none"], 64),
    ] as [([String], Int32)])
  func `a failure has its exit status`(arguments: [String], status: Int32) throws {
    let outcome = try run(arguments)
    #expect(
      outcome.status == status && outcome.errors.hasPrefix("ingest-benchmark: "), "\(outcome)")
  }

  #if DEBUG
    @Test func `a debug build refuses to measure`() throws {
      #expect(try run([]).status == 64)
    }
  #endif
}
