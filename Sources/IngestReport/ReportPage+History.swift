import Vocabulary
import Text

extension ReportPage {
  /// The rows and the changed keys of the runs that led to the database; nil for the first of them.
  var history: Section? {
    let runs = report.history.runs
    guard runs.count > 1, let first = runs.first, let last = runs.last else { return nil }
    let rows = runs.map { run in run.tables.reduce(0) { $0 + $1.rows } }
    let changes = runs.map { run in
      run.tables.compactMap(\.keys).reduce(0) { $0 + $1.added + $1.lost }
    }
    return Section(
      id: "history", title: "History",
      content: """
        \(chart("Rows", rows, of: first, last))
        \(chart("Keys added, removed and changed", changes, of: first, last))
        <p class="muted"><code>ingest history \(options.output)</code> prints the figures.</p>
        """)
  }

  /// A chart with a bar for each run; the highest is the largest value.
  private func chart(
    _ title: HTML, _ values: [Int], of first: History.Run, _ last: History.Run
  ) -> HTML {
    let (width, height) = (600.0, 80.0)
    let most = Double(max(values.max() ?? 0, 1))
    let step = width / Double(values.count)
    let bars = values.enumerated().map { place, value -> HTML in
      let bar = Double(value) / most * height
      let (x, y) = (Double(place) * step, height - bar)
      return """
        <rect x="\(pixels(x))" y="\(pixels(y))" width="\(pixels(max(step - 1, 0.5)))" \
        height="\(pixels(bar))"><title>run \(first.number + place): \(value)</title></rect>
        """
    }
    return """
      <figure class="history">
      <figcaption>\(title): at most \((values.max() ?? 0).grouped), now \((values.last ?? 0).grouped)</figcaption>
      <svg viewBox="0 0 \(pixels(width)) \(pixels(height))" role="img" aria-label="\(title) of runs \
      \(first.number) to \(last.number)">\(bars)</svg>
      <p class="muted">run \(first.number)\(day(of: first)) to run \(last.number)\(day(of: last))</p>
      </figure>
      """
  }

  private func day(of run: History.Run) -> HTML {
    run.dataTime.map { " (data of \(String($0.prefix(10))))" } ?? .empty
  }

  private func pixels(_ length: Double) -> String { length.rounded(decimals: 1) }
}
