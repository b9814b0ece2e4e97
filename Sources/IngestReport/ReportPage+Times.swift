import Vocabulary
import Text

extension ReportPage {
  /// The timeline: a line for each table, with both threads, and one for each final stage.
  var times: Section? {
    guard !report.stages.isEmpty else { return nil }
    var lines: [(name: String, stages: [StageTime])] = []
    for stage in report.stages {
      let name = stage.table ?? stage.stage.title
      if let index = lines.firstIndex(where: { $0.name == name }) {
        lines[index].stages.append(stage)
      } else {
        lines.append((name, [stage]))
      }
    }
    return Section(
      id: "times", title: "Time",
      content: """
        <p>\(report.seconds.asSeconds) in total\(waited). One thread reads and checks; the other inserts and builds \
        indexes. Their times include waiting: the reader waited \(report.readerWaited.asSeconds) for the writer, and the \
        writer \(report.writerWaited.asSeconds) for the reader.\(search)\(publishing)</p>
        <p class="legend">\(key("survey", "first reading"))\(key("read", "reading"))\
        \(key("insert", "inserting"))\(key("index", "indexes"))\(key("end", "whole database"))</p>
        <div class="waterfall">
        \(axis)<ol>
        \(lines.map { line($0.name, $0.stages) })</ol>
        </div>
        """)
  }

  private var waited: HTML {
    guard report.waitedForOthers > 0 else { return .empty }
    return ", without \(report.waitedForOthers.asSeconds) of waiting for a lock"
  }

  private var search: HTML {
    guard let search = report.search else { return "" }
    return
      """
       The full-text search over \(search.entries.of("name")) took \(search.seconds.asSeconds) and \
      uses \(search.bytes.asSize).
      """
  }

  private var publishing: HTML {
    guard let publishing = report.publishing else { return "" }
    return " Publishing: \(publishing.words)."
  }

  private var span: Double {
    max(report.seconds, report.stages.map(\.end).max() ?? 0, 1e-6)
  }

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
      width:\(position(stage.end - stage.start))"></span>
      """
    }
    return """
      <li><span class="name">\(name)</span><span class="track" aria-hidden="true" \
      style="--step:\(position(step))">\(bars)</span>\(numbers(stages))</li>

      """
  }

  private func numbers(_ stages: [StageTime]) -> HTML {
    if let whole = stages.first, whole.table == nil {
      return "<span class=\"seconds\">\((whole.end - whole.start).asSeconds)</span>"
    }
    return "\(Self.columns.map { number($0.name, stages, $0.stages) })"
  }

  private func number(
    _ name: String, _ stages: [StageTime], _ kinds: [StageTime.Stage]
  ) -> HTML {
    let times = stages.filter { kinds.contains($0.stage) }
    guard !times.isEmpty else { return "<span class=\"seconds none\"></span>" }
    let seconds = times.reduce(0) { $0 + $1.end - $1.start }
    return
      "<span class=\"seconds\"><span class=\"label\">\(name)</span> \(seconds.asSeconds)</span>"
  }

  private func position(_ seconds: Double) -> String { length(seconds, of: span) }
}

extension StageTime.Stage {
  /// The title of the stage; a stage of a table has the title of its column.
  package var title: String {
    switch self {
    case .survey, .read, .insert, .index, .derive: rawValue
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
