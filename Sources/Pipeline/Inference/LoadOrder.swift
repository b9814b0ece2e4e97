/// Orders tables so that those referred to come first.
struct LoadOrder {
  struct Edge: Equatable {
    let child: Int
    let parent: Int
    let weight: Double
  }

  /// The tables, parents first, and otherwise in their original order.
  let order: [Int]
  /// The weakest reference of each circle, which is dropped.
  let dropped: [Edge]

  init(tables count: Int, _ edges: [Edge]) {
    var edges = edges.filter { $0.child != $0.parent }
    var dropped: [Edge] = []
    var order: [Int] = []
    while order.count < count {
      let rest = (0..<count).filter { !order.contains($0) }
      let next = rest.first { table in
        edges.allSatisfy { $0.child != table || order.contains($0.parent) }
      }
      if let next {
        order.append(next)
      } else if let weakest = Self.weakest(ofCircleIn: rest, edges) {
        edges.removeAll { $0 == weakest }
        dropped.append(weakest)
      }
    }
    self.order = order
    self.dropped = dropped
  }

  /// The weakest reference of a circle; nil unless every table of `rest` refers to another one of them.
  private static func weakest(ofCircleIn rest: [Int], _ edges: [Edge]) -> Edge? {
    let inside = edges.filter { rest.contains($0.child) && rest.contains($0.parent) }
    var way: [Edge] = []
    var table = rest[0]
    while let edge = inside.first(where: { $0.child == table }) {
      if let start = way.firstIndex(where: { $0.child == table }) {
        return way[start...].min { $0.weight < $1.weight }
      }
      way.append(edge)
      table = edge.parent
    }
    return nil
  }
}
