import GzipWriting
import Schema
@testable import Vocabulary
import Foundation
import SQLiteSwiftly
import TestSupport
@testable import Run
import SQLiteDestination

/// The whole pipeline on small dumps: everything is accounted for, what is rejected is kept, and there is
/// a sound catalog or none.
enum PipelineTarget: FuzzTarget {
  static let name = "pipeline"
  /// Parts the data into dumps, and has no meaning in CSV.
  private static let separator: UInt8 = 0x1e

  static func check(_ input: FuzzInput, makesMistake: Bool) {
    var input = input
    let workplace = PipelineWorkplace()
    var options = IngestOptions(
      source: workplace.dumps, output: .file(path: workplace.output),
      rejectLimits: RejectLimits(
        run: [.records(1000), .records(1000), .records(0), .percent(50)][input.number(0...3)]),
      allowedMissing: input.flag() ? .all : .tables([]),
      recordLimit: input.number(0...7) == 7 ? 20 : 16 << 20)
    options.isStrict = input.number(0...7) == 7
    options.isDryRun = input.number(0...7) == 7
    let tellsReport = input.number(0...7) == 7
    let runsAgain = input.number(0...3) == 3
    let dumps = workplace.writeDumps(&input, separator: separator)
    let report = IngestRun(
      Family.schema, into: FileDestination(options.output.name), options: options
    ) {
      _ in
    }
    .run()
    var check = PipelineCheck(dumps: dumps, workplace: workplace, options: options)
    check.losesReturns = makesMistake
    check.check(report)
    // It takes as long as all the rest.
    if tellsReport { check.checkReport(report) }
    guard report.failure == nil, !options.isDryRun else { return }
    if report.rejected > 0 {
      check.checkRepairs(of: report)
    } else if runsAgain {
      check.checkSameAgain()
    }
  }

  static let seeds = [
    ["\nroot,\nleaf,root\n", "\n1,leaf,,,,\n2,root,3,a,t,ff\n", "\nx\n", "\nme,leaf,1\nme,x,1\n"],
    [
      "\nleaf,root\nroot,\nlost,nobody\n,", "\n1,leaf,11,c,maybe,fg\n1,root,,,,\nx\n", "\nx\n\nx\n",
      "\na,b,1\n",
    ],
    [
      "\r\nroot,\r\n\r\n\"le\"\"af\",root\r\n",
      "\r\n1,root,\"x\"y,,,\r\n2,ro\"ot,,,,\r\n3,root,5,b,f,\r\n",
      "\r\ny\rz\r\n\"q\nr\"\r\n", "\r\nme,root,9223372036854775808\r\nme,root,-0\r\n",
    ],
    ["\na,b\nb,a\nc,c\nd,e\ne,c\n", "\n1,c,\u{0},,,\n2,\u{e9},,,,\n", "\n", "\nme,c,1"],
  ].flatMap { dumps in
    let text = Array(dumps.joined(separator: "\u{1e}").utf8)
    // After the data, the choices in the order from the last: of each dump, then of the run.
    return [UInt8(0), 2, 3].map { form in
      text + Array(repeatElement([9, 1, form], count: dumps.count).joined())
        + [3, 7, 0, 0, 0, 0, 1, 0]
    }
  }
}

/// A dump as it was written.
struct FuzzedDump {
  let table: TableDescription
  let name: String
  /// What is in it, decompressed; nil if it is not a sound gzip file.
  let content: [UInt8]?
}

/// A folder in which a pipeline runs, emptied for every input.
struct PipelineWorkplace {
  let folder = FileManager.default.temporaryDirectory.path + "/fuzz-pipeline-\(getpid())"
  var dumps: String { folder + "/dumps" }
  var output: String { folder + "/out.sqlite" }
  var rejects: String { output + ".rejects" }

  init() {
    try? FileManager.default.removeItem(atPath: folder)
    do {
      try makeFolder(dumps)
    } catch {
      fatalError("\(dumps): \(error)")
    }
  }

  var names: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder).sorted()) ?? []
  }

  /// Removes the rejected records of a table from their file, whose header remains.
  func cutRejects(of table: String) {
    let file = URL(fileURLWithPath: "\(rejects)/\(table).csv")
    guard let data = try? Data(contentsOf: file) else { return }
    var isQuoted = false
    for (place, byte) in data.enumerated() {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      guard byte == UInt8(ascii: "\n"), !isQuoted else { continue }
      try? data.prefix(place + 1).write(to: file)
      return
    }
  }

  /// Writes a dump for each table, unless the choice is to leave it out.
  func writeDumps(_ input: inout FuzzInput, separator: UInt8) -> [FuzzedDump] {
    let choices = Family.schema.tables.map { _ in
      (form: input.number(0...4), hasHeader: input.number(0...7) != 0, cut: input.number(0...40))
    }
    let parts = input.data.split(
      separator: separator, maxSplits: Family.schema.tables.count - 1,
      omittingEmptySubsequences: false)
    return zip(Family.schema.tables, choices).enumerated().compactMap { index, pair in
      let (table, choice) = pair
      guard index < parts.count else { return nil }
      let header = table.columns.map(\.name).joined(separator: ",")
      let content = (choice.hasHeader ? Array(header.utf8) : []) + parts[index]
      return write(table, content, form: choice.form, cut: min(choice.cut, content.count))
    }
  }

  private func write(
    _ table: TableDescription, _ content: [UInt8], form: Int, cut: Int
  ) -> FuzzedDump {
    var name = table.name + ".csv"
    var bytes = content
    var sound: [UInt8]? = content
    if form >= 2 { name += ".gz" }
    switch form {
    case 0, 1: break
    case 2: bytes = Self.member(of: content[...])
    case 3: bytes = Self.member(of: content[..<cut]) + Self.member(of: content[cut...])
    default:
      bytes = Self.member(of: content[...]).dropLast(cut)
      sound = cut == 0 ? content : nil
    }
    writeFile("\(dumps)/\(name)", bytes)
    return FuzzedDump(table: table, name: name, content: sound)
  }

  private static func member(of bytes: ArraySlice<UInt8>) -> [UInt8] {
    var writer = GzipWriter(level: 1)
    writer.write(bytes.span)
    return writer.finish()
  }
}
