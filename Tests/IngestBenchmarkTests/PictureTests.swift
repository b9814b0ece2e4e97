import Foundation
import FoundationXML
import Testing

@testable import ingest_benchmark

struct PictureTests {
  /// Collects what an SVG says.
  private final class Reader: NSObject, XMLParserDelegate {
    var texts: [String] = []
    var circles = 0

    func parser(
      _: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
      attributes: [String: String]
    ) {
      if name == "text" { texts.append("") }
      if name == "circle" { circles += 1 }
    }

    func parser(_: XMLParser, foundCharacters text: String) {
      if !texts.isEmpty { texts[texts.count - 1] += text }
    }
  }

  @Test func `the picture is well-formed and shows what was measured`() throws {
    let hotPath = HotPath.Candidate.all.map {
      makeMeasurement(
        HotPath.name($0, page: HotPath.plottedPage), .millionRowsPerSecond, [3, 4, 5],
        subject: .hotPath)
    }
    let growth = Growth.factors.flatMap { factor in
      [ingest_benchmark.Unit.seconds, .megabytes].map {
        makeMeasurement(Growth.name(factor), $0, [factor], subject: .growth)
      }
    }
    for (measurements, circles, words) in [
      ([], 0, ["not measured", "seconds"]),
      (
        hotPath + growth + [makeMeasurement("inflate & <more>", .seconds, [0.25])], 11,
        ["virtual table", "inflate & <more>", "0.25 s", "4.00 s, 4 MB", "million rows/s"]
      ),
    ] {
      let reader = Reader()
      let parser = XMLParser(data: Data(makeReport(measurements).picture.utf8))
      parser.delegate = reader
      #expect(parser.parse(), "\(String(describing: parser.parserError))")
      #expect(reader.circles == circles)
      for word in words {
        #expect(reader.texts.contains { $0.hasPrefix(word + "\n") }, "\(reader.texts)")
      }
    }
  }

  @Test(
    arguments: [
      (1.0, ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]), (7, ["0", "2", "4", "6"]),
      (0.16, ["0.00", "0.05", "0.10", "0.15"]), (12_000, ["0", "5000", "10000"]),
    ] as [(Double, [String])])
  func `the numbers at an axis are round`(end: Double, texts: [String]) {
    #expect(Panel.Axis(label: "", end: end).ticks.map(\.text) == texts)
  }
}
