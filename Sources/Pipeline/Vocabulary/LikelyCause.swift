import Text
import Schema
import SQLiteSwiftly

/// The likely cause of missing parents according to the warnings of the same run: fixing it comes before fixing records or
/// raising limits.
package struct LikelyCause {
  package let words: String
  /// The first thing to do, as the start of a sentence.
  package let remedy: String
  /// A whole headline, if the cause is more than likely; nil otherwise.
  package var headline: String?

  /// The most likely cause; nil if the warnings indicate none.
  ///
  /// `parents` are the known tables that the rejected records refer to.
  package init?(_ warnings: [Warning], parents: Set<String> = []) {
    if warnings.contains(where: { $0.code == .mixedGenerations }) {
      words = "probably because the source files are from different days"
      remedy = "Download all source files again together"
      return
    }
    let absent = warnings.filter { $0.code == .tableAbsent && parents.contains($0.table ?? "") }
    guard !absent.isEmpty else { return nil }
    words = "probably because of missing source files: \(absent.subjects)"
    remedy = "Add the missing source files"
  }

  /// Records of parents were rejected for their own values, and others refer to them; nil if that is not likely.
  ///
  /// `parents` come with the rows that their tables had, and `orphaned` are the tables with missing parents.
  package init?(rejectedOf parents: [(counts: TableCounts, before: Int)], orphaned: [TableCounts]) {
    let rejected = parents.filter {
      $0.counts.rejectedForValues > max($0.before - $0.counts.read, 0)
    }
    guard !rejected.isEmpty else { return nil }
    let subjects = rejected.map { parent in
      "\(parent.counts.rejectedForValues.of("record")) of "
        + (parent.counts.file ?? parent.counts.table).escapedForMessage
    }.joined(separator: " and ")
    words = "because of invalid values in \(subjects)"
    remedy = "Fix the values of \(rejected.map(\.counts.table).joined(separator: ", "))"
    let isOne = rejected.reduce(0) { $0 + $1.counts.rejectedForValues } == 1
    headline =
      "invalid values in \(subjects); \(Self.words(for: orphaned, to: isOne ? "it" : "them"))"
  }

  /// Source files lack rows that the previous database had, and that `orphaned` records refer to; nil if none does.
  ///
  /// Each comes with the rows that its table had. A file with as many records as before may have those of another day.
  package init?(lackingRows suspects: [(counts: TableCounts, before: Int)], orphaned: [TableCounts])
  {
    // A table may only lack rows because its own records refer to missing ones.
    let lacking = suspects.filter { suspect in
      suspect.counts.read < suspect.before
        || !orphaned.contains { $0.table == suspect.counts.table }
    }
    guard !lacking.isEmpty else { return nil }
    let files = lacking.map { suspect in
      let (read, before) = (suspect.counts.read, suspect.before)
      let file = (suspect.counts.file ?? suspect.counts.table).escapedForMessage
      return read < before
        ? "\(file) has \(shareLost(before, read)) fewer records than the previous one"
        : "\(file) lacks records of the previous one"
    }.joined(separator: ", ")
    words = "because \(files)"
    remedy =
      "Download \(lacking.map { ($0.counts.file ?? "").escapedForMessage }.joined(separator: ", ")) again"
    headline = "\(files); \(Self.words(for: orphaned))"
  }

  private static func words(
    for orphaned: [TableCounts], to parents: String = "rows that are missing"
  ) -> String {
    let orphans = orphaned.reduce(0) { $0 + $1.rejectedByCode[.missingParent, default: 0] }
    return "\(orphans.of("record")) \(orphans.verb("refers", "refer")) to \(parents): "
      + orphaned.map(\.table).joined(separator: ", ")
  }
}

extension TableCounts {
  /// The rejected records whose first reason is not a missing parent.
  fileprivate var rejectedForValues: Int {
    rejected - rejectedByCode[.missingParent, default: 0]
  }
}

/// A value that a rejected record refers to, and that its parent lacks.
package struct ParentKey: Hashable, Sendable {
  /// The loaded table that should have it.
  package let table: String
  package let column: String
  package let value: String
}

extension [ParentKey] {
  /// The tables of which most keys are known.
  package func tables(where isKnown: (ParentKey) -> Bool) -> Set<String> {
    let known = filter(isKnown)
    return Set(map(\.table)).filter { table in
      known.count { $0.table == table } * 2 > count { $0.table == table }
    }
  }
}

extension SchemaDescription {
  /// The loaded tables that tables refer to, directly or through a union of keys.
  package func parents(of children: [TableCounts]) -> Set<String> {
    let children = tables.filter { table in children.contains { $0.table == table.name } }
    return Set(children.flatMap(\.foreignKeys).flatMap(sources).map { tables[$0.table].name })
  }

  /// The missing parents of rejected records, as far as their keys have one column.
  package func missingParents(of rejects: [Reject]) -> [ParentKey] {
    rejects.flatMap { reject in
      reject.reasons.flatMap { reason -> [ParentKey] in
        guard let value = reason.missingKey,
          let keys = tables.first(where: { $0.name == reject.table })?.foreignKeys
        else { return [] }
        return keys.filter { $0.columns == [reason.column ?? ""] }.flatMap(sources).map {
          ParentKey(table: tables[$0.table].name, column: $0.columns[0], value: value)
        }
      }
    }
  }
}
