import Vocabulary
import CSV
import Platform
import Compression
import RebrickableCatalog
import SQLiteSwiftly
import Schema

/// Each stage of the pipeline alone, on the dumps.
struct Stages {
  private let workbench: Workbench
  private let contents: DumpContents
  private let parts = RebrickableCatalog.inventoryParts

  init(_ workbench: Workbench) throws {
    self.workbench = workbench
    contents = try workbench.contents
  }

  func measurements() throws -> [Measurement] {
    try inflate() + parse() + read() + insert() + insertAll()
  }

  /// Measures one stage, with its rate and the seconds that it takes.
  private func rate(
    _ name: String, _ unit: Unit, amount: Double, bar: Bar? = nil,
    _ run: @escaping () throws -> Double
  ) throws -> [Measurement] {
    let seconds = try inTurn([Side(name: name, run: run)], rounds: workbench.rounds)[0]
    return [
      Series(name: name, unit: unit, figures: seconds.map { amount / $0 })
        .measurement(of: .stages, bar: bar),
      Series(name: name, unit: .seconds, figures: seconds).measurement(of: .stages),
    ]
  }

  private func inflate() throws -> [Measurement] {
    let path = try workbench.dumps(.compressed) + "/\(parts.name).csv.gz"
    let bytes = contents.bytes[parts.name] ?? 0
    var block = [UInt8](repeating: 0, count: 256 << 10)
    return try rate("inflate", .megabytesPerSecond, amount: Double(bytes) / 1e6) {
      var found = 0
      let seconds = try processorSeconds {
        var reader = try GzipReader(FileReader(path: path))
        var count = block.count
        while count == block.count {
          var room = block.mutableSpan
          count = try reader.read(into: &room)
          found += count
        }
      }
      try check(found, is: bytes, in: "inflate, bytes")
      return seconds
    }
  }

  private func parse() throws -> [Measurement] {
    try [(Dumps.Form.plain, "parse"), (.quoted, "parse, all quoted")].flatMap { form, name in
      let path = try workbench.dumps(form) + "/\(parts.name).csv"
      let bytes = try fileSize(path)
      return try rate(name, .megabytesPerSecond, amount: Double(bytes) / 1e6) {
        var batch = RecordBatch(capacity: 256 << 10, records: 12 << 10, fields: 128 << 10)
        var records = 0
        let seconds = try processorSeconds {
          var reader = try FileReader(path: path)
          var parser = Parser()
          var isAtEnd = false
          while !isAtEnd || !batch.unparsed.isEmpty {
            if !isAtEnd {
              isAtEnd = try batch.fill { room throws(FileError) in try reader.read(into: &room) }
            }
            try parser.parse(&batch, isLast: isAtEnd)
            records += batch.records.count
            batch.discardParsed()
          }
        }
        try check(records - 1, is: contents.records[parts.name], in: "\(name), records")
        return seconds
      }
    }
  }

  private func read() throws -> [Measurement] {
    let forms = [
      (Dumps.Form.plain, "parse and validate"), (.quoted, "parse and validate, all quoted"),
    ]
    return try forms.flatMap { form, name in
      let folder = try workbench.dumps(form)
      let bytes = try contents.records.keys.reduce(0) { try $0 + fileSize("\(folder)/\($1).csv") }
      let reading = try ReadingStage(RebrickableCatalog.schema, source: folder)
      let measured = try rate(
        name, .megabytesPerSecond, amount: Double(bytes) / 1e6, bar: .atLeast(350)
      ) {
        let outcome = try reading.run { _, _ in }
        let read = outcome.accounts.map { ($0.table, $0.read - $0.rejected) }
        try check(
          Dictionary(uniqueKeysWithValues: read), is: contents.records, in: "\(name), good records")
        return outcome.processorSeconds
      }
      let rows = Double(contents.allRecords) / 1e6
      let seconds = measured[1].figure
      let rate = Spread(
        median: rows / seconds.median, least: rows / seconds.greatest,
        greatest: rows / seconds.least)
      return measured + [
        Measurement(subject: .stages, name: name, unit: .millionRowsPerSecond, figure: rate)
      ]
    }
  }

  /// The pipeline's insert stage beside the loop in C.
  private func insert() throws -> [Measurement] {
    let table = HotPath.Form.catalog.table
    let loading = try Loading(workbench, table: table)
    let rows = try workbench.someParts.get()
    let batches = rows.readersBatches()
    let expected = contents.keptPartSums
    let sides = [
      Side(name: "loop in C") {
        try loading.insert(rows, rowsPerStatement: 1, expecting: expected, in: "the loop in C")
      },
      Side(name: "insert") {
        let path = workbench.freshPath("stage.sqlite")
        defer { removeFile(path) }
        try makeEmptyFile(path)
        var writing = try WritingStage(path, schema: schema(of: table))
        let seconds = try processorSeconds {
          try batches.forEach { batch throws(SQLiteError) in try writing.insert(batch, table: 0) }
          try writing.end(table: 0)
        }
        _ = consume writing
        let connection = try Connection(path, opening: .readOnly)
        try check(connection.sums(Sums.ofParts), is: expected, in: "insert")
        return seconds
      },
    ]
    let series = zip(sides, try inTurn(sides, rounds: workbench.rounds)).map { side, seconds in
      Series(
        name: side.name, unit: .millionRowsPerSecond,
        figures: seconds.map { Double(rows.parts.count) / $0 / 1e6 })
    }
    return [
      series[0].measurement(of: .stages),
      series[1].measurement(of: .stages, against: series[0], bar: .atLeast(1.7)),
    ]
  }

  /// The insert of all rows of inventory_parts, as the reader sends them.
  private func insertAll() throws -> [Measurement] {
    let reading = try ReadingStage(RebrickableCatalog.schema, source: workbench.dumps(.plain))
    let side = Side(name: "insert") {
      let path = workbench.freshPath("stage.sqlite")
      defer { removeFile(path) }
      try makeEmptyFile(path)
      var writing = try WritingStage(path, schema: schema(of: parts))
      // This thread only inserts, and waits for the reader without using a processor.
      let seconds = try processorSeconds {
        _ = try reading.run { batch, table throws(SQLiteError) in
          if table == RebrickableCatalog.inventoryPartsIndex { try writing.insert(batch, table: 0) }
        }
        try writing.end(table: 0)
      }
      _ = consume writing
      let connection = try Connection(path, opening: .readOnly)
      try check(connection.sums(Sums.ofParts), is: contents.partSums, in: "insert of all rows")
      return seconds
    }
    let seconds = try inTurn([side], rounds: workbench.rounds)[0]
    return [Series(name: "insert", unit: .seconds, figures: seconds).measurement(of: .stages)]
  }
}

/// The schema of one table on its own, without references to others.
func schema(of table: TableDescription) -> SchemaDescription {
  let alone = TableDescription(
    table.name, columns: table.columns, primaryKey: table.primaryKey, uniqueKeys: table.uniqueKeys,
    indexes: table.indexes)
  return SchemaDescription(
    tables: [alone], applicationID: RebrickableCatalog.schema.applicationID,
    version: RebrickableCatalog.schema.version)
}
