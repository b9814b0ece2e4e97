/// The files of a feed, parents before their children.
enum FeedTable: String, CaseIterable {
  case agency
  case stops
  case routes
  case calendar
  case calendarDates = "calendar_dates"
  case shapes
  case trips
  case stopTimes = "stop_times"
  case frequencies
  case feedInfo = "feed_info"

  /// The columns, in order, as <https://gtfs.org/documentation/schedule/reference/> names them.
  var columns: [String] {
    switch self {
    case .agency:
      ["agency_id", "agency_name", "agency_url", "agency_timezone", "agency_lang", "agency_phone"]
    case .stops:
      [
        "stop_id", "stop_name", "stop_desc", "stop_lat", "stop_lon", "location_type",
        "parent_station", "wheelchair_boarding",
      ]
    case .routes:
      [
        "route_id", "agency_id", "route_short_name", "route_long_name", "route_type",
        "route_color", "route_text_color",
      ]
    case .calendar:
      [
        "service_id", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
        "sunday", "start_date", "end_date",
      ]
    case .calendarDates: ["service_id", "date", "exception_type"]
    case .shapes:
      [
        "shape_id", "shape_pt_lat", "shape_pt_lon", "shape_pt_sequence", "shape_dist_traveled",
      ]
    case .trips:
      [
        "route_id", "service_id", "trip_id", "trip_headsign", "direction_id", "block_id",
        "shape_id", "wheelchair_accessible",
      ]
    case .stopTimes:
      [
        "trip_id", "arrival_time", "departure_time", "stop_id", "stop_sequence",
        "stop_headsign", "pickup_type", "drop_off_type", "shape_dist_traveled", "timepoint",
      ]
    case .frequencies:
      ["trip_id", "start_time", "end_time", "headway_secs", "exact_times"]
    case .feedInfo:
      [
        "feed_publisher_name", "feed_publisher_url", "feed_lang", "feed_start_date",
        "feed_end_date", "feed_version",
      ]
    }
  }
}
