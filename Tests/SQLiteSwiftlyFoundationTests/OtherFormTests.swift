import Foundation
import SQLiteSwiftly
import SQLiteSwiftlyFoundation
import Testing

struct OtherFormTests {
  @Test(arguments: [0, 1_709_209_800, -1, -62_167_219_200, 253_402_300_799])
  func `a date as an integer agrees with SQLite's functions`(seconds: Int) throws {
    let connection = try Connection.inMemory()
    let date = Date(timeIntervalSince1970: Double(seconds) + 0.25)
    let value = try connection.value(of: "SELECT \(IntegerDate(date))")
    #expect(value == .integer(Int64(seconds)))
    let text = try connection.first(
      "SELECT datetime(\(IntegerDate(date)), 'unixepoch')", as: Date.self)
    #expect(text == Date(timeIntervalSince1970: Double(seconds)))
    #expect(try connection.first("SELECT \(seconds)", as: IntegerDate.self)?.date == text)
    let real = try connection.first("SELECT \(RealDate(date))", as: RealDate.self)
    #expect(real?.date == date)
  }

  @Test func `dates that are no numbers are refused`() throws {
    let connection = try Connection.inMemory()
    for seconds in [Double.infinity, -.infinity, .nan, 1e30] {
      let date = Date(timeIntervalSince1970: seconds)
      let error = try #require(throws: SQLiteError.self) {
        try connection.execute("SELECT \(IntegerDate(date))")
      }
      #expect(error.code == .range)
    }
    let text = try #require(throws: SQLiteError.self) {
      _ = try connection.query("SELECT '2024-02-29' AS at", as: IntegerDate.self)
    }
    #expect(text.message == "column 0 (at): expected an integer, found text")
    let endless = try #require(throws: SQLiteError.self) {
      _ = try connection.query("SELECT 9e999 AS at", as: RealDate.self)
    }
    #expect(endless.message == "column 0 (at): expected a finite date")
  }

  @Test func `a UUID as bytes agrees with SQLite's hex`() throws {
    let connection = try Connection.inMemory()
    for uuid in [UUID(), UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 255))] {
      let hex = try connection.first("SELECT hex(\(BlobUUID(uuid)))", as: String.self)
      #expect(hex == uuid.uuidString.filter { $0 != "-" })
      #expect(try connection.first("SELECT \(BlobUUID(uuid))", as: BlobUUID.self)?.uuid == uuid)
    }
    let error = try #require(throws: SQLiteError.self) {
      _ = try connection.query("SELECT x'00' AS id", as: BlobUUID.self)
    }
    #expect(error.message == "column 0 (id): expected 16 bytes")
  }
}
