package import Threads
import Files

/// Starts a thread of a run, as `Worker` does.
package func startWorker<Value: Sendable>(
  _ name: String, _ body: @escaping @Sendable () -> Value
) throws(IngestError) -> Worker<Value> {
  do throws(ThreadError) {
    return try Worker(name, body)
  } catch {
    throw IngestError(
      .inputOutput,
      "the system makes no thread for the \(error.name): \(FileError(code: error.code).message). Nothing "
        + "was published; let this user have more processes (ulimit -u) or more memory.")
  }
}
