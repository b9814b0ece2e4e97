/// An order in which every table follows those that it refers to.
struct TableOrder {
  /// The places of the resources; nil if there is a cycle, which is then a fault.
  private(set) var order: [Int]? = []
  private let resources: [Resource]
  private let dependencies: [[Int]]
  private let findings: Findings
  private var states: [State]
  private var way: [Int] = []

  private enum State {
    case unseen, entered, placed
  }

  init(_ resources: [Resource], _ dependencies: [[Int]], _ findings: Findings) {
    self.resources = resources
    self.dependencies = dependencies
    self.findings = findings
    states = Array(repeating: .unseen, count: resources.count)
    for place in resources.indices where order != nil { visit(place) }
  }

  /// Puts the tables that this one refers to before it.
  ///
  /// It goes as deep as there are resources, of which there are few.
  private mutating func visit(_ place: Int) {
    guard states[place] == .unseen else { return }
    states[place] = .entered
    way.append(place)
    for other in dependencies[place] where other != place {
      if states[other] == .entered {
        refuse(cycleTo: other)
        return
      }
      visit(other)
      if order == nil { return }
    }
    way.removeLast()
    states[place] = .placed
    order?.append(place)
  }

  private mutating func refuse(cycleTo place: Int) {
    let cycle = way.drop { $0 != place } + [place]
    findings.fault(
      .referenceCycle, at: resources[place].node,
      "tables refer to each other: "
        + cycle.prefix(20).map { JSON(resources[$0].name).shortened }.joined(separator: " -> "),
      expected: "tables that can be loaded one after the other: leave one of these foreign keys out"
    )
    order = nil
  }
}
