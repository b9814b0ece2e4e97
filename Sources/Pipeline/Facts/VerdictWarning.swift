/// One thing about a published catalog that somebody should look at: all warnings of one code, or all
/// records that were rejected for one reason.
package struct VerdictWarning: Equatable, Sendable {
  package let code: String
  package let message: String
  /// What the warnings have in common; nil if each says more, or if records were rejected.
  package private(set) var meaning: String?
  /// The warnings; empty if records were rejected.
  package private(set) var warnings: [Warning] = []

  /// All that there is to look at, what may be the cause of others first.
  package static func all(_ warnings: [Warning], _ tables: [TableCounts] = []) -> [VerdictWarning] {
    func found(_ codes: [WarningCode]) -> [VerdictWarning] {
      codes.compactMap { code in
        let ofCode = warnings.filter { $0.code == code }
        return ofCode.isEmpty ? nil : VerdictWarning(code, ofCode)
      }
    }
    let causes: [WarningCode] = [.mixedGenerations, .tableAbsent]
    let others = WarningCode.allCases.filter { $0.affectsVerdict && !causes.contains($0) }
    return found(causes) + rejected(tables, warnings) + found(others)
  }

  private static func rejected(_ tables: [TableCounts], _ warnings: [Warning]) -> [VerdictWarning] {
    RecordCode.allCases.compactMap { code in
      let counts = tables.map { (table: $0.table, count: $0.rejectedByCode[code, default: 0]) }
        .filter { $0.count > 0 }
      guard !counts.isEmpty else { return nil }
      let names = counts.map { "\($0.table) \($0.count.grouped)" }.joined(separator: ", ")
      let sum = counts.reduce(0) { $0 + $1.count }.of("record")
      let cause = code == .missingParent ? LikelyCause(warnings).map { ", \($0.words)" } ?? "" : ""
      return VerdictWarning(code: code.rawValue, message: "\(sum) rejected\(cause): \(names)")
    }
  }
}

extension VerdictWarning {
  private init(_ code: WarningCode, _ warnings: [Warning]) {
    let meaning = code.meaningOfMany
    let message =
      meaning.map { "\($0): \(warnings.subjects)" }
      ?? warnings.map { "\($0.file.escapedForMessage): \($0.message)" }.joined(separator: "; ")
    self.init(code: code.rawValue, message: message, meaning: meaning, warnings: warnings)
  }
}

extension WarningCode {
  /// What a list of tables, columns or files has in common that have warnings of this code; nil if each
  /// warning says more.
  fileprivate var meaningOfMany: String? {
    switch self {
    case .columnUnknown: "columns of the dumps that are not known and not loaded"
    case .columnAbsent: "not in the dumps, so NULL in every row"
    case .fileUnknown: "files without a table, which are not loaded"
    case .columnOrder: "dumps with their columns in another order"
    case .booleanSpellings: "dumps with two spellings of booleans"
    case .valueUnknown: "values that were not seen so far"
    case .numberRounded: "numbers with more digits than are kept"
    case .tableAbsent: "no dump, so without any row, as --allow-missing allows"
    case .tableShrunk: "more than a tenth of the rows is gone"
    case .nullsRisen: "NULL in many more rows than before"
    case .columnEmpty: "NULL in every row"
    default: nil
    }
  }
}
