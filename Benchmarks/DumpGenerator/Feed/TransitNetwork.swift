/// The stations and lines of a feed, and what of it does not grow with the trips.
struct TransitNetwork: Sendable {
  let lines: [TransitLine]
  private let stations: Int

  private static let agencies = ["North", "South & Harbour", "Night, Regional"]
  private static let places = [
    "Market Square", "Ch\u{E2}teau", "St. John's, North", "The \"Old\" Bridge", "University",
    "Stra\u{DF}e des 17. Juni", "Airport", "Harbour",
  ]
  private static let stopTimesOfLine = 5000
  private static let mostLines = 4000
  private static let fewestStations = 40

  init(stopTimes: Int, seed: UInt64) {
    let count = max(1, min(Self.mostLines, stopTimes / Self.stopTimesOfLine))
    let stations = max(Self.fewestStations, count * 4)
    var random = RandomSource(seed: seed, stream: "lines")
    self.stations = stations
    lines = (0..<count).map { TransitLine(number: $0 + 1, stations: stations, random: &random) }
  }

  func name(ofStation station: Int) -> String {
    let place = Self.places[station % Self.places.count]
    return station < Self.places.count ? place : "\(place) \(station / Self.places.count + 1)"
  }

  func writeAgencies(to rows: inout RowWriter) throws(DumpError) {
    for (place, name) in Self.agencies.enumerated() {
      rows.add("A\(place + 1)")
      rows.add(name)
      rows.add("https://transit.example/\(place + 1)")
      rows.add("Europe/Berlin")
      rows.add("de")
      rows.addNothing()
      try rows.endRow()
    }
  }

  /// Writes each station, and its two platforms.
  func writeStops(to rows: inout RowWriter) throws(DumpError) {
    for station in 0..<stations {
      for platform in 0...2 {
        rows.add(
          platform == 0 ? TransitLine.id(ofStation: station) : TransitLine.id(station, platform))
        rows.add(name(ofStation: station))
        rows.addNothing()
        rows.addThousandths(52_000 + station / 100 * 7)
        rows.addThousandths(-13_000 + station % 100 * 11 + platform)
        rows.add(platform == 0 ? 1 : 0)
        if platform == 0 { rows.addNothing() } else { rows.add(TransitLine.id(ofStation: station)) }
        rows.add(station % 3)
        try rows.endRow()
      }
    }
  }

  func writeRoutes(to rows: inout RowWriter) throws(DumpError) {
    for line in lines {
      rows.add(plain: line.id)
      rows.add("A\(line.number % Self.agencies.count + 1)")
      rows.add(line.number)
      rows.add(
        "\(name(ofStation: line.stops[0])) - \(name(ofStation: line.stops[line.stops.count - 1]))")
      rows.add([0, 1, 2, 3][line.number % 4])
      rows.add(line.number % 5 == 0 ? "" : "00FF0\(line.number % 10)")
      rows.add(line.number % 5 == 0 ? "" : "FFFFFF")
      try rows.endRow()
    }
  }

  /// Writes the points at the stops of each line, there and back.
  func writeShapes(to rows: inout RowWriter) throws(DumpError) {
    for line in lines {
      for direction in 0...1 {
        for place in line.stops.indices {
          let stop = direction == 0 ? place : line.stops.count - 1 - place
          let station = line.stops[stop]
          rows.add(plain: direction == 0 ? line.shape : line.shapeBack)
          rows.addThousandths(52_000 + station / 100 * 7)
          rows.addThousandths(-13_000 + station % 100 * 11)
          rows.add(place + 1)
          rows.addThousandths(line.metres(to: place, direction))
          try rows.endRow()
        }
      }
    }
  }
}

/// A line: where it stops, and how long it takes.
struct TransitLine: Sendable {
  let number: Int
  let id: ArraySlice<UInt8>
  let shape: ArraySlice<UInt8>
  let shapeBack: ArraySlice<UInt8>
  /// The stations in their order; a ring ends where it begins.
  let stops: [Int]
  /// The ids of the platforms there.
  let platforms: [ArraySlice<UInt8>]
  /// Seconds and metres from the first stop to each.
  private let seconds: [Int]
  private let metres: [Int]

  init(number: Int, stations: Int, random: inout RandomSource) {
    self.number = number
    id = Array("L\(number)".utf8)[...]
    shape = Array("\(number)-there".utf8)[...]
    shapeBack = Array("\(number)-back".utf8)[...]
    let first = random.number(below: stations)
    let count = random.number(in: 8...30)
    var stops = (0..<count).map { (first + $0) % stations }
    if number.isMultiple(of: 4) { stops[count - 1] = first }
    var (seconds, metres) = ([0], [0])
    for place in 1..<count {
      seconds.append(seconds[place - 1] + random.number(in: 4...20) * 15)
      metres.append(metres[place - 1] + random.number(in: 200...1900))
    }
    self.stops = stops
    (self.seconds, self.metres) = (seconds, metres)
    platforms = stops.map { Array(Self.id($0, number % 2 + 1).utf8)[...] }
  }

  /// How long it takes to a stop, counted from the end where a trip begins.
  func seconds(to stop: Int, _ direction: Int) -> Int { distance(seconds, stop, direction) }

  /// How far it is to a stop.
  func metres(to stop: Int, _ direction: Int) -> Int { distance(metres, stop, direction) }

  private func distance(_ sums: [Int], _ stop: Int, _ direction: Int) -> Int {
    direction == 0 ? sums[stop] : sums[sums.count - 1] - sums[sums.count - 1 - stop]
  }

  /// Ids of stations have zeros in front, which are a part of them.
  static func id(ofStation station: Int) -> String {
    let digits = "\(station + 1)"
    return String(repeating: "0", count: max(0, 6 - digits.utf8.count)) + digits
  }

  static func id(_ station: Int, _ platform: Int) -> String {
    "\(id(ofStation: station))_\(platform)"
  }
}
