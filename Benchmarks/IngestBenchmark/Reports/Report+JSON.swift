import SQLiteSwiftly

extension Report {
  /// The figures with all their digits.
  var json: String {
    """
    {
      "machine": {
        "processor": \(conditions.machine.processor.json),
        "processors": \(conditions.machine.processors),
        "system": \(conditions.machine.system.json)
      },
      "sqlite": \(conditions.sqlite.json),
      "rounds": \(conditions.rounds),
      "rows": \(conditions.rows),
      "notes": [\(notes.map(\.json).joined(separator: ", "))],
      "measurements": [
    \(measurements.map { "    " + $0.json }.joined(separator: ",\n"))
      ]
    }

    """
  }

  /// Reads a report from the file that an earlier run wrote.
  init(file: String) throws {
    let json = try textFile(file)
    do {
      try self.init(json: json)
    } catch {
      let reason = (error as? Failure)?.message ?? (error as? SQLiteError)?.message ?? "\(error)"
      throw Failure.data("\(file) cannot be compared with: \(reason)")
    }
  }

  /// Reads a report that was written as JSON; SQLite is the one that knows JSON here.
  init(json: String) throws {
    let connection = try Connection.inMemory()
    let head = try connection.query(
      """
      SELECT json_extract(json, '$.machine.processor'), json_extract(json, '$.machine.processors'),
        json_extract(json, '$.machine.system'), json_extract(json, '$.sqlite'),
        json_extract(json, '$.rounds'), json_extract(json, '$.rows')
      FROM (SELECT \(json) AS json)
      """)
    let measurements = try connection.query(
      """
      SELECT json_extract(value, '$.subject'), json_extract(value, '$.name'),
        json_extract(value, '$.unit'), json_extract(value, '$.figure.median'),
        json_extract(value, '$.figure.least'), json_extract(value, '$.figure.greatest'),
        json_extract(value, '$.compared_with'), json_extract(value, '$.ratio.median'),
        json_extract(value, '$.ratio.least'), json_extract(value, '$.ratio.greatest'),
        json_extract(value, '$.bar.at_least'), json_extract(value, '$.bar.at_most')
      FROM json_each(\(json), '$.measurements')
      """)
    self.init(
      conditions: try Conditions(values: head.first ?? []),
      measurements: try measurements.map { try Measurement(values: $0) },
      notes: try connection.query(
        "SELECT value FROM json_each(\(json), '$.notes')", as: String.self))
  }
}

extension Conditions {
  /// Reads the values that the query for conditions gives.
  fileprivate init(values: [SQLiteValue]) throws(Failure) {
    guard values.count == 6, let processor = values[0].textValue,
      let processors = values[1].integerValue, let system = values[2].textValue,
      let sqlite = values[3].textValue, let rounds = values[4].integerValue,
      let rows = values[5].integerValue
    else { throw .data("not a report of this benchmark") }
    self.init(
      machine: Machine(processor: processor, processors: Int(processors), system: system),
      sqlite: sqlite, rounds: Int(rounds), rows: Int(rows))
  }
}

extension Measurement {
  fileprivate var json: String {
    let bar: String? =
      switch self.bar {
      case .atLeast(let least): "{\"at_least\": \(least)}"
      case .atMost(let most): "{\"at_most\": \(most)}"
      case nil: nil
      }
    let members = [
      ("subject", subject.rawValue.json), ("name", name.json), ("unit", unit.rawValue.json),
      ("figure", figure.json), ("compared_with", comparison?.reference.json),
      ("ratio", comparison?.ratio.json), ("bar", bar), ("met", isMet.map { "\($0)" }),
    ]
    let written = members.compactMap { name, value in value.map { "\"\(name)\": \($0)" } }
    return "{\(written.joined(separator: ", "))}"
  }

  /// Reads the values that the query for measurements gives.
  fileprivate init(values: [SQLiteValue]) throws(Failure) {
    guard let subject = values[0].textValue.flatMap(Subject.init), let name = values[1].textValue,
      let unit = values[2].textValue.flatMap(Unit.init), let figure = Spread(values[3...5])
    else { throw .data("the report has an incomplete or unknown measurement") }
    self.init(
      subject: subject, name: name, unit: unit, figure: figure,
      comparison: values[6].textValue.flatMap { reference in
        Spread(values[7...9]).map { Comparison(reference: reference, ratio: $0) }
      },
      bar: values[10].number.map(Bar.atLeast) ?? values[11].number.map(Bar.atMost))
  }
}

extension Spread {
  fileprivate var json: String {
    """
    {"median": \(median), "least": \(least), "greatest": \(greatest)}
    """
  }

  fileprivate init?(_ values: ArraySlice<SQLiteValue>) {
    let numbers = values.compactMap(\.number)
    guard numbers.count == 3 else { return nil }
    self.init(median: numbers[0], least: numbers[1], greatest: numbers[2])
  }
}

extension SQLiteValue {
  /// The number, whether JSON wrote it with a point or without.
  fileprivate var number: Double? {
    switch self {
    case .real(let value): value
    case .integer(let value): Double(value)
    default: nil
    }
  }
}

extension String {
  /// The text as JSON has it.
  fileprivate var json: String {
    let characters = unicodeScalars.map { scalar in
      switch scalar {
      case "\"", "\\": "\\\(scalar)"
      case "\u{0}"..<" ": "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
      default: "\(scalar)"
      }
    }
    return "\"\(characters.joined())\""
  }
}
