/// Runs pieces of work on this thread and another, each of which starts the next piece when it has finished one.
///
/// Either thread must be able to run any piece; this one runs all of them if the system cannot start another. The longest
/// should come first, so that both threads finish together.
///
/// - Returns: The results of the pieces, in order.
package func onTwoThreads<Value: Sendable>(
  _ name: String, pieces: Int, _ work: @escaping @Sendable (Int) -> Value
) -> [Value] {
  let next = Monitor(0)
  let turns = { @Sendable () -> [(piece: Int, value: Value)] in
    var done: [(Int, Value)] = []
    while true {
      let piece = next.with { next in
        defer { next += 1 }
        return next
      }
      guard piece < pieces else { return done }
      done.append((piece, work(piece)))
    }
  }
  let helper = try? Worker(name, turns)
  let done = turns() + (helper?.result() ?? [])
  return done.sorted { $0.piece < $1.piece }.map(\.value)
}
