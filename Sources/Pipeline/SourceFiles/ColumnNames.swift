package import CSV
import SQLiteSwiftly

/// The names of the columns of a file whose header may lack some, repeat some, or have blanks around them.
///
/// `describe` chooses these names, and a file that is matched by the order of its fields has them if its header is the
/// same: a missing name becomes `column_3`, the second `name` becomes `name_2`.
///
/// Names beyond `count` are not used, and missing ones are at the end; with `hasLabels`, the first one is missing, as that
/// of the row labels of R.
package func columnNames(of header: [String], count: Int, hasLabels: Bool) -> [String] {
  var names = header.map(\.withoutBlanksAround.withoutEnd)
  if hasLabels { names.insert("", at: 0) }
  names = names.prefix(count) + [String](repeating: "", count: max(count - names.count, 0))
  let given = Set(names.map(foldedName))
  var used: Set<[UInt8]> = []
  for index in names.indices {
    let base = names[index].isEmpty ? "column_\(index + 1)" : names[index]
    var name = base
    var number = 1
    // A name that the header gives is left to its first field.
    while used.contains(foldedName(name))
      || given.contains(foldedName(name)) && (number > 1 || names[index].isEmpty)
    {
      number += 1
      name = "\(base)_\(number)"
    }
    used.insert(foldedName(name))
    names[index] = name
  }
  return names
}

extension Header {
  /// The names of the fields as those of columns that are matched by order; the header's own if they differ.
  ///
  /// Another number of names than of columns is possible if records have as many fields as there are columns.
  package func names(ofColumns columns: [String], in batch: borrowing RecordBatch) -> [String] {
    guard !haveSameBytes(names, columns) else { return names }
    let isAsDescribed = { (record: Record) in record.fieldCount == columns.count }
    guard
      names.count == columns.count
        || batch.records.dropFirst(records).contains(where: isAsDescribed)
    else { return names }
    let made = [false, true].map { hasLabels in
      columnNames(of: mergedNames, count: columns.count, hasLabels: hasLabels)
    }
    return made.first { haveSameBytes($0, columns) } ?? names
  }
}

extension String {
  /// The text without whitespace and characters of no width around it.
  fileprivate var withoutBlanksAround: String {
    let isBlank = { (scalar: Unicode.Scalar) in
      scalar.properties.isWhitespace || [0x200b, 0x2060, 0xfeff].contains(scalar.value)
    }
    let scalars = unicodeScalars.drop(while: isBlank)
    guard let last = scalars.lastIndex(where: { !isBlank($0) }) else { return "" }
    return String(scalars[...last])
  }

  /// The text up to the longest name of a description, which has 1,000 bytes, without a number at its end.
  fileprivate var withoutEnd: String {
    var bytes = 0
    let scalars = unicodeScalars.prefix { scalar in
      bytes += UTF8.width(scalar)
      return bytes <= 990
    }
    return String(scalars)
  }
}
