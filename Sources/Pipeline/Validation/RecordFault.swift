import Facts
import CSV

/// One of the things that are wrong with a record.
struct RecordFault: Equatable {
  let code: RecordCode
  /// The column that is to blame, or -1.
  var column = -1
  /// For a fault in the record's form: its offset in the decompressed file.
  var offset = -1
  /// For a duplicate: the key, among those of the table.
  var key = -1
  /// For a missing parent: the foreign key, among those of the table, or -1 for the first one of the column
  /// alone.
  var reference = -1
}

extension RecordCode {
  /// The code of one fault that the CSV parser found in a record.
  init(_ fault: Record.Faults) {
    switch fault {
    case .tooLong: self = .recordTooLong
    case .strayQuote: self = .strayQuote
    case .textAfterQuote: self = .textAfterQuote
    case .bareCarriageReturn: self = .bareCarriageReturn
    case .nulByte: self = .nulByte
    default: self = .invalidUTF8
    }
  }
}
