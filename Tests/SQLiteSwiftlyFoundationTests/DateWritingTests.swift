import Foundation
import SQLiteSwiftly
import SQLiteSwiftlyFoundation
import Testing

struct DateWritingTests {
  /// Seconds since 1970, and the written text.
  private static let written: [(Double, String)] = [
    (0, "1970-01-01 00:00:00.000"),
    (-1, "1969-12-31 23:59:59.000"),
    (-0.001, "1969-12-31 23:59:59.999"),
    (978_307_200, "2001-01-01 00:00:00.000"),
    (1_700_000_000.5, "2023-11-14 22:13:20.500"),
    (951_827_696, "2000-02-29 12:34:56.000"),
    (1_709_251_199.999, "2024-02-29 23:59:59.999"),
    (1_709_251_200, "2024-03-01 00:00:00.000"),
    (-2_203_891_200, "1900-03-01 00:00:00.000"),
    (-2_203_891_201, "1900-02-28 23:59:59.000"),
    // Days of the Julian calendar have no place here.
    (-12_219_292_800, "1582-10-15 00:00:00.000"),
    (-12_219_292_801, "1582-10-14 23:59:59.000"),
    (-62_135_596_800, "0001-01-01 00:00:00.000"),
    (-62_167_219_200, "0000-01-01 00:00:00.000"),
    (253_402_300_799, "9999-12-31 23:59:59.000"),
  ]

  @Test(arguments: written)
  func `SQ-22 a date is a text in UTC with milliseconds`(seconds: Double, text: String) throws {
    #expect(try Date(timeIntervalSince1970: seconds).sqliteValue == .text(text))
  }

  /// Seconds since 2001, where every fraction is exact.
  @Test(
    arguments: [
      (0.000_4, "2001-01-01 00:00:00.000"), (0.000_6, "2001-01-01 00:00:00.001"),
      (0.999_4, "2001-01-01 00:00:00.999"), (0.999_6, "2001-01-01 00:00:01.000"),
      (86_399.999_6, "2001-01-02 00:00:00.000"), (-0.000_4, "2001-01-01 00:00:00.000"),
      (-0.000_6, "2000-12-31 23:59:59.999"), (-0.001_4, "2000-12-31 23:59:59.999"),
      (1e-300, "2001-01-01 00:00:00.000"), (-1e-300, "2001-01-01 00:00:00.000"),
      (-0.0, "2001-01-01 00:00:00.000"), (5_097_599.999_6, "2001-03-01 00:00:00.000"),
    ])
  func `SQ-22 a date is written with the nearest millisecond`(
    seconds: Double, text: String
  ) throws {
    #expect(try Date(timeIntervalSinceReferenceDate: seconds).sqliteValue == .text(text))
  }

  @Test(
    arguments: [
      .nan, .infinity, -.infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
      0x1p63, -0x1p63, -62_167_219_200.001, 253_402_300_800, 253_402_300_799.9999, 1e13,
    ] as [Double])
  func `SQ-22 a date outside the years with four digits is an error`(seconds: Double) throws {
    let date = Date(timeIntervalSince1970: seconds)
    let error = try #require(throws: SQLiteError.self) { _ = try date.sqliteValue }
    #expect(error.code == .range)
    #expect(error.message == "the date is not in the years 0000 to 9999")

    let connection = try Connection.inMemory()
    let inQuery = SQLiteError(.range, error.message, sql: "SELECT ?")
    #expect(throws: inQuery) { try connection.execute("SELECT \(date)") }
  }

  @Test func `SQ-22 distant dates of Foundation's`() throws {
    // The first day of the year 1 in the Julian calendar.
    #expect(try Date.distantPast.sqliteValue == "0000-12-30 00:00:00.000")
    #expect(try Date.distantFuture.sqliteValue == "4001-01-01 00:00:00.000")
  }
}
