import ReferenceLoops

/// What tells whether rows came through a benchmark as they went in.
struct Sums: Equatable {
  var rows: Int64 = 0
  /// The sum of all integers.
  var integers: Int64 = 0
  /// The sum of the lengths of all texts, in bytes.
  var textBytes: Int64 = 0
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
