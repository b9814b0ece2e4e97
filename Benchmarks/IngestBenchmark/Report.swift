import SQLiteSwiftly

/// The figures, as a table and as JSON.
struct Report {
  let rounds: Int
  private var results: [Comparison.Result] = []

  init(rounds: Int) { self.rounds = rounds }

  /// The lines above those of the results.
  var header: String {
    """
    SQLite \(SQLiteLibrary.version); medians of \(rounds) rounds (least to greatest)

    \(Self.line([
      "subject", "place", "side", "million rows/s", "time / time of C", "bar",
    ]))
    """
  }

  /// Adds the results of a comparison, and returns their lines of the table.
  mutating func add(_ results: [Comparison.Result]) -> String {
    self.results += results
    let contenders = results.map { result in
      let comparison = result.comparison
      return Self.line([
        comparison.subject.rawValue, comparison.place, result.contender,
        Self.rate(result, result.seconds), Self.text(result.ratio, decimals: 3),
        "\(comparison.bar.rounded(decimals: 2)) \(result.meetsBar ? "met" : "missed")",
      ])
    }
    return results.prefix(1).map(Self.referenceLine).joined() + contenders.joined()
  }

  private static func referenceLine(_ result: Comparison.Result) -> String {
    let comparison = result.comparison
    return line([
      comparison.subject.rawValue, comparison.place, comparison.reference.name,
      rate(result, result.referenceSeconds),
    ])
  }

  private static func line(_ cells: [String]) -> String {
    let widths = [17, 8, 22, 22, 24, 12]
    let padded = zip(cells, widths).map { cell, width in cell.padded(to: width) }
    return padded.joined() + "\n"
  }

  /// The rows of a second, in millions; the least seconds are the greatest rate.
  private static func rate(_ result: Comparison.Result, _ seconds: Spread) -> String {
    let rows = Double(result.comparison.expected.rows)
    let rates = [seconds.least, seconds.median, seconds.greatest].map { rows / $0 / 1e6 }
    return text(Spread(rates), decimals: 2)
  }

  private static func text(_ spread: Spread, decimals: Int) -> String {
    let figures = [spread.median, spread.least, spread.greatest]
    let texts = figures.map { $0.rounded(decimals: decimals) }
    return "\(texts[0]) (\(texts[1]) to \(texts[2]))"
  }

  /// The figures with all their digits; times are in seconds.
  var json: String {
    let objects = results.map { result in
      """
          {
            "subject": "\(result.comparison.subject.rawValue)",
            "place": "\(result.comparison.place)",
            "contender": "\(result.contender)",
            "rows": \(result.comparison.expected.rows),
            "reference_seconds": \(Self.json(result.referenceSeconds)),
            "seconds": \(Self.json(result.seconds)),
            "ratio": \(Self.json(result.ratio)),
            "bar": \(result.comparison.bar),
            "met": \(result.meetsBar)
          }
      """
    }
    return """
      {
        "sqlite": "\(SQLiteLibrary.version)",
        "rounds": \(rounds),
        "results": [
      \(objects.joined(separator: ",\n"))
        ]
      }

      """
  }

  private static func json(_ spread: Spread) -> String {
    """
    {"median": \(spread.median), "least": \(spread.least), "greatest": \(spread.greatest)}
    """
  }
}

extension String {
  /// The text with blanks behind it, if it is shorter than `count` characters.
  func padded(to count: Int) -> String {
    self + String(repeating: " ", count: Swift.max(0, count - self.count))
  }
}

extension Double {
  /// The number, not negative, with some decimals: `1.05`.
  fileprivate func rounded(decimals: Int) -> String {
    let scale = (0..<decimals).reduce(1) { scale, _ in scale * 10 }
    let scaled = Int((self * Double(scale)).rounded())
    return "\(scaled / scale).\(String(scaled % scale + scale).dropFirst())"
  }
}
