import Text

/// A warning of the verdict: all warnings of one code, or all records rejected for one reason.
package struct VerdictWarning: Equatable, Sendable {
  package let code: String
  package let message: String
  /// The common meaning of the warnings; nil if each has its own, or for rejected records.
  package private(set) var meaning: String?
  /// The warnings; empty for rejected records.
  package private(set) var warnings: [Warning] = []

  /// All warnings of the verdict, likely causes of others first.
  package static func all(_ warnings: [Warning], _ tables: [TableCounts] = []) -> [VerdictWarning] {
    func grouped(_ codes: [WarningCode]) -> [VerdictWarning] {
      codes.compactMap { code in
        let ofCode = warnings.filter { $0.code == code }
        return ofCode.isEmpty ? nil : VerdictWarning(code, ofCode)
      }
    }
    let causes: [WarningCode] = [
      .mixedGenerations, .tableAbsent, .tableEmpty, .columnConstant, .textEncodedTwice,
      .tableShrunk, .changesUnusual,
    ]
    let others = WarningCode.allCases.filter { $0.affectsVerdict && !causes.contains($0) }
    return grouped(causes) + rejected(tables, warnings) + grouped(others)
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
  /// A heading for a list of the tables, columns or files with this warning; nil if each warning states more.
  fileprivate var meaningOfMany: String? {
    switch self {
    case .columnUnknown: "unknown columns, not loaded"
    case .columnAbsent: "missing from the source files, NULL in every row"
    case .fileUnknown: "files without a table, not loaded"
    case .columnOrder: "source files with columns in another order"
    case .booleanSpellings: "source files with two spellings of booleans"
    case .valueUnknown: "new values"
    case .numberRounded: "numbers rounded to 64 bits"
    case .tableAbsent: "source files missing, tables left empty (allowed by --allow-missing)"
    case .tableShrunk: "lost more than a tenth of the rows"
    case .nullsRisen: "many more NULLs than before"
    case .columnEmpty: "NULL in every row"
    default: nil
    }
  }
}
