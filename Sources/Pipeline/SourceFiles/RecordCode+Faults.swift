package import CSV
package import Facts

extension RecordCode {
  package init(_ fault: Record.Faults) {
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
