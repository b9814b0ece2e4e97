/// The days on which trips run.
enum TransitCalendar {
  /// The services, and a mark for each weekday from Monday on.
  static let services: [(id: String, days: [Int])] = [
    ("WEEK", [1, 1, 1, 1, 1, 0, 0]), ("SAT", [0, 0, 0, 0, 0, 1, 0]),
    ("SUN", [0, 0, 0, 0, 0, 0, 1]), ("DAILY", [1, 1, 1, 1, 1, 1, 1]),
    ("SCHOOL", [1, 1, 1, 1, 1, 0, 0]), ("EVENT", [0, 0, 0, 0, 0, 0, 0]),
  ]

  static func writeServices(to rows: inout RowWriter) throws(DumpError) {
    for service in services {
      rows.add(service.id)
      for day in service.days { rows.add(day) }
      rows.add(20_260_101)
      rows.add(20_261_231)
      try rows.endRow()
    }
  }

  /// Writes days that are otherwise: one in each month for every service.
  static func writeExceptions(to rows: inout RowWriter) throws(DumpError) {
    for (place, service) in services.enumerated() {
      for month in 1...12 {
        rows.add(service.id)
        // Two services each have theirs on the same days.
        rows.add(20_260_000 + month * 100 + place / 2 * 4 + 1)
        rows.add(service.id == "EVENT" ? 1 : 1 + month % 2)
        try rows.endRow()
      }
    }
  }

  static func writeInfo(to rows: inout RowWriter) throws(DumpError) {
    rows.add("Made-up Transit")
    rows.add("https://transit.example/")
    rows.add("en")
    rows.add(20_260_101)
    rows.add(20_261_231)
    rows.add("1")
    try rows.endRow()
  }
}
