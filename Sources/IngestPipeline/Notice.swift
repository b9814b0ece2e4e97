/// Something worth knowing about a run that goes on all the same.
package struct Notice: Equatable, Sendable {
  /// The name of the file, in the folder of the dumps, or the path of the catalogue that it is about.
  package let file: String
  package let code: NoticeCode
  /// The table that it is about, if it is one.
  package let table: String?
  /// The column that it is about, if it is one.
  package let column: String?
  /// What was found, and what was done.
  package let message: String
  /// For drift, the change to the schema's description that would accept it; nil if none is needed.
  package let change: String?

  package init(
    file: String, code: NoticeCode, table: String? = nil, column: String? = nil,
    _ message: String, change: String? = nil
  ) {
    self.file = file
    self.code = code
    self.table = table
    self.column = column
    self.message = message
    self.change = change
  }
}
