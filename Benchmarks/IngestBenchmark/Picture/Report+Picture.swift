extension Report {
  /// Four panels: the insert hot path, the stages, where the time of the whole job goes, and the growth.
  var picture: String {
    var drawing = Drawing()
    drawHotPath(on: &drawing, left: 0)
    drawStages(on: &drawing, left: Panel.width)
    drawParts(on: &drawing, left: 2 * Panel.width)
    drawGrowth(on: &drawing, left: 3 * Panel.width)
    return drawing.svg(
      width: 4 * Panel.width, height: Panel.height,
      title: "ingest-benchmark, \(conditions.rows.grouped) rows of inventory_parts")
  }

  /// Rows a second by candidate and by the rows that a run of its statement takes.
  private func drawHotPath(on drawing: inout Drawing, left: Double) {
    let page = HotPath.plottedPage
    let points = HotPath.Candidate.all.compactMap { candidate in
      measurement(.hotPath, HotPath.name(candidate, page: page), .millionRowsPerSecond)
        .map { (candidate: candidate, figure: $0.figure) }
    }
    let panel = Panel(
      title: "Insert, \(page) KiB pages", left: left,
      horizontal: Panel.Axis(label: "rows per statement run", end: 10_000, isLogarithmic: true),
      vertical: Panel.Axis(
        label: "million rows/s", end: (points.map(\.figure.greatest).max() ?? 1) * 1.15))
    panel.frame(on: &drawing, isEmpty: points.isEmpty)
    for series in HotPath.Candidate.series {
      let own = points.filter { $0.candidate.series == series.name }
      let places = own.map { point in
        panel.point(Double(point.candidate.rowsPerRun), point.figure.median)
      }
      for (from, to) in zip(places, places.dropFirst()) { drawing.line(from, to, series.style) }
      for (point, place) in zip(own, places) {
        let x = Double(point.candidate.rowsPerRun)
        drawing.line(
          panel.point(x, point.figure.least), panel.point(x, point.figure.greatest), series.style)
        drawing.circle(place, series.style)
      }
      guard let place = places.last else { continue }
      // Beside a single point, else above the end of the line.
      if places.count == 1 {
        drawing.text(series.name, at: (place.x + 10, place.y + series.shift))
      } else {
        drawing.text(series.name, at: (place.x, place.y + series.shift), series.anchor)
      }
    }
  }

  /// The seconds of each stage.
  private func drawStages(on drawing: inout Drawing, left: Double) {
    let stages = measurements.filter {
      [.stages, .indexes].contains($0.subject) && $0.unit == .seconds
    }
    let panel = Panel(
      title: "Time by stage, each alone", left: left,
      horizontal: Panel.Axis(
        label: "seconds", end: (stages.map(\.figure.greatest).max() ?? 1) * 1.25),
      vertical: Panel.Axis(label: "", end: Double(max(1, stages.count))))
    panel.frame(on: &drawing, isEmpty: stages.isEmpty)
    for (index, stage) in stages.enumerated() {
      let row = Double(stages.count - index)
      let corner = panel.point(0, row - 0.45)
      let end = panel.point(stage.figure.median, row - 0.9)
      drawing.rectangle(corner, width: end.x - corner.x, height: end.y - corner.y, "a")
      let middle = row - 0.675
      drawing.line(
        panel.point(stage.figure.least, middle), panel.point(stage.figure.greatest, middle), "axis")
      drawing.text(stage.name, at: (corner.x + 4, corner.y - 4))
      let far = panel.point(max(stage.figure.greatest, stage.figure.median), middle)
      drawing.text("\(stage.figure.median.rounded(decimals: 2)) s", at: (far.x + 6, far.y + 4))
    }
  }

  /// The seconds of each part of the whole job, without an older catalog and with one.
  private func drawParts(on drawing: inout Drawing, left: Double) {
    let names = [WholeJobComparison.names.alone, WholeJobComparison.names.replacing]
    let jobs = names.map { name in
      WholeJob.Part.allCases.compactMap { part in
        measurement(.wholeJob, WholeJobComparison.name(part, of: name), .seconds).map {
          (part: part, seconds: $0.figure.median)
        }
      }
    }
    let longest = jobs.map { $0.reduce(0) { $0 + $1.seconds } }.max() ?? 0
    let bars = jobs.reduce(0) { $0 + $1.count } + 2
    let panel = Panel(
      title: "Where the time of the whole job goes", left: left,
      horizontal: Panel.Axis(label: "seconds", end: longest > 0 ? longest * 1.1 : 1),
      vertical: Panel.Axis(label: "", end: Double(bars)))
    panel.frame(on: &drawing, isEmpty: longest == 0)
    guard longest > 0 else { return }
    var row = Double(bars)
    for (name, parts) in zip(names, jobs) {
      let title = panel.point(0, row)
      drawing.text(name, at: (title.x + 4, title.y + 20), style: "title")
      row -= 1
      var start = 0.0
      for (part, seconds) in parts {
        let corner = panel.point(start, row - 0.45)
        let end = panel.point(start + seconds, row - 0.9)
        drawing.rectangle(corner, width: end.x - corner.x, height: end.y - corner.y, "a")
        drawing.text(
          "\(part.rawValue) \(seconds.rounded(decimals: 2)) s",
          at: (panel.point(0, 0).x + 4, corner.y - 4))
        start += seconds
        row -= 1
      }
    }
  }

  /// The seconds of the whole job by its rows, beside growth in proportion.
  private func drawGrowth(on drawing: inout Drawing, left: Double) {
    let points = Growth.factors.compactMap { factor in
      measurement(.growth, Growth.name(factor), .seconds).map { measurement in
        (
          rows: Double(Growth.rows(factor, of: conditions.rows)) / 1e6, figure: measurement.figure,
          peak: self.measurement(.growth, Growth.name(factor), .megabytes)?.figure.median ?? 0
        )
      }
    }
    let panel = Panel(
      title: "Whole job by size, with peak memory", left: left,
      horizontal: Panel.Axis(
        label: "million rows of inventory_parts", end: (points.last?.rows ?? 1) * 1.15),
      vertical: Panel.Axis(label: "seconds", end: (points.last?.figure.greatest ?? 1) * 1.15))
    panel.frame(on: &drawing, isEmpty: points.isEmpty)
    if points.count == Growth.factors.count {
      let usual = points[1].figure.median / points[1].rows
      drawing.line(
        panel.point(0, 0), panel.point(points[2].rows, usual * points[2].rows), "guide")
    }
    let places = points.map { panel.point($0.rows, $0.figure.median) }
    for (from, to) in zip(places, places.dropFirst()) { drawing.line(from, to, "c") }
    for (point, place) in zip(points, places) {
      drawing.line(
        panel.point(point.rows, point.figure.least), panel.point(point.rows, point.figure.greatest),
        "c")
      drawing.circle(place, "c")
      let text =
        "\(point.figure.median.rounded(decimals: 2)) s, \(point.peak.rounded(decimals: 0)) MB"
      let isLast = point.rows == points.last?.rows
      drawing.text(
        text, at: (place.x + (isLast ? -10 : 10), place.y + (isLast ? -6 : 5)),
        isLast ? .end : .start)
    }
  }
}

extension HotPath.Candidate {
  /// A line of the picture: how it is drawn, and where its name stands.
  fileprivate struct Line {
    let name: String
    let style: String
    /// Below the line's last point.
    let shift: Double
    let anchor: Drawing.Anchor
  }

  fileprivate static let series = [
    Line(name: "loop in C", style: "b", shift: -6, anchor: .start),
    Line(name: "InsertStatement", style: "d", shift: 14, anchor: .start),
    Line(name: "VALUES, in C", style: "c", shift: 24, anchor: .start),
    Line(name: "virtual table, in C", style: "b", shift: 24, anchor: .start),
    Line(name: "virtual table", style: "a", shift: -12, anchor: .end),
  ]

  fileprivate var series: String {
    switch self {
    case .loop: "loop in C"
    case .insertStatement: "InsertStatement"
    case .values: "VALUES, in C"
    case .tableInC: "virtual table, in C"
    case .virtualTable: "virtual table"
    }
  }
}
