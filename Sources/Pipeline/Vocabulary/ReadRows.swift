package import SQLiteSwiftly

package struct ReadRows {
  package private(set) var rows = 0
  package private(set) var nulls: [Int]

  package init(columns: Int) { nulls = [Int](repeating: 0, count: columns) }

  package mutating func add(_ batch: borrowing RowBatch) {
    rows += batch.rows
    let classes = batch.classes
    var cell = 0
    for _ in 0..<batch.rows {
      for column in nulls.indices {
        if classes[cell] == RowBatch.StorageClass.null { nulls[column] += 1 }
        cell += 1
      }
    }
  }
}
