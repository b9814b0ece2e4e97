import ReferenceLoops
import SQLiteSwiftly

/// Checksums that verify rows after a benchmark.
struct Sums: Equatable {
  var rows: Int64 = 0
  /// The sum of all integers.
  var integers: Int64 = 0
  /// The sum of the lengths of all texts, in bytes.
  var textBytes: Int64 = 0

  /// The query for the sums over inventory_parts.
  static let ofParts: SQL = """
    SELECT count(*), ifnull(sum(inventory_id + color_id + quantity + is_spare), 0),
      ifnull(sum(length(CAST(part_num AS BLOB)) + ifnull(length(CAST(img_url AS BLOB)), 0)), 0)
    FROM inventory_parts
    """
}

extension Sums {
  /// The sums that a loop of the reference found.
  init(_ sums: reference_sums) {
    self.init(rows: sums.rows, integers: sums.integers, textBytes: sums.text_bytes)
  }
}

extension Sums: CustomStringConvertible {
  var description: String { "\(rows) rows, integers \(integers), text bytes \(textBytes)" }
}

extension Connection {
  /// The sums that a query computes.
  func sums(_ query: SQL) throws -> Sums {
    let row = try self.query(query).first?.map { $0.integerValue ?? 0 } ?? [0, 0, 0]
    return Sums(rows: row[0], integers: row[1], textBytes: row[2])
  }
}
