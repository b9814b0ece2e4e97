/// The words in the name of a table or a column: `part_categories` and `PartCategory` have the same two.
struct NameWords: Equatable {
  let words: [String]

  /// Words that only mark a key.
  private static let keyWords: Set<String> = [
    "id", "num", "number", "no", "code", "key", "uuid", "guid", "ref",
  ]
  /// Other words that can name a column of any table.
  private static let commonWords: Set<String> = ["name", "title", "label", "type", "date"]
  /// Roles that refer to a row of the same table.
  private static let kinWords: Set<String> = ["parent", "previous", "next", "replaced"]
  private static let leastAbbreviation = 3

  init(_ name: String) {
    var words: [String] = []
    var word = ""
    var wasLower = false
    for character in name {
      if word.isEmpty || !(character.isLetter || character.isNumber)
        || (character.isUppercase && wasLower)
      {
        if !word.isEmpty { words.append(Self.singular(word)) }
        word = ""
      }
      if character.isLetter || character.isNumber { word += character.lowercased() }
      wasLower = character.isLowercase
    }
    if !word.isEmpty { words.append(Self.singular(word)) }
    self.words = words
  }

  /// The singular of an English noun by the usual rules; a wrong one is harmless, since it is only compared with others
  /// made the same way.
  private static func singular(_ word: String) -> String {
    for (ending, replacement) in [("ies", "y"), ("sses", "ss"), ("xes", "x"), ("ches", "ch")]
    where word.hasSuffix(ending) && word.count > ending.count {
      return word.dropLast(ending.count) + replacement
    }
    let isPlural = word.hasSuffix("s") && !word.hasSuffix("ss") && word.count > 2
    return isPlural ? String(word.dropLast()) : word
  }

  /// Whether it ends like the name of a key: `id`, `set_num`, `country_code`.
  var isKeyLike: Bool { words.last.map(Self.keyWords.contains) ?? false }

  /// The words without that of a key: `theme` of `theme_id`, and nothing of `id`.
  var subject: ArraySlice<String> { isKeyLike ? words.dropLast() : words[...] }

  func contains(anyOf others: Set<String>) -> Bool { words.contains(where: others.contains) }

  /// Whether it names the key of a table, with or without the name of that table.
  func isKeyName(of table: NameWords) -> Bool {
    isKeyLike && (subject.isEmpty || table.words.hasSuffix(subject))
  }

  func isNamedAfter(_ other: NameWords) -> Bool {
    isKeyLike && !subject.isEmpty
      && (Self.abbreviates(subject, other.words) || subject.hasSuffix(other.words))
  }

  /// How well the name of a column of `table` suits a reference to the key of `parent`, from 0 to 1.
  func fit(
    in table: NameWords, to key: NameWords, of parent: NameWords, isSelf: Bool
  ) -> Double {
    let isOwnName = key.words.count > 1 || !(key.isKeyLike || key.contains(anyOf: Self.commonWords))
    if isSelf {
      return words != key.words && words.first.map(Self.kinWords.contains) == true ? 0.9 : 0
    }
    if isOwnName, words == key.words { return key.isKeyName(of: parent) ? 1 : 0.85 }
    if isKeyLike, key.isKeyLike, words.last == key.words.last, !subject.isEmpty {
      if subject.elementsEqual(parent.words) { return 1 }
      if Self.abbreviates(subject, parent.words) { return 0.9 }
      if subject.hasSuffix(parent.words) { return 0.8 }
      if parent.words.hasSuffix(subject) { return 0.7 }
    }
    if isOwnName, words[...].hasSuffix(key.words) { return 0.8 }
    return words == parent.words ? 0.7 : 0
  }

  /// Whether each word equals or begins the corresponding one: `part_cat` for `part_category`.
  private static func abbreviates(_ short: ArraySlice<String>, _ long: [String]) -> Bool {
    short.count == long.count
      && zip(short, long).allSatisfy { short, long in
        short == long || (short.count >= leastAbbreviation && long.hasPrefix(short))
      }
  }
}

extension Collection where Element == String, Self: BidirectionalCollection {
  fileprivate func hasSuffix(_ other: some BidirectionalCollection<String>) -> Bool {
    count >= other.count && suffix(other.count).elementsEqual(other)
  }
}
