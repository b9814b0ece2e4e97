import SQLiteSwiftlyData
import Glibc
import RebrickableCatalog
import SQLiteSwiftly

/// An example program that lists the sets that can be built from a list of parts.
///
///     what-can-i-build [--substitutes] CATALOG < PARTS.csv
///
/// The list has the columns part_num, color_id and quantity. The program prints the most complete sets, with the
/// percentage of their pieces, and the available and required pieces and lots. A lot is a part in a color. With
/// `--substitutes`, a print, mold or alternate can replace a part.
@main
struct WhatCanIBuild {
  static let usage = "usage: what-can-i-build [--substitutes] CATALOG < PARTS.csv"
  static let limit = 20

  static func main() {
    var arguments = Array(CommandLine.arguments.dropFirst())
    let substitutes = arguments.contains("--substitutes")
    arguments.removeAll { $0 == "--substitutes" }
    guard arguments.count == 1, arguments[0].first != "-" else { fail(EX_USAGE, usage) }
    do {
      let catalog = try CatalogStore(arguments[0])
      let parts = try readParts(knownTo: catalog)
      let shelf = try Shelf(parts, substitutes: substitutes, catalog)
      print("percent\tpieces\tof\tlots\tof\tset\tyear\tname")
      for match in try shelf.bestMatches(in: catalog).prefix(limit) { print(match.line) }
    } catch let error as CatalogError {
      fail(EX_NOINPUT, "\(error)")
    } catch {
      fail(EX_DATAERR, "\(error)")
    }
  }

  /// Reads the list, and reports parts that the catalog does not have.
  static func readParts(knownTo catalog: CatalogStore) throws -> [Lot: Int] {
    let header = "part_num,color_id,quantity"
    guard let first = readLine(), first == header else {
      throw ListError(line: 1, problem: "expected the header \(header)")
    }
    var parts: [Lot: Int] = [:]
    var number = 1
    while let line = readLine() {
      number += 1
      let fields = line.split(separator: ",", omittingEmptySubsequences: false)
      guard fields.count == 3, let color = Int(fields[1]), let quantity = Int(fields[2]),
        (0...1_000_000).contains(quantity)
      else {
        throw ListError(
          line: number,
          problem: "\(line); expected a part, a color id and a quantity")
      }
      let part = String(fields[0])
      if try catalog.parts.find(part) == nil {
        printError("line \(number): unknown part \(part)")
      }
      parts[Lot(part: part, color: color), default: 0] += quantity
    }
    return parts
  }

  static func fail(_ status: Int32, _ message: String) -> Never {
    printError(message)
    exit(status)
  }

  static func printError(_ message: String) {
    let line = message + "\n"
    _ = unsafe write(STDERR_FILENO, line, line.utf8.count)
  }
}

/// A part in a color.
struct Lot: Hashable {
  var part: String
  var color: Int
}

struct ListError: Error, CustomStringConvertible {
  let line: Int
  let problem: String
  var description: String { "line \(line): \(problem)" }
}
