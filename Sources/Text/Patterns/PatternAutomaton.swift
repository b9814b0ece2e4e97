/// A regular expression as a nondeterministic automaton between characters (Thompson, "Regular
/// expression search algorithm", Communications of the ACM 11, 1968).
struct PatternAutomaton {
  /// The maximum number of states; nested repetitions could need millions.
  static let maximumStates = 5_000
  /// The maximum number of parts to add; repetitions of nothing need no state.
  private static let maximumParts = 50_000

  struct State {
    var edges: [(set: Int, target: Int)] = []
    var free: [Int] = []
  }

  private(set) var states = [State()]
  private(set) var end = 0
  private(set) var sets: [ScalarSet] = []

  private var parts = 0

  init(_ node: PatternNode) throws(PatternFault) { end = try add(node, from: 0) }

  static var tooLarge: PatternFault {
    PatternFault(message: "is too large, because its repetitions multiply")
  }

  private mutating func newState() throws(PatternFault) -> Int {
    guard states.count < Self.maximumStates else { throw Self.tooLarge }
    states.append(State())
    return states.count - 1
  }

  /// Returns the end state of the part.
  private mutating func add(_ node: PatternNode, from start: Int) throws(PatternFault) -> Int {
    parts += 1
    guard parts <= Self.maximumParts else { throw Self.tooLarge }
    switch node {
    case .set(let set):
      let end = try newState()
      let number = sets.firstIndex(of: set) ?? sets.count
      if number == sets.count { sets.append(set) }
      states[start].edges.append((number, end))
      return end
    case .sequence(let nodes):
      var state = start
      for node in nodes { state = try add(node, from: state) }
      return state
    case .choice(let nodes):
      let end = try newState()
      for node in nodes {
        let first = try newState()
        states[start].free.append(first)
        let last = try add(node, from: first)
        states[last].free.append(end)
      }
      return end
    case .repetition(let node, let least, let most):
      return try add(node, least, most, from: start)
    }
  }

  private mutating func add(
    _ node: PatternNode, _ least: Int, _ most: Int?, from start: Int
  ) throws(PatternFault) -> Int {
    var state = start
    for _ in 0..<least { state = try add(node, from: state) }
    let end = try newState()
    if let most {
      for _ in least..<most {
        states[state].free.append(end)
        state = try add(node, from: state)
      }
    } else {
      let first = try newState()
      states[state].free.append(first)
      let last = try add(node, from: first)
      states[last].free.append(first)
      state = first
    }
    states[state].free.append(end)
    return end
  }
}
