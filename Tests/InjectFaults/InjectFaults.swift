import Foundation
import TestSupport

/// A tool for developers: injects every possible fault of the disk and the system into a run of the built command,
/// and checks the results.
@main
struct InjectFaults {
  static func main() {
    do {
      let arguments = try Arguments(Array(CommandLine.arguments.dropFirst()))
      exit(try run(arguments) ? 0 : 1)
    } catch {
      print("inject-faults: \(error)")
      exit(2)
    }
  }

  /// The package's own folder.
  private static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path

  private static func run(_ arguments: Arguments) throws -> Bool {
    let start = ContinuousClock.now
    let folder = arguments.folder ?? newFolder()
    try makeFolder(folder)
    defer { if !arguments.keeps { try? FileManager.default.removeItem(atPath: folder) } }
    let shim = try buildShim(in: folder)
    let products = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().path
    let ingest = products + "/ingest"
    let maker = SituationMaker(
      ingest: ingest, generator: products + "/generate-dumps", shim: shim,
      fixtures: package + "/fixtures", folder: folder
    )
    let situations = try (arguments.situation.map { [$0] } ?? SituationMaker.names).map(maker.make)

    let trials = try situations.flatMap { situation in
      try self.trials(
        of: Enumeration(situation: situation, ingest: ingest, shim: shim), arguments, folder)
    }.filter(arguments.share.contains)
    let tally = try Workers(count: arguments.jobs, folder: folder).attempt(trials)
    let report = Report(tally: tally, situations: situations.map(\.name))
    report.print(limit: arguments.isVerbose ? .max : 50)
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    print("faults: \(tally.total) points in \(Int(seconds)) s, \(tally.failures.count) failed")
    return tally.failures.isEmpty && tally.total > 0
  }

  /// The requested trials of a situation, or all.
  private static func trials(
    of enumeration: Enumeration, _ arguments: Arguments, _ folder: String
  ) throws -> [Trial] {
    let situation = enumeration.situation
    let named = try arguments.points.flatMap { text in
      guard let point = Point(text) else { throw Failure("'\(text)' is no point") }
      return point.fault.isPowerLoss
        ? PowerLoss(enumeration: enumeration).trials(point) : [enumeration.trial(point)]
    }
    let races = try arguments.races.map { try Races(enumeration: enumeration).trial($0) }
    guard named.isEmpty, races.isEmpty else { return named + races }
    if let allocation = arguments.allocation { return [enumeration.allocationTrial(allocation)] }
    let surroundings = Surroundings(situation: situation, ingest: enumeration.ingest)
    var others: [Trial] = []
    switch situation.name {
    case "replace":
      others += enumeration.allocationTrials(all: arguments.all)
      others += surroundings.limits()
    case "rejects":
      others += enumeration.allocationTrials(all: arguments.all)
      others += Planted(situation: situation, enumeration: enumeration).trials
      others += try surroundings.limits() + surroundings.disks(folder: folder)
      others += try CrossCheck(enumeration: enumeration).trials()
      others += PowerLoss(enumeration: enumeration).trials(all: arguments.all, folder: folder)
      others += Races(enumeration: enumeration).trials(all: arguments.all)
    case "fresh": others += try surroundings.disks(folder: folder)
    case "sorting": others += try surroundings.fullTemporaryFolder(folder: folder)
    default: break
    }
    if let name = arguments.surroundings {
      return others.filter { name == "\($0.kind) \($0.fault)" || name == $0.kind }
    }
    return enumeration.trials(all: arguments.all) + others
  }

  private static func newFolder() -> String {
    let memory = "/dev/shm"
    let parent =
      FileManager.default.isWritableFile(atPath: memory)
      ? memory : FileManager.default.temporaryDirectory.path
    return parent + "/inject-faults-" + UUID().uuidString
  }

  private static func buildShim(in folder: String) throws -> String {
    let shim = folder + "/faults.so"
    let outcome = try bounded(
      "clang",
      [
        "-std=gnu17", "-Wall", "-Wextra", "-Werror", "-O1", "-shared", "-fPIC", "-o", shim,
        package + "/Tests/InjectFaults/Shim/faults.c", "-ldl",
      ]
    ).run()
    guard outcome.status == 0 else { throw Failure("the shim cannot be built: \(outcome.errors)") }
    return shim
  }
}
