import SQLiteSwiftly
package import Schema
import SourceFiles
import Text

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
  package let key: [String]
  package let keyConfidence: Confidence?
  package let references: [Reference]
  package let doubts: [Doubt]

  package struct Reference: Equatable, Sendable {
    package let column: String
    package let table: String
    package let keyColumn: String
    package let confidence: Confidence
  }
}

/// What could not be determined about a table.
package enum Doubt: Equatable, Sendable {
  /// The encoding may be another one, in which the sample of the text is wrong.
  case guessedEncoding(EncodingSample, orElse: EncodingSample?)
  case unreadableRecords(Int, firstLine: Int)
  case dialect(DialectRemark)
  /// The values of columns that may be a key need more than `memory` bytes.
  case uncheckedKey([String], memory: Int)
  case circularReference(to: String)

  var isUncheckedKey: Bool { if case .uncheckedKey = self { true } else { false } }

  /// It as a clause.
  package var words: String {
    switch self {
    case .guessedEncoding(let guess, let other):
      "the file is not UTF-8; its encoding may be \(guess.encoding), so that it contains "
        + guess.text.quotedForMessage
        + (other.map { ", or \($0.encoding) (\($0.text.quotedForMessage))" } ?? "")
        + ". If that is wrong, pass the encoding to --encoding or correct it in the description"
    case .unreadableRecords(let count, let line):
      "\(count.of("unreadable record")) \(count.verb("was", "were")) ignored, the first on line \(line)"
    case .dialect(let remark): remark.words
    case .uncheckedKey(let columns, let memory):
      "could not check whether (\(columns.joined(separator: ", "))) is a key: the values need more "
        + "than \((memory >> 20).grouped) MiB of memory"
    case .circularReference(let table):
      "the reference to \(table) was skipped: it would create a circular reference"
    }
  }
}

/// A part of a text, as it is in an encoding.
package struct EncodingSample: Equatable, Sendable {
  package let encoding: String
  package let text: String
}

package enum Confidence: String, Sendable {
  case low, medium, high
}

package struct InferenceOptions: Equatable, Sendable {
  package var source: String
  /// Patterns of fnmatch(3) for the files to skip.
  package var excluded: [String] = []
  /// Whether files in subfolders are described, too.
  package var isRecursive = false
  package var stated = StatedDialect()
  package var recordLimit = 16 << 20
  package var keyMemory = 256 << 20

  package init(source: String) { self.source = source }
}

extension InferredFamily {
  init(
    name: String, tables: [SurveyedTable], references: [[ReferenceSearch.Candidate]],
    skipped: [String]
  ) {
    var tables = tables
    let edges = references.enumerated().flatMap { child, references in
      references.map { (child: child, parent: $0.parent, weight: $0.fit) }
    }
    let order = LoadOrder(tables: tables.count, edges)
    var kept = references
    for edge in order.dropped {
      kept[edge.child].removeAll { $0.parent == edge.parent && $0.fit == edge.weight }
      tables[edge.child].doubts.append(.circularReference(to: tables[edge.parent].name))
    }
    for child in order.order {
      for reference in kept[child] { Self.add(reference, to: child, &tables) }
    }
    self.name = name
    self.skipped = skipped
    self.tables = order.order.map { Self.evidence(of: tables[$0], kept[$0], tables) }
    var schema = SchemaDescription(
      tables: zip(order.order, self.tables).map { Self.description(of: tables[$0], $1) },
      applicationID: 0, version: 1)
    schema.sources = zip(order.order, self.tables).map { Self.source(of: tables[$0], $1) }
    schema.hasInferredTypes = true
    self.schema = schema
  }

  private static func add(
    _ reference: ReferenceSearch.Candidate, to child: Int, _ tables: inout [SurveyedTable]
  ) {
    let parent = tables[reference.parent]
    let key = parent.columns[parent.key[0]]
    let confidence = ReferenceSearch.confidence(of: reference)
    tables[child].columns[reference.column].adopt(key)
    tables[child].columns[reference.column].words.append(
      "each value is in \(parent.name).\(key.name)"
        + (reference.fit == ReferenceSearch.fitOfValues
          ? " and in no other key" : " and the name matches")
        + ", so treated as a reference (confidence "
        + "\(confidence.rawValue))")
  }

