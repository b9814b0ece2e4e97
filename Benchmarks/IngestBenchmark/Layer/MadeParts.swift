import DumpGenerator
import ReferenceLoops
import SQLiteSwiftly

/// Rows in the shape of `inventory_parts`, with values like Rebrickable's, as a program has them.
struct MadeParts {
  static let table = TableDescription(
    "inventory_parts",
    columns: [
      ColumnDescription("inventory_id", .integer),
      ColumnDescription("part_num", .text),
      ColumnDescription("color_id", .integer),
      ColumnDescription("quantity", .integer),
      ColumnDescription("is_spare", .integer),
      ColumnDescription("img_url", .text, isNullable: true),
    ],
    primaryKey: ["inventory_id", "part_num", "color_id", "is_spare"])
  // Not the description's own definition, for the reason that IntegerRows states.
  static let creation: SQL = """
    CREATE TABLE inventory_parts (inventory_id INTEGER, part_num TEXT, color_id INTEGER,
      quantity INTEGER, is_spare INTEGER, img_url TEXT)
    """
  static let insertion: SQL = "INSERT INTO inventory_parts VALUES (?, ?, ?, ?, ?, ?)"
  static let selection: SQL = """
    SELECT inventory_id, part_num, color_id, quantity, is_spare, img_url FROM inventory_parts
    """
  /// A row, as a program might have it.
  struct Part: Decodable {
    enum CodingKeys: String, CodingKey {
      case inventoryID = "inventory_id", partNumber = "part_num", colorID = "color_id", quantity
      case isSpare = "is_spare", imageURL = "img_url"
    }

    let inventoryID: Int
    let partNumber: String
    let colorID: Int
    let quantity: Int
    let isSpare: Bool
    let imageURL: String?
  }

  let parts: [Part]

  init(count: Int) {
    var random = SplitMix64(seed: 0)
    var inventoryID = 1
    parts = (0..<count).map { _ in
      if random.happens(perMille: 20) { inventoryID += 1 }
      return Part(
        inventoryID: inventoryID, partNumber: Self.partNumber(&random),
        colorID: Int.random(in: -1..<200, using: &random),
        quantity: random.happens(perMille: 430) ? 1 : Int.random(in: 2...12, using: &random),
        isSpare: random.happens(perMille: 55), imageURL: Self.imageURL(&random))
    }
  }

  /// `3001`, `30414`, `3068bpr0123`, `cardupn3138pr0009` …, about as often as they occur.
  private static func partNumber(_ random: inout SplitMix64) -> String {
    let number = Int.random(in: 2300..<4800, using: &random)
    let print = Int.random(in: 1000..<10_000, using: &random)
    return switch Int.random(in: 0..<1000, using: &random) {
    case 0..<460: "\(number)"
    case 460..<870: "\(number * 10 + print % 10)"
    case 870..<905: "\(number)b"
    case 905..<950: "\(number)bpr\(print)"
    case 950..<990: "973pr\(print)c01"
    case 990..<998: "970c00pr\(print)"
    default: "cardupn\(number)bpr\(print)c1"
    }
  }

  private static func imageURL(_ random: inout SplitMix64) -> String? {
    let element = Int.random(in: 4_000_000..<6_600_000, using: &random)
    return random.happens(perMille: 5)
      ? nil : "https://cdn.rebrickable.com/media/parts/elements/\(element).jpg"
  }

  /// What must be found in the table.
  var expected: Sums {
    parts.reduce(into: Sums(rows: Int64(parts.count))) { sums, part in
      sums.integers += Int64(part.inventoryID + part.colorID + part.quantity)
      sums.integers += part.isSpare ? 1 : 0
      sums.textBytes += Int64(part.partNumber.utf8.count + (part.imageURL?.utf8.count ?? 0))
    }
  }

  /// The rows as an `InsertStatement` takes them.
  func made() -> [[SQLiteValue]] {
    parts.map { part in
      [
        .integer(Int64(part.inventoryID)), .text(part.partNumber), .integer(Int64(part.colorID)),
        .integer(Int64(part.quantity)), .integer(part.isSpare ? 1 : 0),
        part.imageURL.map { .text($0) } ?? .null,
      ]
    }
  }

  /// The rows as the reference takes them, and the texts that they point into.
  func madeForReference() -> (parts: [reference_part], arena: [UInt8]) {
    var arena: [UInt8] = []
    func place(_ text: String) -> (start: UInt32, count: Int) {
      let start = arena.count
      arena += text.utf8
      return (UInt32(start), arena.count - start)
    }
    let rows = parts.map { part in
      let number = place(part.partNumber)
      let image = part.imageURL.map(place)
      return reference_part(
        inventory_id: Int64(part.inventoryID), color_id: Int64(part.colorID),
        quantity: Int64(part.quantity), is_spare: part.isSpare ? 1 : 0,
        part_num: number.start, part_num_bytes: UInt32(number.count),
        img_url: image?.start ?? 0, img_url_bytes: image.map { Int32($0.count) } ?? -1)
    }
    return (rows, arena)
  }
}

extension MadeParts {
  /// The rows in a database of the reference, whose statement reads them, and in one of the layer.
  func stored(in store: Store) throws -> (ReferenceDatabase, Connection) {
    let (referenceRows, arena) = madeForReference()
    let database = try store.makeReference(Self.creation)
    try database.prepare(Self.insertion)
    try database.insert(referenceRows, arena: arena)
    try database.prepare(Self.selection)
    let connection = try store.makeConnection(Self.creation)
    _ = try insert(made(), into: Self.table, on: connection)
    return (database, connection)
  }
}

extension SplitMix64 {
  /// Whether an event of `perMille` in a thousand happens.
  fileprivate mutating func happens(perMille: Int) -> Bool {
    Int.random(in: 0..<1000, using: &self) < perMille
  }
}
