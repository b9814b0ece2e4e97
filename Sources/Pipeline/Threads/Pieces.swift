/// Does pieces of work on this thread and another, each of which takes the next piece when it is done with one.
///
/// Which of them does a piece must make no difference. This thread does all of them if the system makes no other. The
/// longest should come first, so that neither thread is left with one.
///
/// - Returns: What each piece came to, in their order.
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
