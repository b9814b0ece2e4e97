import RebrickableCatalog
import ReferenceLoops
import SQLiteSwiftly

/// The first rows of inventory_parts, read and checked by the pipeline, in every form that an insert
/// takes them.
struct PartRows: Sendable {
  /// The most rows that are kept, so that memory does not depend on the dumps.
  static let limit = 300_000
  /// Their number is a multiple of this, so that statements of as many rows take them all.
  static let multiple = 100

  /// The rows, whose texts stand in `arena`.
  let parts: [reference_part]
  let arena: [UInt8]
  /// Where the batches end in which the pipeline's reader handed them over.
  let batchEnds: [Int]

  /// Reads the usual dumps.
  init(of workbench: Workbench) throws {
    var parts: [reference_part] = []
    var arena: [UInt8] = []
    var ends: [Int] = []
    let count = min(Self.limit, workbench.rows) / Self.multiple * Self.multiple
    let reading = try ReadingStage(
      RebrickableCatalog.schema, source: workbench.dumps(.plain))
    _ = try reading.run { batch, table in
      guard table == RebrickableCatalog.inventoryPartsIndex, batch.rows > 0 else { return }
      for row in 0..<min(batch.rows, count - parts.count) {
        parts.append(reference_part(batch, row: row, &arena))
      }
      if ends.last != parts.count { ends.append(parts.count) }
    }
    self.parts = parts
    self.arena = arena
    batchEnds = ends
  }

  /// Calls `body` with batches of so many rows, which all use one arena.
  func batches(of rows: Int) -> Batches {
    Batches(
      stride(from: 0, to: parts.count, by: rows).map { $0..<min($0 + rows, parts.count) }, self)
  }

  /// The batches as the pipeline's reader made them.
  func readersBatches() -> Batches {
    Batches(zip([0] + batchEnds, batchEnds).map { $0..<$1 }, self)
  }

  /// The rows as an `InsertStatement` takes them.
  func values() -> [[SQLiteValue]] {
    func text(_ start: UInt32, _ count: Int) -> SQLiteValue {
      .text(String(decoding: arena[Int(start)..<Int(start) + count], as: UTF8.self))
    }
    return parts.map { part in
      [
        .integer(part.inventory_id), text(part.part_num, Int(part.part_num_bytes)),
        .integer(part.color_id), .integer(part.quantity), .integer(part.is_spare),
        part.img_url_bytes < 0 ? .null : text(part.img_url, Int(part.img_url_bytes)),
      ]
    }
  }
}

/// Batches that are filled beforehand.
final class Batches {
  private var batches: [Batch] = []

  /// A batch on the heap, where an array can hold it.
  private final class Batch {
    let rows: RowBatch

    init(_ parts: ArraySlice<reference_part>, _ arena: [UInt8]) {
      var rows = RowBatch(cells: parts.count * 6, textCapacity: 0)
      rows.text = arena
      rows.restart(columns: 6)
      for part in parts { rows.append(part) }
      self.rows = rows
    }
  }

  init(_ ranges: [Range<Int>], _ rows: PartRows) {
    batches = ranges.map { Batch(rows.parts[$0], rows.arena) }
  }

  /// Calls `body` with each batch.
  func forEach(_ body: (borrowing RowBatch) throws(SQLiteError) -> Void) throws(SQLiteError) {
    for batch in batches { try body(batch.rows) }
  }
}

extension RowBatch {
  fileprivate mutating func append(_ part: reference_part) {
    func text(_ start: UInt32, _ count: Int) -> Cell { .text(Int(start)..<Int(start) + count) }
    append([
      .integer(part.inventory_id), text(part.part_num, Int(part.part_num_bytes)),
      .integer(part.color_id), .integer(part.quantity), .integer(part.is_spare),
      part.img_url_bytes < 0 ? .null : text(part.img_url, Int(part.img_url_bytes)),
    ])
  }
}

extension reference_part {
  /// Copies a row of a batch, and its texts into an arena.
  fileprivate init(_ batch: borrowing RowBatch, row: Int, _ arena: inout [UInt8]) {
    self.init()
    func integer(_ column: Int) -> Int64 {
      if case .integer(let value) = batch.cell(row: row, column: column) { value } else { 0 }
    }
    inventory_id = integer(0)
    color_id = integer(2)
    quantity = integer(3)
    is_spare = integer(4)
    img_url_bytes = -1
    for column in [1, 5] {
      guard case .text(let place) = batch.cell(row: row, column: column) else { continue }
      let start = UInt32(arena.count)
      arena += batch.text[place]
      if column == 1 {
        (part_num, part_num_bytes) = (start, UInt32(place.count))
      } else {
        (img_url, img_url_bytes) = (start, Int32(place.count))
      }
    }
  }
}
