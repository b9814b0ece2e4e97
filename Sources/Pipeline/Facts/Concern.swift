/// One thing about a published catalogue that somebody should look at: all notices of one code, or all
/// records that were rejected for one reason.
package struct Concern: Equatable, Sendable {
  package let code: String
  package let message: String
  /// What the notices have in common; nil if each says more, or if records were rejected.
  package private(set) var meaning: String?
  /// The notices; empty if records were rejected.
  package private(set) var notices: [Notice] = []

  /// All that there is to look at, what may be the cause of others first.
  package static func all(_ notices: [Notice], _ tables: [TableAccount] = []) -> [Concern] {
    func found(_ codes: [NoticeCode]) -> [Concern] {
      codes.compactMap { code in
        let ofCode = notices.filter { $0.code == code }
        return ofCode.isEmpty ? nil : Concern(code, ofCode)
      }
    }
    let causes: [NoticeCode] = [.mixedGenerations, .tableAbsent]
    let others = NoticeCode.allCases.filter { $0.asksForAttention && !causes.contains($0) }
    return found(causes) + rejected(tables, notices) + found(others)
  }

  private static func rejected(_ tables: [TableAccount], _ notices: [Notice]) -> [Concern] {
    RecordCode.allCases.compactMap { code in
      let counts = tables.map { (table: $0.table, count: $0.rejectedByCode[code, default: 0]) }
        .filter { $0.count > 0 }
      guard !counts.isEmpty else { return nil }
      let names = counts.map { "\($0.table) \($0.count.grouped)" }.joined(separator: ", ")
      let sum = counts.reduce(0) { $0 + $1.count }.of("record")
      let cause = code == .missingParent ? LikelyCause(notices).map { ", \($0.words)" } ?? "" : ""
      return Concern(code: code.rawValue, message: "\(sum) rejected\(cause): \(names)")
    }
  }
}

extension Concern {
  private init(_ code: NoticeCode, _ notices: [Notice]) {
    let meaning = code.meaningOfMany
    let message =
      meaning.map { "\($0): \(notices.subjects)" }
      ?? notices.map { "\($0.file.escapedForMessage): \($0.message)" }.joined(separator: "; ")
    self.init(code: code.rawValue, message: message, meaning: meaning, notices: notices)
  }
}

extension NoticeCode {
  /// What a list of tables, columns or files has in common that have notices of this code; nil if each
  /// notice says more.
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
