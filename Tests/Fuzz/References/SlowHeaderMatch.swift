@testable import Vocabulary
import CSV
import SQLiteSwiftly
import TestSupport

/// What the design says of a header: section 4 of it, and what the reader of the header refuses.
struct SlowHeaderMatch {
  private(set) var code: FileCode?
  private(set) var fieldOfColumn: [Int?] = []
  private(set) var warnings: [WarningCode] = []

  init(_ text: [UInt8], _ table: TableDescription) {
    let reader = ReferenceReader(text, recordLimit: 16 << 20, fieldLimit: 2000)
    let records: [ReadRecord]
    do throws(CSVError) {
      records = try reader.read().records
    } catch {
      code = .encodingUnsupported
      return
    }
    guard let header = records.first else {
      code = .headerMissing
      return
    }
    if header.faults.contains(.unterminatedQuote) {
      code = .unterminatedQuote
    } else if !header.faults.isEmpty {
      code = .headerMissing
    } else if header.fields.count > 2000 {
      code = .tooManyColumns
    } else {
      match(header.fields, table)
      // Only after a sound header does it matter what follows.
      if code == nil, records.last?.faults.contains(.unterminatedQuote) == true {
        code = .unterminatedQuote
      }
    }
  }

  private mutating func match(_ names: [[UInt8]], _ table: TableDescription) {
    guard Set(names).count == names.count else {
      code = .columnDuplicate
      return
    }
    for column in table.columns {
      let field = names.firstIndex { $0 == Array(column.name.utf8) }
      fieldOfColumn.append(field)
      guard field == nil else { continue }
      let isKey = table.primaryKey.contains { $0.utf8.elementsEqual(column.name.utf8) }
      if isKey || !column.isNullable { code = .columnMissing }
      warnings.append(.columnAbsent)
    }
    let known = fieldOfColumn.compactMap(\.self)
    warnings += Array(repeating: .columnUnknown, count: names.count - known.count)
    if zip(known, known.dropFirst()).contains(where: { $0 > $1 }) { warnings.append(.columnOrder) }
  }
}
