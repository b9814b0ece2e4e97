/// A rejected record: its place and its faults.
package struct Reject: Equatable, Sendable {
  package struct Reason: Equatable, Sendable {
    package let code: RecordCode
    package let column: String?
    /// The value, escaped and truncated as in messages; nil if there is none to show.
    package let value: String?
    /// The value as written, if the parent that it refers to is missing.
    package let missingKey: String?
    package let message: String

    package init(
      code: RecordCode, column: String?, value: String?, missingKey: String? = nil, message: String
    ) {
      self.code = code
      self.column = column
      self.value = value
      self.missingKey = missingKey
      self.message = message
    }

    /// Whether the message contains the value: it does unless it shows the whole record.
    package var isValueInMessage: Bool { !code.concernsForm }
  }

  package let table: String
  package let file: String
  /// Its number in the file; the header is 0.
  package let record: Int
  /// Its first line, from 1, and its last; a record of doubtful extent may have several.
  package let lines: ClosedRange<Int>
  /// The offset of its first byte in the decompressed file.
  package let offset: Int
  /// Its size in bytes, including the line end.
  package let length: Int
  package let extentIsCertain: Bool
  /// All its faults, in the order of the columns; never empty.
  ///
  /// It is counted under the code of the first.
  package let reasons: [Reason]

  package init(
    table: String, file: String, record: Int, lines: ClosedRange<Int>, offset: Int, length: Int,
    extentIsCertain: Bool, reasons: [Reason]
  ) {
    self.table = table
    self.file = file
    self.record = record
    self.lines = lines
    self.offset = offset
    self.length = length
    self.extentIsCertain = extentIsCertain
    self.reasons = reasons
  }
}

/// The counts of the repairs in one file; `records` is the sum of the others.
package struct RepairCounts: Equatable, Sendable {
  package let file: String
  package let kind: RepairKind
  package let size: Int
  package let crc32: UInt32
  package let records: Int
  /// Repairs that removed, replaced or added a record, even if the new one was rejected.
  package var applied = 0
  /// Repairs that the source file already contains.
  package var needless = 0
  /// Repairs that do not apply: the source file lacks their record, or has another one with the key.
  package var inapplicable = 0

  package init(file: String, kind: RepairKind, size: Int, crc32: UInt32, records: Int) {
    self.file = file
    self.kind = kind
    self.size = size
    self.crc32 = crc32
    self.records = records
  }
}

package enum RepairKind: String, CaseIterable, Sendable {
  /// Removes a record of the source file.
  case leaveOut = "leave-out"
  /// Replaces the record of the source file with the same key.
  case replace
  /// Adds a record that the source file lacks.
  case add
}
