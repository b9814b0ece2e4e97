import Vocabulary
import Text

extension ReportPage {
  /// The timeline: a line for each table, with both threads, and one for each final stage.
  var times: Section? {
    guard !outcome.stages.isEmpty else { return nil }
    var lines: [(name: String, stages: [StageTime])] = []
    for stage in outcome.stages {
      let name = stage.table ?? stage.stage.title
      if let index = lines.firstIndex(where: { $0.name == name }) {
        lines[index].stages.append(stage)
      } else {
        lines.append((name, [stage]))
      }
    }
    let waited = outcome.waitedForOthers
    let search = outcome.search.map { search -> HTML in
      """
       The full-text search over \(search.entries.of("name")) took \(search.seconds.asSeconds) and uses \
      \(search.bytes.asSize).
      """
    }
    return Section(
      "times", "Time",
      """
      <p>\(outcome.seconds.asSeconds) in total\(if: waited > 0, ", without \(waited.asSeconds) of waiting for a lock"). One thread reads and checks; the other inserts and builds \
      indexes. Each sorts index entries when it would wait. The times of both include waiting: the reader waited \(outcome.readerWaited.asSeconds) for the writer, and the \
      writer \(outcome.writerWaited.asSeconds) for the reader.\(search)\(outcome.publishing.map { " Publishing: \($0.words)." as HTML })</p>
      <p class="legend">\(key("survey", "first reading"))\(key("read", "reading"))\
      \(key("insert", "inserting"))\(key("index", "indexes"))\(key("end", "whole database"))</p>
      <div class="waterfall">
      \(axis)<ol>
      \(lines.map { line($0.name, $0.stages) })</ol>
      </div>
      """)
  }

  private var span: Double { max(outcome.seconds, outcome.stages.map(\.end).max() ?? 0, 1e-6) }

  /// The distance between marks: 1, 2 or 5 times a power of ten, for four to nine marks.
  private var step: Double {
    var step = 1e-6
    while true {
      for factor in [1.0, 2, 5] where span / (step * factor) <= 5 { return step * factor }
      step *= 10
    }
  }

  private var axis: HTML {
    let marks = Int(span / step)
    let decimals = step >= 1 ? 0 : step >= 0.1 ? 1 : step >= 0.01 ? 2 : 3
    let labels = (0...marks).map { mark -> HTML in
      let seconds = Double(mark) * step
      return """
        <span style="left:\(position(seconds))">\(seconds.rounded(decimals: decimals))\
        \(mark == marks ? " s" : "")</span>
        """
    }
    let names = Self.columns.map { "<span>\($0.name)</span>" as HTML }
    return """
      <div class="axis" aria-hidden="true"><span class="name"></span><div>\(labels)</div>\(names)</div>

      """
  }

  private static let columns: [(name: String, stages: [StageTime.Stage])] = [
    ("reading", [.survey, .read]), ("inserting", [.insert, .derive]), ("indexes", [.index]),
  ]

  private func line(_ name: String, _ stages: [StageTime]) -> HTML {
    let bars = stages.map { stage -> HTML in
      """
      <span class="\(stage.stage.style)" style="left:\(position(stage.start));\
      width:\(position(stage.seconds))"></span>
      """
    }
    return """
      <li><span class="name">\(name)</span><span class="track" aria-hidden="true" \
      style="--step:\(position(step))">\(bars)</span>\(numbers(stages))</li>

      """
  }

  private func numbers(_ stages: [StageTime]) -> HTML {
    if let whole = stages.first, whole.table == nil {
      return "<span class=\"seconds\">\(whole.seconds.asSeconds)</span>"
    }
    let cells = Self.columns.map { name, kinds -> HTML in
      let times = stages.filter { kinds.contains($0.stage) }
      guard !times.isEmpty else { return "<span class=\"seconds none\"></span>" }
      let seconds = times.reduce(0) { $0 + $1.seconds }
      return
        "<span class=\"seconds\"><span class=\"label\">\(name)</span> \(seconds.asSeconds)</span>"
    }
    return "\(cells)"
  }

  private func position(_ seconds: Double) -> String { length(seconds, of: span) }

  /// The rows and the changed keys of the runs that led to the database; nil for the first of them.
  var history: Section? {
    let runs = outcome.history.runs
    guard runs.count > 1, let first = runs.first, let last = runs.last else { return nil }
    let rows = runs.map { run in run.tables.reduce(0) { $0 + $1.rows } }
    let changes = runs.map { run in
      run.tables.compactMap(\.keys).sum.map { $0.added + $0.lost } ?? 0
    }
    return Section(
      "history", "History",
      """
      \(chart("Rows", rows, of: first, last))
      \(chart("Keys added, removed and changed", changes, of: first, last))
      <p class="muted"><code>ingest history \(options.output.name)</code> prints the figures.</p>
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
    "\(run.dataTime.map { " (data of \(String($0.prefix(10))))" as HTML })"
  }

  private func pixels(_ length: Double) -> String { length.rounded(decimals: 1) }
}

extension StageTime.Stage {
  /// The title of the stage; on the page, a stage of a table has the title of its column.
  package var title: String {
    switch self {
    case .survey, .insert: rawValue
    case .read: "reading"
    case .index: "indexes"
    case .derive: "derived tables"
    case .finish: "completing the database"
    case .search: "search"
    case .sql: "custom SQL"
    case .verify: "verifying"
    case .compare: "comparing"
    case .publish: "publishing"
    }
  }

  fileprivate var style: String {
    switch self {
    case .survey, .read, .insert, .index: rawValue
    case .derive: Self.insert.rawValue
    case .finish, .search, .sql, .verify, .compare, .publish: "end"
    }
  }
}
