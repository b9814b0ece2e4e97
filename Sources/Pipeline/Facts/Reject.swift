/// A record that is not in the catalog: where it is and what is wrong with it.
package struct Reject: Equatable, Sendable {
  package struct Reason: Equatable, Sendable {
    package let code: RecordCode
    package let column: String?
    /// What was found there, escaped and bounded as in messages; nil where nothing can be shown.
    package let value: String?
    package let message: String

    package init(code: RecordCode, column: String?, value: String?, message: String) {
      self.code = code
      self.column = column
      self.value = value
      self.message = message
    }
  }

  package let table: String
  /// The dump's name in the folder.
  package let file: String
  /// Its number in the file; the header is 0.
  package let record: Int
  /// Its first line, from 1, and its last; a record whose extent is doubtful may take up several.
  package let lines: ClosedRange<Int>
  /// Offset of its first byte in the decompressed file.
  package let offset: Int
  /// Its size in bytes, the line end included.
  package let length: Int
  /// Whether it certainly ends where it seems to.
  package let extentIsCertain: Bool
  /// All that is wrong with it, in the order of the columns; never empty.
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
