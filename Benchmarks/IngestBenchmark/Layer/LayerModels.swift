import SQLiteSwiftly

/// The part of the rate of `forEachRow` that a query of models must reach.
private let bar = 0.7

/// Rows in the shape of `inventory_parts` that become an array of a model, whose texts are copied.
func compareReadsOfModels(rows count: Int, on store: Store) throws -> LayerWork {
  let rows = MadeParts(count: count)
  let (database, connection) = try rows.stored(in: store)
  func contender(
    _ name: String, _ bar: Double, of rival: String? = "forEachRow",
    _ read: @escaping () throws -> Sums
  ) -> LayerWork.Contender {
    LayerWork.Contender(
      side: Side(name: name) {
        var sums = Sums()
        let time = try processorSeconds { sums = try read() }
        return LayerWork.Sample(seconds: time, sums: sums)
      }, bar: bar, rival: rival)
  }
  return LayerWork(
    name: "reads of models, \(store.name)", expected: rows.expected,
    reference: Side(name: "C loop") {
      var sums = Sums()
      let time = try processorSeconds { sums = try database.readPartModels() }
      return LayerWork.Sample(seconds: time, sums: sums)
    },
    contenders: [
      contender("forEachRow", 0.5, of: nil) { Sums(try partsByForEachRow(connection)) },
      contender("query(as:)", bar) {
        Sums(try connection.query(MadeParts.selection, as: DecodedPart.self).map(\.part))
      },
      contender("query(as:), by name", bar) {
        Sums(try connection.query(MadeParts.selection, as: NamedPart.self).map(\.part))
      },
      contender("query(as:), Codable", 0.4, of: "query(as:), by name") {
        Sums(try connection.query(MadeParts.selection, as: MadeParts.Part.self))
      },
      contender("query(as:), tuple", 0.6) {
        let type = (Int, String, Int, Int, Bool, String?).self
        return Sums(
          try connection.query(MadeParts.selection, as: type).map {
            MadeParts.Part(
              inventoryID: $0.0, partNumber: $0.1, colorID: $0.2, quantity: $0.3, isSpare: $0.4,
              imageURL: $0.5)
          })
      },
    ])
}

private func partsByForEachRow(_ connection: Connection) throws -> [MadeParts.Part] {
  var parts: [MadeParts.Part] = []
  try connection.forEachRow(of: MadeParts.selection) { row throws(SQLiteError) in
    parts.append(
      MadeParts.Part(
        inventoryID: Int(try row.integer(at: 0) ?? 0), partNumber: try row.text(at: 1) ?? "",
        colorID: Int(try row.integer(at: 2) ?? 0), quantity: Int(try row.integer(at: 3) ?? 0),
        isSpare: try row.integer(at: 4) != 0, imageURL: try row.text(at: 5)))
  }
  return parts
}

/// A part that any decoder can read, by the positions of its columns.
private struct DecodedPart: QueryDecodable {
  let part: MadeParts.Part

  init<Decoder: QueryDecoder & ~Copyable & ~Escapable>(
    decoder: inout Decoder
  ) throws(Decoder.Failure) {
    part = MadeParts.Part(
      inventoryID: try Int(decoder: &decoder), partNumber: try String(decoder: &decoder),
      colorID: try Int(decoder: &decoder), quantity: try Int(decoder: &decoder),
      isSpare: try Bool(decoder: &decoder), imageURL: try decoder.decode(String.self))
  }
}

/// A part that is read by the names of its columns.
private struct NamedPart: RowDecodable {
  let part: MadeParts.Part

  init(row: borrowing Row) throws(SQLiteError) {
    part = MadeParts.Part(
      inventoryID: try row["inventory_id"], partNumber: try row["part_num"],
      colorID: try row["color_id"], quantity: try row["quantity"], isSpare: try row["is_spare"],
      imageURL: try row["img_url"])
  }
}

extension Sums {
  /// The sums over parts that were read.
  fileprivate init(_ parts: [MadeParts.Part]) {
    self.init(rows: Int64(parts.count))
    for part in parts {
      integers += Int64(part.inventoryID + part.colorID + part.quantity)
      integers += part.isSpare ? 1 : 0
      textBytes += Int64(part.partNumber.utf8.count + (part.imageURL?.utf8.count ?? 0))
    }
  }
}
