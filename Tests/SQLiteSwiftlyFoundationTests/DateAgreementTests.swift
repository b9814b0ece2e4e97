import Foundation
import SQLiteSwiftly
import SQLiteSwiftlyFoundation
import TestSupport
import Testing

/// Dates at random, held against SQLite's own functions.
struct DateAgreementTests {
  private let connection: Connection
  private let dates: [Date]

  init() throws {
    connection = try Connection.inMemory()
    var generator = SeededGenerator(seed: 2001)
    let years = -62_167_219_200.0..<253_402_300_799
    let lately = 0.0..<4_102_444_800
    dates = (0..<2000).map {
      Date(timeIntervalSince1970: .random(in: $0 % 2 == 0 ? years : lately, using: &generator))
    }
  }

  @Test func `SQ-22 SQLite writes each date as it is written here`() throws {
    for date in dates {
      let row = try connection.query(
        "SELECT strftime('%Y-%m-%d %H:%M:%f', \(date)), unixepoch(\(date)), julianday(\(date))")[0]
      #expect(row[0] == (try date.sqliteValue))

      let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
      #expect(row[1].integerValue == Int64((milliseconds / 1000).rounded(.down)))
      let days = try #require(row[2].realValue)
      let found = ((days - 2_440_587.5) * 86_400_000).rounded()
      // SQLite 3.40 multiplies 4.006 s by 1000, and drops the fraction of 4005.9999999999995.
      #expect(0...1 ~= milliseconds - found)
    }
  }

  @Test func `SQ-22 a date comes back to within half a millisecond`() throws {
    for date in dates {
      let found = try #require(try connection.query("SELECT \(date)", as: Date.self).first)
      #expect(isNear(found, date))
      #expect(try found.sqliteValue == (try date.sqliteValue), "once rounded, it stays")
    }
  }

  @Test func `SQ-22 texts sort as the dates do`() throws {
    try connection.execute("CREATE TABLE events(at TEXT NOT NULL) STRICT")
    try connection.transaction {
      for date in dates { try connection.execute("INSERT INTO events VALUES (\(date))") }
    }
    let found = try connection.query("SELECT at FROM events ORDER BY at", as: Date.self)
    #expect(found == found.sorted() && found.count == dates.count)
    for (one, other) in zip(found, dates.sorted()) {
      #expect(isNear(one, other))
    }
  }

  /// Whether two dates are at most half a millisecond apart, within the precision of dates.
  private func isNear(_ one: Date, _ other: Date) -> Bool {
    let (one, other) = (one.timeIntervalSinceReferenceDate, other.timeIntervalSinceReferenceDate)
    return abs(one - other) <= 0.000_5 + other.ulp / 2
  }

  /// A calendar that contains only the lengths of months.
  @Test func `SQ-22 the first and last days of every month of ten thousand years`() throws {
    var date = Date(timeIntervalSince1970: -62_167_219_200)
    var failures = 0
    for year in 0...9999 {
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
      for (month, length) in lengths.enumerated() {
        for day in [1, length] {
          let text = [year + 10_000, month + 101, day + 100]
            .map { String($0).dropFirst() }.joined(separator: "-")
          let found = date.addingTimeInterval(Double(day - 1) * 86_400)
          if try found.sqliteValue != .text(text + " 00:00:00.000") { failures += 1 }
          if try DecoderKind.values.decode(.text(text), as: Date.self) != found { failures += 1 }
        }
        date.addTimeInterval(Double(length) * 86_400)
      }
    }
    #expect(failures == 0)
    #expect(date.timeIntervalSince1970 == 253_402_300_800)
  }
}
