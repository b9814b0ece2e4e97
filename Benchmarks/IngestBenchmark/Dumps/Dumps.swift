import Schema
import DumpGenerator
import RebrickableCatalog
import SQLiteSwiftly

/// The source files of a run, generated on first use.
final class Dumps {
  /// How a set of dumps is written.
  enum Form: String {
    case compressed, plain
    /// Plain, every field in quotes.
    case quoted
  }

  private let folder: String
  private var made: Set<String> = []
  private var contents: [Int: DumpContents] = [:]

  init(in folder: String) { self.folder = folder }

  /// The folder with a set of so many rows of inventory_parts.
  func folder(rows: Int, _ form: Form) throws -> String {
    let path = "\(folder)/dumps-\(rows)-\(form.rawValue)"
    if made.insert(path).inserted {
      try DumpSet(rows: rows, quotesEveryField: form == .quoted)
        .write(to: path, compressed: form == .compressed)
    }
    return path
  }

  /// The folder with the same set, every record of which is damaged.
  func folder(rows: Int, _ damage: Damage) throws -> String {
    let path = "\(folder)/dumps-\(rows)-\(damage)"
    if made.insert(path).inserted {
      try makeFolder(path)
      let tables = RebrickableCatalog.schema.tables.map(\.name)
      try damage.copy(tables, from: folder(rows: rows, .plain), to: path)
    }
    return path
  }

  /// The folder with the dumps of a day before.
  func olderFolder(rows: Int) throws -> String {
    let path = "\(folder)/dumps-\(rows)-older"
    if made.insert(path).inserted {
      try makeFolder(path)
      try OlderDumps.write(
        RebrickableCatalog.schema.tables.map(\.name), plain: folder(rows: rows, .plain),
        compressed: folder(rows: rows, .compressed), to: path)
    }
    return path
  }

  /// What the generator wrote into a set of so many rows.
  func contents(rows: Int) throws -> DumpContents {
    if let known = contents[rows] { return known }
    let found = try DumpContents(of: folder(rows: rows, .compressed))
    contents[rows] = found
    return found
  }
}
