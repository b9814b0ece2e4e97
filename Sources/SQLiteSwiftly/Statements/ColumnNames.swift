/// Finds columns by name, ignoring the case of ASCII letters, as SQLite does.
///
/// Programs request the same names in the same order for each row. Requested names are remembered
/// in that order, so that one comparison replaces a search.
struct ColumnNames {
  private static let limit = 128

  private let names: [String]
  private var asked: [Asked] = []
  private var next = 0

  private struct Asked {
    let name: String
    let place: Int
    let isASCII: Bool

    init(_ name: String, place: Int) {
      self.name = name
      self.place = place
      isASCII = name.utf8.allSatisfy { $0 < 0x80 }
    }

    @inline(__always)
    func isFor(_ other: String) -> Bool {
      // Strings are also equal in different normal forms. ASCII text has no other form of the same
      // length, and comparing strings takes a tenth of the time for it.
      isASCII
        ? other.utf8.count == name.utf8.count && other == name : haveSameBytes(other, name)
    }
  }

  init(_ names: [String]) { self.names = names }

  /// The index of the only column of that name; nil if there is none or more than one.
  mutating func place(of name: String) -> Int? {
    if next < asked.count, asked[next].isFor(name) { return remembered(next) }
    return search(name)
  }

  private mutating func search(_ name: String) -> Int? {
    if let known = asked.firstIndex(where: { $0.isFor(name) }) { return remembered(known) }
    let places = names.indices.filter { areSameName(names[$0], name) }
    guard places.count == 1 else { return nil }
    if asked.count < Self.limit { asked.append(Asked(name, place: places[0])) }
    next = 0
    return places[0]
  }

  @inline(__always)
  private mutating func remembered(_ index: Int) -> Int {
    next = index + 1 == asked.count ? 0 : index + 1
    return asked[index].place
  }
}
