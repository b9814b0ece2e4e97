import Foundation

/// The expected result of a themes file, computed independently from the columns' description.
struct ThemesModel {
  /// The rows of the table by ID.
  private(set) var rows: [[String]] = []
  /// The rejected records: their numbers, with the reasons as `code column`.
  private(set) var rejects: [Int: [String]] = [:]

  /// Validates records of three fields that are valid CSV.
  init(_ records: [[String]]) {
    let ids = records.map { Self.integer($0[0]) }
    let parents = records.map {
      $0[2].isEmpty ? .some(nil) : Self.integer($0[2]).map(Optional.some)
    }
    func isSound(_ index: Int) -> Bool {
      ids[index] != nil && parents[index] != nil && Self.faultOfName(records[index][1]) == nil
    }
    var alive = records.indices.filter(isSound)
    var keys: Set<Int64> = []
    repeat {
      keys = Set(alive.compactMap { ids[$0] })
      alive.removeAll { index in
        parents[index]?.map { !keys.contains($0) } ?? false
      }
    } while keys.count > Set(alive.compactMap { ids[$0] }).count
    var taken: Set<Int64> = []
    for (index, record) in records.enumerated() {
      var reasons: [String] = []
      if let fault = Self.faultOfInteger(record[0]) { reasons.append("\(fault) id") }
      if let fault = Self.faultOfName(record[1]) { reasons.append("\(fault) name") }
      if !record[2].isEmpty {
        if let fault = Self.faultOfInteger(record[2]) {
          reasons.append("\(fault) parent_id")
        } else if let parent = Self.integer(record[2]), !keys.contains(parent) {
          reasons.append("missing-parent parent_id")
        }
      }
      if let id = ids[index], taken.contains(id) { reasons.append("duplicate-key id") }
      if reasons.isEmpty, let id = ids[index] {
        taken.insert(id)
        rows.append(record)
      } else {
        rejects[index] = reasons
      }
    }
    rows.sort { (Self.integer($0[0]) ?? 0) < (Self.integer($1[0]) ?? 0) }
  }

  /// Whether SQLite would write the number exactly like this.
  private static func integer(_ text: String) -> Int64? {
    let digits = Array(text.utf8)
    let body = digits.first == UInt8(ascii: "-") ? digits.dropFirst() : digits[...]
    guard !body.isEmpty, body.allSatisfy({ 0x30...0x39 ~= $0 }),
      digits == [0x30] || body.first != 0x30
    else { return nil }
    return Int64(text)
  }

  private static func faultOfInteger(_ text: String) -> String? {
    if text.isEmpty { return "missing-value" }
    guard integer(text) == nil else { return nil }
    let body = text.hasPrefix("-") ? text.dropFirst() : text[...]
    let isNumber = body.utf8.allSatisfy { 0x30...0x39 ~= $0 } && body.utf8.first != 0x30
    return isNumber && !body.isEmpty ? "integer-out-of-range" : "not-an-integer"
  }

  private static func faultOfName(_ text: String) -> String? {
    if text.isEmpty { return "missing-value" }
    return text.utf8.contains(0x0a) ? "wrong-format" : nil
  }
}
