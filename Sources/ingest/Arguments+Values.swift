import Vocabulary
import IngestReport

/// A limit for a whole run, such as `5`, or for one table, such as `parts=5`.
private struct Limit {
  let table: String?
  let value: String

  init(_ text: String, of option: String, tables: [String]) throws(UsageError) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    value = String(parts[parts.count - 1])
    table = parts.count > 1 ? String(parts[0]) : nil
    if let table { try require(table, isOneOf: tables, for: option) }
  }

  /// The value in percent; nil if it is not a percentage.
  var percent: Double? {
    let digits = value.dropLast()
    // Double would also accept 0x10 and 1e1.
    guard value.hasSuffix("%"), digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 || $0 == 0x2e }),
      let percent = Double(digits), 0...100 ~= percent
    else { return nil }
    return percent
  }
}

extension RejectLimits {
  mutating func parse(_ text: String, tables: [String]) throws(UsageError) {
    let limit = try Limit(text, of: "--max-rejects", tables: tables)
    let value: RejectLimit
    if let percent = limit.percent {
      value = .percent(percent)
    } else if let count = Int(limit.value), count >= 0 {
      value = .records(count)
    } else {
      throw .invalidValue(
        text, of: "--max-rejects",
        expected:
          "a number such as 20, a share of all records such as 0.1%, or either for one table, such as parts=20"
      )
    }
    if let table = limit.table { self.tables[table] = value } else { run = value }
  }
}

extension PercentLimits {
  /// Parses a limit of `counted`, which are rows or keys.
  mutating func parse(
    _ text: String, of option: String, _ counted: String, tables: [String]
  ) throws(UsageError) {
    let limit = try Limit(text, of: option, tables: tables)
    guard let percent = limit.percent else {
      throw .invalidValue(
        text, of: option,
        expected:
          "a share of the \(counted) such as 20%, or one for a table, such as parts=20%; 100% allows all"
      )
    }
    if let table = limit.table { self.tables[table] = percent } else { run = percent }
  }
}

extension AllowedMissing {
  mutating func parse(_ name: String, tables: [String]) throws(UsageError) {
    guard name != "all" else { return self = .all }
    try require(name, isOneOf: tables, for: "--allow-missing")
    if case .tables(let names) = self { self = .tables(names.union([name])) }
  }
}

extension Arguments {
  static func seconds(_ text: String) throws(UsageError) -> Double {
    // At most a day: a longer wait is most likely a mistake.
    if let seconds = Int(text), 0...86_400 ~= seconds { return Double(seconds) }
    throw .invalidValue(text, of: "--wait", expected: "whole seconds from 0 to 86400")
  }

  /// The seconds of an age such as 36h or 3d, of at most a hundred years.
  static func age(_ text: String) throws(UsageError) -> Int? {
    let units: [Character: Int] = ["h": 3600, "d": 86_400]
    if let unit = text.last.flatMap({ units[$0] }), let count = Int(text.dropLast()),
      1...36_500 * 24 ~= count, text.utf8.dropLast().allSatisfy({ 0x30...0x39 ~= $0 })
    {
      return count * unit
    }
    throw UsageError(
      message: "invalid value '\(text)' for --max-age: expected hours or days, such as 36h or 3d")
  }

  static func memory(_ text: String) throws(UsageError) -> Int {
    let units = ["K": 10, "M": 20, "G": 30]
    let shift = text.last.flatMap { units[String($0)] }
    let digits = shift == nil ? text[...] : text.dropLast()
    // At most a terabyte, more than any machine has for this.
    if digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let number = Int(digits),
      0...1 << 40 ~= number, 1...1 << 40 ~= number << (shift ?? 0)
    {
      return number << (shift ?? 0)
    }
    throw .invalidValue(
      text, of: "--max-key-memory", expected: "bytes, or a number with K, M or G, such as 256M")
  }

  static func metricsFile(_ path: String) throws(UsageError) -> ReportFile {
    if let file = ReportFile(path, [.prom]) { return file }
    throw .invalidValue(
      path, of: "--metrics", expected: "a name ending in .prom, which node exporter requires")
  }

  static func reportFile(_ path: String) throws(UsageError) -> ReportFile {
    if let file = ReportFile(path) { return file }
    throw .invalidValue(
      path, of: "--report",
      expected: "a name ending in .json or .html, or 'json:-' for standard output")
  }
}

func require(
  _ name: String, isOneOf tables: [String], for option: String
) throws(UsageError) {
  guard !tables.contains(name), !tables.isEmpty else { return }
  throw UsageError(
    message: "unknown table '\(name)' for \(option); the tables are "
      + tables.joined(separator: ", "))
}