  private static func evidence(
    of table: SurveyedTable, _ references: [ReferenceSearch.Candidate], _ tables: [SurveyedTable]
  ) -> TableEvidence {
    TableEvidence(
      table: table.name, file: table.undescribed.source.file.name, records: table.records,
      key: table.keyNames, keyConfidence: table.keyConfidence,
      references: references.map { reference in
        let parent = tables[reference.parent]
        return TableEvidence.Reference(
          column: table.columns[reference.column].name, table: parent.name,
          keyColumn: parent.keyNames[0], confidence: ReferenceSearch.confidence(of: reference))
      }, doubts: table.doubts)
  }

  private static func description(
    of table: SurveyedTable, _ evidence: TableEvidence
  ) -> TableDescription {
    let foreignKeys = evidence.references.map {
      ForeignKeyDescription($0.column, references: $0.table, $0.keyColumn)
    }
    // A missing value may come with a later file: it did in a table of 95,000 records without one.
    let columns = table.columns.map(\.description)
    return TableDescription(
      table.name, columns: columns, primaryKey: table.keyNames, foreignKeys: foreignKeys,
      indexes: TableDescription.defaultIndexes(
        primaryKey: table.keyNames, uniqueKeys: [], foreignKeys: foreignKeys.map(\.columns)),
      isWithoutRowid: TableDescription.storage(of: columns, primaryKey: table.keyNames),
      meaning: meaning(of: table))
  }

  private static func source(
    of table: SurveyedTable, _ evidence: TableEvidence
  ) -> SourceDescription {
    let undescribed = table.undescribed
    var source = SourceDescription(of: table.name, formats: table.columns.map(\.format))
    source.dialect = undescribed.dialect
    if undescribed.isMatchedByOrder { source.fieldsMatch = .exact }
    source.place = .files([undescribed.source.file.name])
    source.encoding = undescribed.source.file.encoding
    if !evidence.key.isEmpty { source.keyGuess = .holds }
    source.guessedReferences = evidence.references.map { [$0.column] }
    return source
  }

  private static func meaning(of table: SurveyedTable) -> String {
    let file = table.undescribed.source.file.name
    let key =
      table.key.isEmpty
      ? "no key was found" : "chosen as the key: \(table.keyNames.joined(separator: ", "))"
    let parts = ["\(table.records.of("record")) in \(file)", key] + table.doubts.map(\.words)
    return parts.joined(separator: "; ") + "."
  }
}

struct LoadOrder {
  typealias Edge = (child: Int, parent: Int, weight: Double)

  /// The tables, parents first, and otherwise in their original order.
  let order: [Int]
  /// The weakest reference of each circle, which is dropped.
  let dropped: [Edge]

  init(tables count: Int, _ edges: [Edge]) {
    var parents = Dictionary(grouping: edges.filter { $0.child != $0.parent }, by: \.child)
    let children = Dictionary(grouping: edges.filter { $0.child != $0.parent }, by: \.parent)
    var dropped: [Edge] = []
    var order: [Int] = []
    var rest = Array(0..<count)
    while !rest.isEmpty {
      if let index = rest.firstIndex(where: { parents[$0]?.isEmpty != false }) {
        let next = rest.remove(at: index)
        order.append(next)
        for edge in children[next] ?? [] { parents[edge.child]?.removeAll { $0.parent == next } }
      } else if let weakest = Self.weakest(ofCircleWith: rest[0], parents) {
        parents[weakest.child]?.removeAll { $0 == weakest }
        dropped.append(weakest)
      }
    }
    self.order = order
    self.dropped = dropped
  }

  /// The weakest reference of a circle that is reached from a table; nil unless every table refers to another one.
  private static func weakest(ofCircleWith first: Int, _ parents: [Int: [Edge]]) -> Edge? {
    var way: [Edge] = []
    var table = first
    while let edge = parents[table]?.first {
      if let start = way.firstIndex(where: { $0.child == table }) {
        return way[start...].min { $0.weight < $1.weight }
      }
      way.append(edge)
      table = edge.parent
    }
    return nil
  }
}
