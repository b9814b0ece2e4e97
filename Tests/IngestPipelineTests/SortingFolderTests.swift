import Foundation
import Testing

@testable import IngestPipeline

@Suite struct SortingFolderTests {
  @Test func `room is asked for by the size of the dumps`() throws {
    let workplace = try Workplace()
    let folder = workplace.path + "/sizes"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    #expect(SortingFolder.bytesNeeded(forDumpsIn: folder) == 0)
    for (name, size) in [("a.csv.gz", 1000), ("b.csv", 300), ("notes.txt", 5000)] {
      try Data(repeating: 1, count: size).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
    }
    #expect(SortingFolder.bytesNeeded(forDumpsIn: folder) == 28_000 + 1200)
    #expect(SortingFolder.bytesNeeded(forDumpsIn: folder + "/nowhere") == 0)
  }

  @Test func `only a folder with room will do`() throws {
    let workplace = try Workplace()
    #expect(SortingFolder.hasRoom(for: 1 << 10, in: workplace.path))
    #expect(!SortingFolder.hasRoom(for: .max, in: workplace.path))
    #expect(!SortingFolder.hasRoom(for: 0, in: workplace.path + "/nowhere"))
    #expect(!SortingFolder.hasRoom(for: 1, in: "/proc"))
  }
}
