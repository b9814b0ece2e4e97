import CSV
import SQLiteSwiftly

/// Finds the records of a table that refers to itself whose parents will be there, too.
///
/// A child may come before its parent, and a record without a parent leaves its own children without
/// one. So such a dump is read twice: once to note who refers to whom, and once to load. Memory is
/// proportional to the table.
struct SelfReferenceSurvey {
  /// A key, as it compares: an integer's bits, or the bytes of a text.
  enum Key: Hashable {
    case integer(UInt64)
    case text([UInt8])
  }

  private var owners: [Key] = []
  private var children: [Key: [Int]] = [:]
  /// How many records with the key could still be loaded.
  private var alive: [Key: Int] = [:]

  /// Notes a record that is sound but for its parents, which are not looked at yet.
  mutating func note(_ key: Key, parents: [Key]) {
    for parent in parents { children[parent, default: []].append(owners.count) }
    owners.append(key)
    alive[key, default: 0] += 1
  }

  /// Returns the keys of the records that have all their parents, however far up.
  consuming func survivors() -> [Key] {
    var isAlive = [Bool](repeating: true, count: owners.count)
    var gone = children.keys.filter { alive[$0] == nil }
    while let parent = gone.popLast() {
      for child in children[parent] ?? [] where isAlive[child] {
        isAlive[child] = false
        let key = owners[child]
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
