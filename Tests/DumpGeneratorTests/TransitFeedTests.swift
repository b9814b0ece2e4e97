import Foundation
import Testing

@testable import DumpGenerator

struct TransitFeedTests {
  @Test func `keys differ and references lead somewhere`() throws {
    let feed = try Feed(TransitFeed(stopTimes: 6000, seed: 4))
    for (table, columns) in [
      ("agency", ["agency_id"]), ("stops", ["stop_id"]), ("routes", ["route_id"]),
      ("calendar", ["service_id"]), ("calendar_dates", ["service_id", "date"]),
      ("shapes", ["shape_id", "shape_pt_sequence"]), ("trips", ["trip_id"]),
      ("stop_times", ["trip_id", "stop_sequence"]), ("frequencies", ["trip_id", "start_time"]),
    ] {
      let keys = feed.values(table, columns)
      #expect(Set(keys).count == keys.count && !keys.isEmpty, "\(table)")
    }
    for (table, column, parent, key) in [
      ("stops", "parent_station", "stops", "stop_id"),
      ("routes", "agency_id", "agency", "agency_id"),
      ("trips", "route_id", "routes", "route_id"),
      ("trips", "service_id", "calendar", "service_id"),
      ("trips", "shape_id", "shapes", "shape_id"), ("stop_times", "trip_id", "trips", "trip_id"),
      ("stop_times", "stop_id", "stops", "stop_id"), ("frequencies", "trip_id", "trips", "trip_id"),
    ] {
      let values = Set(feed.values(table, [column])).subtracting([[""]])
      #expect(!values.isEmpty && values.isSubset(of: Set(feed.values(parent, [key]))), "\(table)")
    }
  }

  @Test func `the feed has the traps of real feeds`() throws {
    let feed = try Feed(TransitFeed(stopTimes: 20_000))
    let times = feed.values("stop_times", ["departure_time"]).map { $0[0] }
    #expect(times.count == 20_000)
    #expect(times.contains { $0.hasPrefix("25:") } && times.contains { $0.hasPrefix("5:") })
    #expect(times.contains { $0.hasPrefix("05:") } && times.contains(""))
    let visits = feed.values("stop_times", ["trip_id", "stop_id"])
    #expect(Set(visits).count < visits.count)
    #expect(feed.values("stops", ["stop_id"]).allSatisfy { $0[0].hasPrefix("0") })
  }

  @Test(arguments: [2, 9, 31])
  func `every trip has two stops at least`(stopTimes: Int) throws {
    let trips = try Feed(TransitFeed(stopTimes: stopTimes)).values("stop_times", ["trip_id"])
    #expect(trips.count == stopTimes)
    #expect(Dictionary(grouping: trips, by: \.[0]).values.allSatisfy { $0.count > 1 })
  }

  @Test func `the number of bad records is as requested, and nothing else changes`() throws {
    let good = TransitFeed(stopTimes: 500, seed: 2)
    let bad = TransitFeed(stopTimes: 500, badRecords: 7, seed: 2)
    for table in FeedTable.allCases where table != .stopTimes {
      #expect(try good.contents(of: table) == bad.contents(of: table))
    }
    let rows = try Feed(bad).values("stop_times", ["trip_id", "arrival_time", "stop_sequence"])
    #expect(rows.count == 507)
    #expect(rows.count { $0[1] == "12:61:00" } == 3)
    #expect(rows.count { $0[0].hasPrefix("no-such-trip") } == 2)
    #expect(rows.count - Set(rows.map { [$0[0], $0[2]] }).count == 2)
  }

  @Test func `equal parameters give equal files`() throws {
    let contents = try withFolder { path in
      try TransitFeed(stopTimes: 300, seed: 8).write(to: path)
      return try contentsOfFolder(path)
    }
    #expect(contents.keys.sorted() == FeedTable.allCases.map { "\($0.rawValue).txt" }.sorted())
    for table in FeedTable.allCases {
      #expect(
        try contents["\(table.rawValue).txt"]
          == Data(TransitFeed(stopTimes: 300, seed: 8).contents(of: table)))
    }
  }
}

/// A feed, parsed as plainly as can be: a quoted field has no line end in it.
private struct Feed {
  private var records: [String: [[String]]] = [:]

  init(_ feed: TransitFeed) throws {
    for table in FeedTable.allCases {
      let text = String(decoding: try feed.contents(of: table), as: UTF8.self)
      records[table.rawValue] = text.split(separator: "\n").map(Self.fields)
    }
  }

  /// The values of some columns, row by row.
  func values(_ table: String, _ columns: [String]) -> [[String]] {
    guard let records = records[table], let header = records.first else { return [] }
    let places = columns.compactMap(header.firstIndex)
    return records.dropFirst().map { record in places.map { record[$0] } }
  }

  private static func fields(_ line: Substring) -> [String] {
    var fields = [""]
    var isInsideQuotes = false
    for character in line {
      switch character {
      case "\"": isInsideQuotes.toggle()
      case "," where !isInsideQuotes: fields.append("")
      default: fields[fields.count - 1].append(character)
      }
    }
    return fields
  }
}
