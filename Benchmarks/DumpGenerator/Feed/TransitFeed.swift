/// A made-up timetable in the form of a GTFS feed: ten related files
/// (<https://gtfs.org/documentation/schedule/reference/>).
///
/// Equal parameters give equal bytes. Without bad records the feed is valid. In it are ids with zeros in front, times
/// after midnight such as `25:10:00` and with one digit for the hour, stops without a time, lines that come to one
/// stop twice, and platforms that belong to stations.
public struct TransitFeed: Sendable {
  /// The rows of `stop_times.txt` that can be asked for.
  public static let possibleStopTimes = 2...1_000_000_000

  private let stopTimes: Int
  private let badRecords: Int
  private let network: TransitNetwork

  /// Describes a feed.
  ///
  /// - Parameters:
  ///   - stopTimes: the rows of `stop_times.txt`, one of `possibleStopTimes`.
  ///   - badRecords: rows more that no reader may accept, spread over the file; in turn one with a time of 61
  ///     minutes, one of a trip that is not there, and one that is there already.
  ///   - seed: another number makes another feed.
  public init(stopTimes: Int, badRecords: Int = 0, seed: UInt64 = 1) {
    precondition(Self.possibleStopTimes.contains(stopTimes), "\(stopTimes) rows are not possible")
    precondition(badRecords >= 0, "there cannot be fewer than none")
    self.stopTimes = stopTimes
    self.badRecords = badRecords
    network = TransitNetwork(stopTimes: stopTimes, seed: seed)
  }

  /// Writes the files, such as `stop_times.txt`, into a folder.
  ///
  /// The folder is created if missing; files of the same names are overwritten.
  ///
  /// - Throws: `DumpError` when the operating system refuses.
  public func write(to directory: String) throws(DumpError) {
    try createFolder(directory)
    for table in FeedTable.allCases {
      let file = try DumpFile(
        path: "\(directory)/\(table.rawValue).txt", isCompressed: false)
      var rows = RowWriter(era: .june2020, file: file)
      try write(table, to: &rows)
      try rows.finish()
    }
  }

  /// Makes a file in memory.
  func contents(of table: FeedTable) throws(DumpError) -> [UInt8] {
    var rows = RowWriter(era: .june2020, file: nil)
    try write(table, to: &rows)
    return rows.bytes
  }

  private func write(_ table: FeedTable, to rows: inout RowWriter) throws(DumpError) {
    for column in table.columns { rows.add(column) }
    try rows.endRow()
    switch table {
    case .agency: try network.writeAgencies(to: &rows)
    case .stops: try network.writeStops(to: &rows)
    case .routes: try network.writeRoutes(to: &rows)
    case .calendar: try TransitCalendar.writeServices(to: &rows)
    case .calendarDates: try TransitCalendar.writeExceptions(to: &rows)
    case .shapes: try network.writeShapes(to: &rows)
    case .trips: try writeTrips(to: &rows)
    case .stopTimes: try writeStopTimes(to: &rows)
    case .frequencies: try writeFrequencies(to: &rows)
    case .feedInfo: try TransitCalendar.writeInfo(to: &rows)
    }
  }

  /// Every trip, until there are as many stop times as were asked for.
  private func forEachTrip(
    _ body: (TransitTrip) throws(DumpError) -> Void
  ) throws(DumpError) {
    var rest = stopTimes
    var number = 0
    while rest > 0 {
      let line = network.lines[number % network.lines.count]
      var stops = min(line.stops.count, rest)
      // No trip has only one stop.
      if rest - stops == 1 { stops = stops > 2 ? stops - 1 : stops + 1 }
      try body(TransitTrip(number: number, of: line, among: network.lines.count, stops: stops))
      rest -= stops
      number += 1
    }
  }

  private func writeTrips(to rows: inout RowWriter) throws(DumpError) {
    try forEachTrip { trip throws(DumpError) in
      rows.add(plain: trip.line.id)
      rows.add(TransitCalendar.services[trip.service].id)
      rows.add(plain: trip.id)
      rows.add(network.name(ofStation: trip.station(trip.stops - 1)))
      rows.add(trip.direction)
      if trip.number.isMultiple(of: 3) { rows.add(trip.number / 6) } else { rows.addNothing() }
      rows.add(plain: trip.shape)
      rows.add(trip.number % 3)
      try rows.endRow()
    }
  }

  private func writeStopTimes(to rows: inout RowWriter) throws(DumpError) {
    // One after so many good records, and what is left of them at the end.
    let distance = badRecords == 0 ? Int.max : max(1, stopTimes / badRecords)
    var (good, bad) = (0, 0)
    var last: TransitTrip?
    try forEachTrip { trip throws(DumpError) in
      for stop in 0..<trip.stops { try trip.write(stop, to: &rows) }
      good += trip.stops
      while bad < badRecords, good >= (bad + 1) * distance {
        try trip.writeBad(bad, to: &rows)
        bad += 1
      }
      last = trip
    }
    while bad < badRecords {
      try last?.writeBad(bad, to: &rows)
      bad += 1
    }
  }

  private func writeFrequencies(to rows: inout RowWriter) throws(DumpError) {
    try forEachTrip { trip throws(DumpError) in
      guard trip.number.isMultiple(of: 97) else { return }
      for start in [6, 9] {
        rows.add(plain: trip.id)
        rows.addTime(start * 3600, isPadded: true)
        rows.addTime((start + 2) * 3600 - 1, isPadded: true)
        rows.add(start == 6 ? 600 : 900)
        rows.add(0)
        try rows.endRow()
      }
    }
  }
}

extension RowWriter {
  /// Adds a time of a service day, in seconds after its midnight; it may be after the next one.
  mutating func addTime(_ seconds: Int, isPadded: Bool) {
    let hours = seconds / 3600
    if hours < 10, isPadded { append(0) }
    append(hours)
    for part in [seconds / 60 % 60, seconds % 60] {
      append([UInt8(ascii: ":")])
      if part < 10 { append(0) }
      append(part)
    }
    endField()
  }

  /// Adds thousandths as a decimal number without zeros at its end, such as `0.25`.
  mutating func addThousandths(_ number: Int) {
    if number < 0 { append([UInt8(ascii: "-")]) }
    append(Int(number.magnitude) / 1000)
    var rest = Int(number.magnitude) % 1000
    if rest > 0 {
      append([UInt8(ascii: ".")])
      var digits = 100
      while rest > 0 {
        append(rest / digits)
        rest %= digits
        digits /= 10
      }
    }
    endField()
  }
}
