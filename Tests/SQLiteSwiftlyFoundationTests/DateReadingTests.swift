import Foundation
import SQLiteSwiftly
import SQLiteSwiftlyFoundation
import Testing

struct DateReadingTests {
  /// Texts, and the seconds from 1970 on that they are read as.
  private static let accepted: [(String, Double)] = [
    ("1970-01-01", 0), ("2024-02-29", 1_709_164_800), ("2000-02-29", 951_782_400),
    ("0000-01-01", -62_167_219_200), ("9999-12-31", 253_402_214_400),
    ("1970-01-01 00:01", 60), ("1970-01-01T00:01", 60),
    ("1970-01-01 23:59", 86_340), ("1970-01-01 00:00:59", 59), ("1970-01-01T00:00:59", 59),
    ("1970-01-01 00:00:00.5", 0.5), ("1970-01-01T00:00:00.25", 0.25),
    ("1970-01-01 00:00:00.125", 0.125), ("1970-01-01 00:00:00.000", 0),
    ("1970-01-01 00:00:00.50000000000000000000000001", 0.5),
    ("2001-01-01 00:00:00.123456", 978_307_200.123456),
    ("1970-01-01 01:00Z", 3600), ("1970-01-01T01:00:00Z", 3600), ("1970-01-01T01:00:00.5Z", 3600.5),
    ("1970-01-01 01:00+01:00", 0), ("1970-01-01T01:00:01+01:00", 1),
    ("1970-01-01 00:00:00.5-01:30", 5400.5), ("1970-01-01 00:00+14:59", -53_940),
    ("1970-01-01 00:00-14:59", 53_940), ("1970-01-01 00:00-00:00", 0),
    ("0000-01-01 01:00+01:00", -62_167_219_200), ("9999-12-31 22:59:59-01:00", 253_402_300_799),
  ]

  private static let refused = [
    "", " ", "now", "today", "NULL", "2460000.5", "1700000000", "-1", "2024",
    // Parts of a date or of a time, and times without a date.
    "2024-02", "2024-02-", "12:30", "12:30:00", "2024-02-29 ", "2024-02-29T", "2024-02-29 12",
    "2024-02-29 12:", "2024-02-29 12:3", "2024-02-29 12:30:", "2024-02-29 12:30:0",
    "2024-02-29 12:30:00.", "2024-02-29 12:30.5", "2024-02-29Z", "2024-02-29+01:00",
    // Days that the calendar does not have.
    "2024-13-01", "2024-00-01", "2024-01-00", "2024-01-32", "2024-02-30", "2024-04-31",
    "2023-02-29", "1900-02-29", "2100-02-29", "2024-99-99", "0000-00-00", "9999-12-32",
    // Times that a day does not have.
    "2024-02-29 24:00", "2024-02-29 25:00", "2024-02-29 12:60", "2024-02-29 12:30:60",
    "2024-02-29 23:59:60",
    // Distances from UTC.
    "2024-02-29 12:30+15:00", "2024-02-29 12:30+01:60", "2024-02-29 12:30+0100",
    "2024-02-29 12:30+01", "2024-02-29 12:30+1:00", "2024-02-29 12:30+", "2024-02-29 12:30 Z",
    "2024-02-29 12:30 +01:00", "2024-02-29 12:30z", "2024-02-29 12:30ZZ", "2024-02-29 12:30Z+01:00",
    "2024-02-29 12:30UTC", "2024-02-29 12:30−01:00",
    "0000-01-01 00:59+01:00", "9999-12-31 23:00-01:00",
    // Other digits, years, separators and blanks.
    "-2024-02-29", "+2024-02-29", "-001-02-29", "10000-01-01", "024-02-29", "24-02-29", "2024-2-29",
    "2024-02-9", "２０２４-02-29", "2024-02-２9", "٢٠٢٤-02-29", "2024/02/29", "2024–02–29", "20240229",
    "29.02.2024", "2024-02-29_12:30", "2024-02-29t12:30", "2024-02-29  12:30", "2024-02-29 T12:30",
    "2024-02-29 12.30", "2024-02-29 12:30:00,5", "2024-02-29 12:30:00.5.5",
    "2024-02-29 12:30:00.5e1",
    " 2024-02-29", "2024-02-29\n", "2024-02-29\0", "2024-02-29 12:30 ", "2024-02-29 12:30\t",
    "2024-02-29 12:30:00.5 ", "2024-02-29 12:30\0", "2024-02-29 -1:30", "2024-02-29 +1:30",
    "2024-02-29 12:-1", "2024-02-29 12:30 PM", "Thu, 29 Feb 2024 12:30:00 GMT", "2024-W09-4",
    "2024-060",
  ]

  @Test(arguments: DecoderKind.inEveryMode)
  func `SQ-22 a date is read in the forms of SQLite's time values`(
    kind: DecoderKind, mode: DecodingMode
  ) throws {
    for (text, seconds) in Self.accepted {
      let found = try kind.decode(.text(text), as: Date.self, mode)
      #expect(abs(found.timeIntervalSince1970 - seconds) < 1e-6, "\(text)")
      #expect(try kind.decode(.text(text), as: Date?.self, mode) == found, "\(text)")
    }
  }

  @Test(arguments: DecoderKind.inEveryMode)
  func `SQ-23 text that is not a date is an error and never nil`(
    kind: DecoderKind, mode: DecodingMode
  ) throws {
    for text in Self.refused {
      let message = "expected a date, such as 2024-05-31 12:30:00"
      #expect(try kind.failure(of: .text(text), as: Date.self, mode) == message)
      #expect(try kind.failure(of: .text(text), as: Date?.self, mode) == message)
    }
  }

  @Test(arguments: DecoderKind.allCases)
  func `SQ-23 a number is not a date`(kind: DecoderKind) throws {
    for (value, phrase) in [
      (1_700_000_000, "an integer"), (2_460_000.5, "a real"), (20_240_229, "an integer"),
      (.blob([0xff]), "a blob"),
    ] as [(SQLiteValue, String)] {
      #expect(
        try kind.failure(of: value, as: Date?.self, .lenient)
          == "expected a date, such as 2024-05-31 12:30:00")
      #expect(
        try kind.failure(of: value, as: Date?.self, .strict)
          == "expected text, found \(phrase)")
    }
  }

  @Test(arguments: DecoderKind.inEveryMode)
  func `SQ-23 NULL is nil, or an error if a date is required`(
    kind: DecoderKind, mode: DecodingMode
  ) throws {
    #expect(try kind.decode(.null, as: Date?.self, mode) == nil)
    #expect(
      try kind.failure(of: .null, as: Date.self, mode)
        == "expected a value, found NULL; read it as an optional")
  }

  @Test func `SQ-22 SQLite reads the same dates`() throws {
    let connection = try Connection.inMemory()
    for (text, seconds) in Self.accepted {
      let days = try #require(
        try connection.value(of: "SELECT julianday(\(text))")?.realValue, "\(text)")
      #expect(abs((days - 2_440_587.5) * 86_400_000 - seconds * 1000) < 1, "\(text)")
    }
  }
}
