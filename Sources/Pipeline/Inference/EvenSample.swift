/// At most a number of elements of a sequence, evenly spread over all that were added.
struct EvenSample<Element> {
  private(set) var elements: [Element] = []
  private let most: Int
  private var distance = 1
  private var added = 0

  init(most: Int) { self.most = most }

  /// Adds the next element, which is made only if it is kept.
  mutating func add(_ element: @autoclosure () -> Element) {
    defer { added += 1 }
    guard added.isMultiple(of: distance) else { return }
    if elements.count == most {
      distance *= 2
      elements = stride(from: 0, to: most, by: 2).map { elements[$0] }
      guard added.isMultiple(of: distance) else { return }
    }
    elements.append(element())
  }
}
