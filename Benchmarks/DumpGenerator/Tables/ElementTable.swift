/// The rows of elements, in no order.
struct ElementTable {
  private struct Element {
    var id: Int
    var part: Int
    var color: Int
    var hasDesign: Bool
  }

  private var elements: [Element] = []
  private let parts: PartTable
  private let colors: ColorTable

  init(count: Int, parts: PartTable, colors: ColorTable, random: RandomSource) {
    var random = random
    self.parts = parts
    self.colors = colors
    var id = 300_100
    for index in 0..<count {
      id += random.number(in: 1...40)
      if index == count / 20 { id = max(id, 4_100_000) }
      if index == count / 2 { id = max(id, 6_000_000) }
      // The last one does not fit into 32 bits.
      if index == count - 1 { id = max(id, 6_537_887_647) }
      elements.append(
        Element(
          id: id, part: random.number(below: parts.count),
          color: random.number(below: colors.count),
          hasDesign: random.happens(percent: 74)))
    }
    random.shuffle(&elements)
  }

  func write(to rows: inout RowWriter) throws(DumpError) {
    for (index, element) in elements.enumerated() {
      // An id of the real dump of June 2020.
      if index == 1, rows.era == .june2020 { rows.add("testing") } else { rows.add(element.id) }
      rows.add(plain: parts.numbers[element.part])
      rows.add(colors.ids[element.color])
      if rows.era == .today { addDesign(of: element, to: &rows) }
      try rows.endRow()
    }
  }

  /// Adds the design id, the number of the mold without the letters after it.
  private func addDesign(of element: Element, to rows: inout RowWriter) {
    let number = parts.numbers[element.part]
    let digits = number.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard element.hasDesign, digits.first != UInt8(ascii: "0") else { return rows.addNothing() }
    rows.add(plain: digits)
  }
}
