import SQLiteSwiftly
import Schema
import Validation
import Vocabulary
import Text

extension SchemaDescription {
  /// Whether a run may have to read its files again without a guess.
  var hasGuesses: Bool {
    hasInferredTypes
      || sources.contains { $0.keyGuess != nil || !$0.guessedReferences.isEmpty }
  }

  /// Corrects guesses that records contradict, and returns the warnings about them.
  ///
  /// What remains is judged by reading again: types come first, since a record with a mistyped value is nobody's parent,
  /// and then keys, to which references refer.
  mutating func correct(_ broken: [BrokenGuess]) -> [Warning] {
    let types = broken.filter { if case .type = $0.rule { true } else { false } }
    let keys = broken.filter { $0.rule == .key }
    let before = self
    return (!types.isEmpty ? types : !keys.isEmpty ? keys : references(of: broken)).compactMap {
      correct($0, of: before)
    }
  }

  /// The broken references to tables that lack no record because of another reference.
  private func references(of broken: [BrokenGuess]) -> [BrokenGuess] {
    func parent(_ guess: BrokenGuess) -> Int? {
      guard case .reference(let place) = guess.rule else { return nil }
      let name = tables[guess.table].foreignKeys[place].table
      return tables.firstIndex { haveSameBytes($0.name, name) }
    }
    let independent = broken.filter { guess in
      let parent = parent(guess)
      return !broken.contains {
        $0.table == parent && ($0.table, $0.rule) != (guess.table, guess.rule)
      }
    }
    return independent.isEmpty ? broken : independent
  }

  /// Corrects a guess of the description `before`; returns nil if it is only in doubt yet.
  private mutating func correct(
    _ guess: BrokenGuess, of before: SchemaDescription
  ) -> Warning? {
    let index = guess.table
    switch guess.rule {
    case .type(let column):
      let widened = widen(column: column, ofTable: index, to: guess.type)
      return warning(
        about: guess,
        with: widened.dropFirst().map { ($0.table, [tables[$0.table].columns[$0.column].name]) })
    case .key:
      guard sources[index].keyGuess != .holds else {
        sources[index].keyGuess = .inDoubt
        return nil
      }
      return before.warning(about: guess, with: dropKey(ofTable: index))
    case .reference(let place):
      dropReference(
        before.tables[index].foreignKeys[place].columns, ofTable: index,
        withIndex: guess.fault == .keyTooLong)
      return before.warning(about: guess)
    }
  }

  /// The warning about a guess of this description, and about the columns with which it is connected.
  private func warning(
    about guess: BrokenGuess, with others: [(table: Int, columns: [String])] = []
  ) -> Warning {
    let table = tables[guess.table]
    let columns = others.map { "\(tables[$0.table].name).\($0.columns.joined(separator: ", "))" }
    switch guess.rule {
    case .type(let index):
      let name = table.columns[index].name
      let type = guess.fault != nil && table.columns[index].type == .real ? "number" : "string"
      let reason =
        guess.fault == nil
        ? "would lose how \(guess.value) in line \(guess.line.grouped) is written"
        : "does not fit \(guess.place)"
      return Warning(
        file: guess.file, code: .typeWidened, table: table.name, column: name,
        "\(name) is loaded as a \(type), since its inferred type \(reason); to keep this, set the type of "
          + "\((["\(table.name).\(name)"] + columns).joined(separator: ", ")) to \(type) in the description",
        facts: type)
    case .key:
      let key = table.primaryKey.joined(separator: ", ")
      let reason =
        switch guess.fault {
        case .missingValue: "has no value"
        case .keyTooLong: "is too long"
        default: "is that of an earlier record"
        }
      let unchecked =
        columns.isEmpty
        ? "" : ", and references of \(columns.joined(separator: ", ")) are not checked"
      return Warning(
        file: guess.file, code: .keyDropped, table: table.name,
        "the inferred key (\(key)) is dropped in this run, since it \(reason) in \(guess.place)\(unchecked); to keep "
          + "this, remove primaryKey of \(table.name) from the description; to reject such records, remove "
          + "inferredKey",
        facts: key)
    case .reference(let index):
      let key = table.foreignKeys[index]
      let name = key.columns.joined(separator: ", ")
      return Warning(
        file: guess.file, code: .referenceDropped, table: table.name, column: name,
        "the inferred reference of \(name) to \(key.table) is dropped in this run, since \(key.table) lacks the key of "
          + "\(guess.place); to keep this, remove the foreign key from the description; to reject such records, "
          + "remove inferred from it",
        facts: key.table)
    }
  }
}

extension BrokenGuess {
  fileprivate var place: String {
    "\(records.of("record")), first in line \(line.grouped), \(value)"
  }
}
