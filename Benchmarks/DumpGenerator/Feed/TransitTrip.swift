/// One trip of a line.
struct TransitTrip {
  let number: Int
  let line: TransitLine
  /// How many stops it has: all of its line, but for the last trip of a feed.
  let stops: Int
  /// The place of its service in the calendar.
  let service: Int
  /// 0 as the line runs, and 1 for the way back.
  let direction: Int
  let id: ArraySlice<UInt8>
  let shape: ArraySlice<UInt8>
  private let start: Int

  private static let firstStart = 4 * 3600 + 1800
  private static let lastStart = 25 * 3600

  /// Makes the trip of a number; the lines take turns.
  init(number: Int, of line: TransitLine, among lines: Int, stops: Int) {
    let turn = number / lines
    self.number = number
    self.line = line
    self.stops = stops
    service = turn % TransitCalendar.services.count
    direction = turn % 2
    id = Array("\(line.number)-\(turn)".utf8)[...]
    shape = direction == 0 ? line.shape : line.shapeBack
    start = Self.firstStart + turn * 420 % (Self.lastStart - Self.firstStart)
  }

  /// The place along the line.
  private func place(_ stop: Int) -> Int {
    direction == 0 ? stop : line.stops.count - 1 - stop
  }

  func station(_ stop: Int) -> Int { line.stops[place(stop)] }

  /// Writes one row of `stop_times.txt`.
  func write(_ stop: Int, to rows: inout RowWriter) throws(DumpError) {
    try write(stop, to: &rows, trip: id, arrival: nil)
  }

  /// Writes a row that no reader may accept.
  func writeBad(_ number: Int, to rows: inout RowWriter) throws(DumpError) {
    switch number % 3 {
    case 0: try write(stops, to: &rows, trip: id, arrival: Array("12:61:00".utf8)[...])
    case 1: try write(0, to: &rows, trip: Array("no-such-trip-\(number)".utf8)[...], arrival: nil)
    default: try write(0, to: &rows, trip: id, arrival: nil)
    }
  }

  private func write(
    _ stop: Int, to rows: inout RowWriter, trip: ArraySlice<UInt8>, arrival: ArraySlice<UInt8>?
  ) throws(DumpError) {
    // A bad row comes after the last stop.
    let place = place(min(stop, stops - 1))
    let isTimed = stop == 0 || stop >= stops - 1 || !number.isMultiple(of: 7)
    let seconds = start + line.seconds(to: min(stop, stops - 1), direction)
    rows.add(plain: trip)
    for wait in [0, stop % 4 == 3 ? 30 : 0] {
      if let arrival, wait == 0 {
        rows.add(plain: arrival)
      } else if isTimed {
        rows.addTime(seconds + wait, isPadded: number.isMultiple(of: 2))
      } else {
        rows.addNothing()
      }
    }
    rows.add(plain: line.platforms[place])
    rows.add(stop + 1)
    rows.addNothing()
    rows.add(stop == stops - 1 ? 1 : 0)
    rows.add(stop == 0 ? 1 : 0)
    rows.addThousandths(line.metres(to: min(stop, stops - 1), direction))
    rows.add(isTimed ? 1 : 0)
    try rows.endRow()
  }
}
