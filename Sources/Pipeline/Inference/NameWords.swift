/// The words in the name of a table or a column: `part_categories` and `PartCategory` have the same two.
struct NameWords {
  let name: String
  let words: [String]

  /// Words that only mark a key, also in some other languages.
  private static let keyWords: Set<String> = [
    "id", "num", "number", "no", "code", "key", "uuid", "guid", "ref", "identifier", "oid", "pk",
    "nr",
    "nummer", "codigo", "código", "clave", "kode",
  ]
  /// Those that also come first, as in `id_cliente` and `codigo_ibge`.
  private static let firstKeyWords: Set<String> = ["id", "cod", "codigo", "código", "clave"]
  /// Words of numbers and codes that are attributes of a row, such as a telephone number.
  private static let attributeWords: Set<String> = [
    "phone", "telephone", "phonecode", "fax", "zip", "postal", "postcode", "dial", "vat", "tax",
  ]
  /// Other words that can name a column of any table.
  private static let commonWords: Set<String> = ["name", "title", "label", "type", "date"]
  /// Roles that refer to a row of the same table.
  private static let kinWords: Set<String> = ["parent", "previous", "next", "replaced"]
  static let leastAbbreviation = 3

  init(_ name: String) {
    self.name = name
    var words: [String] = []
    var word = ""
    var wasLower = false
    for character in name {
      if word.isEmpty || !(character.isLetter || character.isNumber)
        || (character.isUppercase && wasLower)
      {
        words += Self.parts(of: word)
        word = ""
      }
      if character.isLetter || character.isNumber { word += character.lowercased() }
      wasLower = character.isLowercase
    }
    self.words = words + Self.parts(of: word)
    isKeyLike = (endsLikeKey || beginsLikeKey) && !contains(anyOf: Self.attributeWords)
    subject = subjectOfKey
  }

  /// Words of at least six letters that end in `id` and are not an identifier, such as `playerid`.
  private static let wordsWithID: Set<String> = [
    "android", "asteroid", "hybrid", "invalid", "liquid", "madrid", "orchid", "prepaid", "pyramid",
    "steroid", "stupid", "unpaid",
  ]

  /// The word in the singular, with `id` at its end as another word; nothing of an empty one.
  private static func parts(of word: String) -> [String] {
    guard !word.isEmpty else { return [] }
    guard word.count >= 6, word.hasSuffix("id"), !wordsWithID.contains(word) else {
      return [singular(word)]
    }
    return [singular(String(word.dropLast(2))), "id"]
  }

  /// A wrong singular is harmless, since it is only compared with others made the same way.
  private static func singular(_ word: String) -> String {
    // The same of `movie` as of `movies`.
    if word.hasSuffix("ie") { return word.dropLast(2) + "y" }
    if word.hasSuffix("ies") && word.count > 3 { return word.dropLast(3) + "y" }
    if ["sses", "xes", "ches"].contains(where: word.hasSuffix) { return String(word.dropLast(2)) }
    let isPlural = word.hasSuffix("s") && !word.hasSuffix("ss") && word.count > 2
    return isPlural ? String(word.dropLast()) : word
  }

  /// Whether it ends like the name of a key: `id`, `set_num`, `country_code`.
  private(set) var isKeyLike = false
  /// The words without that of a key: `theme` of `theme_id`, and nothing of `id`.
  private(set) var subject: ArraySlice<String> = []

  private var endsLikeKey: Bool { words.last.map(Self.keyWords.contains) == true }

  private var beginsLikeKey: Bool { words.first.map(Self.firstKeyWords.contains) == true }

  private var keyWord: String? { endsLikeKey ? words.last : words.first }

  /// Whether its digits are not a number: those of `country_code` may begin with 0, and the next one may have a letter.
  var isOfCodes: Bool {
    ["code", "text"].contains(words.last) || contains(anyOf: Self.attributeWords)
  }

  /// Words of quantities that are measured: a later one may have decimals.
  private static let measureWords: Set<String> = [
    "weight", "height", "length", "width", "depth", "area", "volume", "distance", "elevation",
    "altitude", "latitude", "longitude", "lat", "lon", "lng", "price", "amount", "cost", "fee",
    "rate", "ratio", "percent", "percentage", "pct", "temperature", "pressure", "speed",
    "capacity", "power", "energy", "mass", "avg", "average", "mean", "median", "mw", "kw", "mwh",
    "kwh", "mvar", "mbtu", "kg", "km", "cm", "mm", "meter", "celsius", "usd", "eur",
  ]

  var isOfMeasures: Bool { !isKeyLike && contains(anyOf: Self.measureWords) }

  /// Whether it ends like the name of a key of another table: `family_id`, not `id`.
  var isReferenceLike: Bool { isKeyLike && words.count > 1 }

  private var subjectOfKey: ArraySlice<String> {
    guard isKeyLike else { return words[...] }
    let subject = endsLikeKey ? words.dropLast() : words.dropFirst()
    return subject == ["unique"] ? [] : subject
  }

  func contains(anyOf others: Set<String>) -> Bool { words.contains(where: others.contains) }

  /// Whether it names the key of a table, with or without the name of that table.
  func isKeyName(of table: NameWords) -> Bool {
    isKeyLike && (subject.isEmpty || table.words.hasSuffix(subject))
  }

  func isNamedAfter(_ other: NameWords) -> Bool {
    isKeyLike && !subject.isEmpty
      && (Self.abbreviates(subject, other.words) || subject.hasSuffix(other.words)
        || other.words.hasSuffix(subject))
  }

  /// Whether it names a key also in another table.
  var isOwnName: Bool { words.count > 1 || !(isKeyLike || contains(anyOf: Self.commonWords)) }

  /// How well the name of a column of `table` suits a reference to the key of `parent`, from 0 to 1.
  func fit(in table: NameWords, to key: NameWords, of parent: NameWords, isSelf: Bool) -> Double {
    let isOwnName = key.isOwnName
    if isSelf {
      let isKin = words.first.map(Self.kinWords.contains) == true
      return words != key.words && (isKin || isOwnName && words[...].hasSuffix(key.words)) ? 0.9 : 0
    }
    if isOwnName, words == key.words { return key.isKeyName(of: parent) ? 1 : 0.85 }
    if isKeyLike, key.isKeyLike, keyWord == key.keyWord, !subject.isEmpty {
      if subject.elementsEqual(parent.words) { return 1 }
      if Self.abbreviates(subject, parent.words) { return 0.9 }
      if subject.hasSuffix(parent.words) { return 0.8 }
      if parent.words.hasSuffix(subject) { return subject.count > 1 ? 0.88 : 0.7 }
    }
    if isOwnName, words[...].hasSuffix(key.words) { return key.isKeyName(of: parent) ? 0.8 : 0.75 }
    if isKeyLike, key.isKeyLike, keyWord == key.keyWord, isRole(of: parent, in: table) {
      return 0.85
    }
    return words[...].hasSuffix(parent.words) ? 0.7 : 0
  }

  /// Whether it names a row of `parent` by a role and by the last words of the table, of which the first are in the name
  /// of the column's table: `required_stat_id` in `conquest_evolution` refers to `conquest_stats` rather than to `stats`.
  private func isRole(of parent: NameWords, in table: NameWords) -> Bool {
    let shared = zip(subject.reversed(), parent.words.reversed()).prefix { $0 == $1 }.count
    let rest = parent.words.dropLast(shared)
    return shared > 0 && subject.count > shared && !rest.isEmpty
      && rest.allSatisfy(table.words.contains)
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
