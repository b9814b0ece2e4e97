import SourceFiles
import Facts
import IngestReport

/// A value that may be said of one table: `5`, or `parts=5`.
private struct Limit {
  let table: String?
  let value: String

  init(_ text: String, of option: String, tables: [String]) throws(UsageError) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    value = String(parts[parts.count - 1])
    table = parts.count > 1 ? String(parts[0]) : nil
    if let table { try check(table, isOneOf: tables, for: option) }
  }

  /// The share of a hundred, if it is one.
  var percent: Double? {
    let digits = value.dropLast()
    // Double would read 0x10 and 1e1, too.
    guard value.hasSuffix("%"), digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 || $0 == 0x2e }),
      let percent = Double(digits), 0...100 ~= percent
    else { return nil }
    return percent
  }
}

extension RejectLimits {
  mutating func read(_ text: String, tables: [String]) throws(UsageError) {
    let limit = try Limit(text, of: "--max-rejects", tables: tables)
    let value: RejectLimit
    if let percent = limit.percent {
      value = .percent(percent)
    } else if let count = Int(limit.value), count >= 0 {
      value = .records(count)
    } else {
      throw UsageError(
        message: "'\(text)' is no limit for --max-rejects: give a number such as 20, a share of "
          + "all records such as 0.1%, or either for one table, such as parts=20")
    }
    if let table = limit.table { self.tables[table] = value } else { run = value }
  }
}

extension ShrinkLimits {
  mutating func read(_ text: String, tables: [String]) throws(UsageError) {
    let limit = try Limit(text, of: "--max-shrink", tables: tables)
    guard let percent = limit.percent else {
      throw UsageError(
        message: "'\(text)' is no limit for --max-shrink: give a share of the rows such as 20%, or "
          + "one for a table, such as parts=20%; 100% allows every loss")
    }
    if let table = limit.table { self.tables[table] = percent } else { run = percent }
  }
}

extension AllowedMissing {
  mutating func read(_ name: String, tables: [String]) throws(UsageError) {
    guard name != "all" else { return self = .all }
    try check(name, isOneOf: tables, for: "--allow-missing")
    if case .tables(let names) = self { self = .tables(names.union([name])) }
  }
}

extension Arguments {
  static func seconds(_ text: String) throws(UsageError) -> Double {
    // No more than a day: who wants to wait longer has forgotten a run.
    if let seconds = Int(text), 0...86_400 ~= seconds { return Double(seconds) }
    throw UsageError(
      message: "'\(text)' is no time for --wait: give whole seconds, from 0 to 86400")
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

  static func progress(_ text: String) throws(UsageError) -> ProgressMode {
    if let mode = ProgressMode(rawValue: text) { return mode }
    let modes = ProgressMode.allCases.map(\.rawValue).joined(separator: ", ")
    throw UsageError(message: "'\(text)' is no value for --progress: give one of \(modes)")
  }

  static func memory(_ text: String) throws(UsageError) -> Int {
    let units = ["K": 10, "M": 20, "G": 30]
    let shift = text.last.flatMap { units[String($0)] }
    let digits = shift == nil ? text[...] : text.dropLast()
    // No more than a terabyte, which no machine has for this.
    if digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let number = Int(digits),
      0...1 << 40 ~= number, 1...1 << 40 ~= number << (shift ?? 0)
    {
      return number << (shift ?? 0)
    }
    throw UsageError(
      message: "'\(text)' is no size for --max-key-memory: give bytes, or a number with K, M or G, "
        + "such as 256M")
  }

  static func metricsFile(_ path: String) throws(UsageError) -> ReportFile {
    if let file = ReportFile(path, [.prom]) { return file }
    throw UsageError(
      message:
        "'\(path)' is no file for --metrics: its name must end in .prom, since node exporter "
        + "reads no other")
  }

  static func logFormat(_ text: String) throws(UsageError) -> Log.Format {
    if let format = Log.Format(rawValue: text) { return format }
    throw UsageError(message: "'\(text)' is no format for --log-format: give text or json")
  }

  static func reportFile(_ path: String) throws(UsageError) -> ReportFile {
    if let file = ReportFile(path) { return file }
    throw UsageError(
      message: "'\(path)' is no file for --report: its name must end in .json or .html; "
        + "'json:-' goes to standard output")
  }
}

func check(
  _ name: String, isOneOf tables: [String], for option: String
) throws(UsageError) {
  guard !tables.contains(name), !tables.isEmpty else { return }
  throw UsageError(
    message: "there is no table '\(name)' for \(option); the tables are "
      + tables.joined(separator: ", "))
}
