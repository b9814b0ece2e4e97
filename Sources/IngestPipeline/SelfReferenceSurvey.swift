import CSV
import SQLiteSwiftly

/// Finds the records of a table that refers to itself whose parents will be there, too.
///
/// A child may come before its parent, and a record without a parent leaves its own children without
/// one. So such a dump is read twice: once to note who refers to whom, and once to load. Memory is
/// proportional to what is different in that respect: a record that comes again takes none.
struct SelfReferenceSurvey {
  /// A key, as it compares: an integer's bits, or the bytes of a text.
  enum Key: Hashable {
    case integer(UInt64)
    case text([UInt8])
  }

  /// A record that can be loaded only if its parents are.
  private struct Child: Hashable {
    let key: Key
    let parents: [Key]
  }

  private var roots: Set<Key> = []
  private var children: Set<Child> = []

  /// Notes a record that is sound but for its parents, which are not looked at yet.
  mutating func note(_ key: Key, parents: [Key]) {
    if parents.isEmpty {
      roots.insert(key)
    } else {
      children.insert(Child(key: key, parents: parents))
    }
  }

  /// Returns the keys of the records that have all their parents, however far up.
  consuming func survivors() -> [Key] {
    let children = Array(exchange(&self.children, with: []))
    /// How many records with the key could still be loaded.
    var alive: [Key: Int] = [:]
    for root in roots { alive[root] = 1 }
    var childrenOfParent: [Key: [Int]] = [:]
    for (index, child) in children.enumerated() {
      alive[child.key, default: 0] += 1
      for parent in child.parents { childrenOfParent[parent, default: []].append(index) }
    }
    var isAlive = [Bool](repeating: true, count: children.count)
    var gone = childrenOfParent.keys.filter { alive[$0] == nil }
    while let parent = gone.popLast() {
      for child in childrenOfParent[parent] ?? [] where isAlive[child] {
        isAlive[child] = false
        let key = children[child].key
        alive[key, default: 1] -= 1
        if alive[key] == 0 { gone.append(key) }
      }
    }
    return alive.filter { $0.value > 0 }.map(\.key)
  }
}

extension TableValidator {
  /// Notes the record that would be `row` in `survey`.
  func note(
    row: Int, of rows: borrowing RowBatch, in survey: inout SelfReferenceSurvey,
    _ bytes: Span<UInt8>
  ) {
    var parents: [SelfReferenceSurvey.Key] = []
    for column in ownReferences {
      if rows.classes[row * rows.columns + column] == RowBatch.Class.null { continue }
      parents.append(key(column, row, of: rows, bytes))
    }
    let own = table.columnIndex(table.primaryKey[0]) ?? 0
    survey.note(key(own, row, of: rows, bytes), parents: parents)
  }

  private func key(
    _ column: Int, _ row: Int, of rows: borrowing RowBatch, _ bytes: Span<UInt8>
  ) -> SelfReferenceSurvey.Key {
    guard table.columns[column].type == .text else {
      return .integer(UInt64(bitPattern: rows.values[row * rows.columns + column]))
    }
    var text: [UInt8] = []
    for index in self.text(column, row, of: rows) { text.append(bytes[index]) }
    return .text(text)
  }
}
