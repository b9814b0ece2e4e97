import SQLiteSwiftly
package import Schema

package struct InferredFamily: Sendable {
  package let name: String
  /// The tables, parents first; the evidence for each column is its `meaning`.
  package let schema: SchemaDescription
  /// The evidence for the keys and references, in the order of the tables.
  package let tables: [TableEvidence]
  /// The files that were skipped, each with the reason.
  package let skipped: [String]
}

package struct TableEvidence: Equatable, Sendable {
  package let table: String
  package let file: String
  package let records: Int
  /// The number of unreadable records, and the line of the first one.
  package let unreadable: Int
  package let firstUnreadableLine: Int
  package let key: [String]
  package let keyConfidence: Confidence?
  package let references: [Reference]
  /// What could not be determined, or contradicts its name, as clauses.
  package let doubts: [String]

  package struct Reference: Equatable, Sendable {
    package let column: String
    package let table: String
    package let keyColumn: String
    package let confidence: Confidence
  }
}

package enum Confidence: String, Sendable {
  case low, medium, high
}

package struct InferenceOptions: Equatable, Sendable {
  package var source: String
  package var recordLimit = 16 << 20
  /// The maximum memory for the values of all possible keys, in bytes.
  package var keyMemory = 256 << 20

  package init(source: String) { self.source = source }
}
