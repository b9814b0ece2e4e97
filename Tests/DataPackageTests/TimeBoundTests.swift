import Schema
import SQLiteSwiftly
import Testing

@testable import DataPackage

/// Bounds of dates and times are read as the values are, and become what is stored of these.
@Suite struct TimeBoundTests {
  @Test(
    arguments: [
      ("time", nil, "12:34:56.1234567890", "12:34:56.123456789"),
      ("time", nil, "12:34:56.50", "12:34:56.5"),
      ("datetime", nil, "2024-01-01T00:00:00+02:00", "2023-12-31T22:00:00Z"),
      ("datetime", nil, "2024-01-01T00:00:00.000", "2024-01-01T00:00:00"),
      ("date", "%d %b %Y", "01 Feb 2024", "2024-02-01"),
      ("date", "%d %b %Y", "2024-02-01", "2024-02-01"),
      ("yearmonth", nil, "0000-01", "0000-01"), ("year", nil, "0000", "0000"),
      ("date", nil, "2024-02-30", nil), ("yearmonth", nil, "2024-13", nil),
      ("year", nil, "24", nil),
    ] as [(String, String?, String, String?)])
  func `a bound is read as a value is`(
    type: String, format: String?, bound: String, stored: String?
  ) throws {
    let written = format.map { #""format": "\#($0)", "# } ?? ""
    let text = """
      {"resources": [{"name": "t", "schema": {"fields": [
        {"name": "f", "type": "\(type)", \(written)"constraints": {"minimum": "\(bound)"}}]}}]}
      """
    guard let stored else {
      #expect(throws: DataPackageError.self) { try DataPackage.read(Array(text.utf8), named: "d") }
      return
    }
    let column = try #require(
      try DataPackage.read(Array(text.utf8), named: "d").schema.tables.first?.columns.first)
    #expect(column.domain?.parts.contains(.sorted(.init(stored), nil)) == true)
  }
}
