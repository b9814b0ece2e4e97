import Synchronization

/// A regular expression as a table of states, with one step per character.
///
/// The time to match is proportional to the length of the text, for any expression.
package struct TextPattern: Sendable {
  private static let maximumStates = 2_000
  /// The maximum number of steps to compute them, which takes a few hundredths of a second.
  private static let maximumSteps = 500_000
  /// Compiled expressions: many columns use the same one, more than once each.
  private static let known = Mutex<[String: Known]>([:])
  private static let maximumKnown = 256
  /// The maximum number of characters of an expression in a message.
  private static let shown = 200

  package private(set) var columnOfASCII = [UInt8](repeating: 1, count: 128)
  /// The first scalars of ranges that share a column, in order, and those columns.
  private var firstScalars: [UInt32] = []
  private var columns: [UInt8] = []
  /// For each state, whether a text may end there, and for each column from 1 the start of the next
  /// state; the first state means no match.
  package private(set) var table: [UInt32] = []
  package private(set) var start = 0

  private init(_ node: PatternNode) throws(PatternFault) {
    let automaton = try PatternAutomaton(node)
    let members = try setColumns(automaton.sets)
    var builder = Builder(automaton: automaton, members: members)
    table = try builder.table()
    start = members.count + 1
  }

  /// Compiles a regular expression of XML Schema; nil if it has faults.
  package init?(_ pattern: String) {
    do throws(PatternFault) { self = try Self.read(pattern) } catch { return nil }
  }

  private static func read(_ pattern: String) throws(PatternFault) -> TextPattern {
    let found = known.withLock { $0[pattern] } ?? Known(pattern)
    known.withLock { known in
      if known.count >= maximumKnown { known.removeAll() }
      known[pattern] = found
    }
    guard let read = found.read else { throw found.fault ?? PatternAutomaton.tooLarge }
    return read
  }

  /// The result for a pattern; a leak sanitizer cannot trace a `Result`.
  private struct Known {
    var read: TextPattern?
    var fault: PatternFault?

    init(_ pattern: String) {
      do throws(PatternFault) {
        read = try TextPattern(PatternParser.parse(pattern))
      } catch {
        fault = error
      }
    }
  }

  package static func faults(in pattern: String) -> [String] {
    do throws(PatternFault) {
      _ = try read(pattern)
      return []
    } catch {
      let isShort = pattern.unicodeScalars.dropFirst(shown).isEmpty
      let beginning = String(pattern.unicodeScalars.prefix(shown)) + (isShort ? "" : "...")
      return ["pattern \(beginning) \(error.message)"]
    }
  }

  package func column(of scalar: UInt32) -> UInt8 {
    var (low, high) = (0, firstScalars.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if firstScalars[middle] <= scalar { low = middle } else { high = middle }
    }
    return columns[low]
  }

  /// Assigns one column, from 1, to all scalars that are in the same sets; returns for each column
  /// whether each set has its scalars.
  private mutating func setColumns(_ sets: [ScalarSet]) throws(PatternFault) -> [[Bool]] {
    var starts: Set<UInt32> = [0]
    for range in sets.flatMap(\.ranges) {
      starts.formUnion([range.lowerBound, range.upperBound + 1])
    }
    firstScalars = starts.sorted()
    var numbers: [[Bool]: Int] = [:]
    var members: [[Bool]] = []
    var places = [Int](repeating: 0, count: sets.count)
    for scalar in firstScalars {
      let isMember = sets.indices.map { set in
        let ranges = sets[set].ranges
        while places[set] < ranges.count, ranges[places[set]].upperBound < scalar {
          places[set] += 1
        }
        return places[set] < ranges.count && ranges[places[set]].contains(scalar)
      }
      let number = numbers[isMember, default: members.count]
      if number == members.count {
        numbers[isMember] = number
        members.append(isMember)
      }
      guard number < 255 else { throw PatternAutomaton.tooLarge }
      columns.append(UInt8(number + 1))
    }
    for scalar in columnOfASCII.indices { columnOfASCII[scalar] = column(of: UInt32(scalar)) }
    return members
  }

  private struct Builder {
    let automaton: PatternAutomaton
    /// For each column, whether each set of the automaton has its scalars.
    let members: [[Bool]]
    var numbers: [[Int32]: Int] = [[]: 0]
    var states: [[Int32]] = [[]]
    var steps = 0

    mutating func table() throws(PatternFault) -> [UInt32] {
      var table: [UInt32] = []
      let width = UInt32(members.count + 1)
      _ = try number(of: [0])
      var state = 0
      while state < states.count {
        guard states.count <= maximumStates else { throw PatternAutomaton.tooLarge }
        let edges = states[state].flatMap { automaton.states[Int($0)].edges }
        table.append(states[state].contains(Int32(automaton.end)) ? 1 : 0)
        for isMember in members {
          let targets = edges.compactMap { isMember[$0.set] ? $0.target : nil }
          table.append(UInt32(try number(of: targets)) * width)
        }
        state += 1
      }
      return table
    }

    /// The number of the set with these states and everything reached from them without a character.
    private mutating func number(of targets: [Int]) throws(PatternFault) -> Int {
      var found = Set(targets)
      var open = Array(found)
      while let state = open.popLast() {
        for target in automaton.states[state].free where found.insert(target).inserted {
          open.append(target)
        }
      }
      steps += found.count + 1
      guard steps <= maximumSteps else { throw PatternAutomaton.tooLarge }
      let set = found.map { Int32($0) }.sorted()
      if let number = numbers[set] { return number }
      numbers[set] = states.count
      states.append(set)
      return states.count - 1
    }
  }
}

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
