import Foundation
import TestSupport

/// The power fails at a call: the file system of the output is shut down, and mounted again without
/// what was not synced.
struct PowerLoss {
  let enumeration: Enumeration
  private var situation: Situation { enumeration.situation }

  /// How many calls are tried on each file system if not all are.
  private static let sample = 4

  /// A file system, and how it is made and mounted.
  private struct Disk {
    let name: String
    let make: String
    let options: String
  }

  private static let disks = [
    Disk(name: "ext4", make: "truncate -s 64M \"$0.disk\" && mkfs.ext4 -q", options: "loop"),
    Disk(
      name: "ext4-writeback", make: "truncate -s 64M \"$0.disk\" && mkfs.ext4 -q",
      options: "loop,data=writeback"),
    Disk(name: "xfs", make: "truncate -s 320M \"$0.disk\" && mkfs.xfs -q", options: "loop"),
  ]

  /// Kinds of calls that change something.
  ///
  /// In front of another one there is on the disk what was there after the last of these.
  private static let kinds: Set = [
    "create", "write", "truncate", "sync", "rename", "link", "unlink", "mkdir", "rmdir", "mode",
  ]

  /// The trials, all or some, on the file systems that can be mounted here.
  func trials(all: Bool, folder: String) -> [Trial] {
    let points = enumeration.fewPoints([.powerLossBefore, .powerLossAfter]).filter {
      Self.kinds.contains($0.call.kind)
    }
    return Self.disks.flatMap { disk -> [Trial] in
      guard canMount(disk, folder) else {
        print("\(situation.name): skipped: no \(disk.name) can be mounted here")
        return []
      }
      return [trialOfEnd(disk)] + Self.lies.map { planted($0, disk) }
        + (all ? points : points.spread(Self.sample)).map { trial($0, disk) }
    }
  }

  /// The trials of one point, on every file system.
  func trials(_ point: Point) -> [Trial] { Self.disks.map { trial(point, $0) } }

  private func trial(_ point: Point, _ disk: Disk) -> Trial {
    Trial(
      situation: situation, kind: "power", fault: disk.name,
      repetition: "--situation \(situation.name) --point '\(point)'"
    ) { [self] workspace in
      try faults(workspace, disk) { try run($0, workspace, point.description) }
    }
  }

  /// Runs a command to a point and on; nil if it never comes there.
  private func run(
    _ command: ChildProcess, _ workspace: Workspace, _ point: String
  ) throws -> ChildProcess.Outcome? {
    let (outcome, wasReached) = try workspace.run(
      command, shim: enumeration.shim, ("FAULTS_POINT", point))
    return wasReached ? outcome : nil
  }

  /// What a run has published that has ended is there whatever comes.
  private func trialOfEnd(_ disk: Disk) -> Trial {
    Trial(
      situation: situation, kind: "power", fault: disk.name,
      repetition: "--situation \(situation.name) --surroundings power"
    ) { [self] workspace in
      try faults(workspace, disk) { command in
        let outcome = try command.run()
        try shell(Self.shutDown, workspace.output)
        return outcome
      }
    }
  }

  /// From here on nothing is synced though the command is told so.
  private static let lies = [
    "sync out/.catalog.sqlite.ingest/database 1 swallow+",
    "sync out/catalog.sqlite.rejects.new/parts.csv 1 swallow+",
  ]

  /// A lie after which the power fails, which must be found, or the checks are worth nothing.
  private func planted(_ lie: String, _ disk: Disk) -> Trial {
    Trial(
      situation: situation, kind: "power", fault: "planted",
      repetition: "--situation \(situation.name) --surroundings power"
    ) { [self] workspace in
      let found = try faults(workspace, disk) { command in
        let outcome = try run(command, workspace, lie)
        try shell(Self.shutDown, workspace.output)
        return outcome
      }
      return found.map { $0.isEmpty ? ["the planted fault was not found: \(lie)"] : [] }
    }
  }

  /// FS_IOC_SHUTDOWN, by which not even the journal is written.
  private static let shutDown = """
    python3 -c 'import fcntl, os, struct, sys
    fcntl.ioctl(os.open(sys.argv[1], os.O_RDONLY), 0x8004587d, struct.pack("I", 2))' "$0"
    """

  /// Does something to a disk with the output of the situation; nil if it could not be done.
  private func faults(
    _ workspace: Workspace, _ disk: Disk, _ body: (ChildProcess) throws -> ChildProcess.Outcome?
  ) throws -> [String]? {
    try workspace.restore(situation.before)
    let command = workspace.command(enumeration.ingest, situation)
    defer {
      try? shell("umount -l \"$0\"; rm -rf \"$0\" \"$0.plain\" \"$0.disk\"", workspace.output)
    }
    try shell(
      """
      set -e
      mv "$0" "$0.plain"
      mkdir "$0"
      \(disk.make) "$0.disk"
      mount -o \(disk.options) "$0.disk" "$0"
      rm -rf "$0/lost+found"
      cp -a "$0.plain/." "$0"
      sync -f "$0"
      """, workspace.output)
    guard let outcome = try body(command) else { return nil }
    try shell("umount \"$0\" && mount -o \(disk.options) \"$0.disk\" \"$0\"", workspace.output)
    var expectation = Expectation(statuses: [137, situation.baseline.status])
    expectation.mayLeave = true
    expectation.concernsReports = true
    let checks = Checks(situation: situation)
    let faults = checks.faults(after: outcome, try workspace.contents().output, expectation)
    let next = try command.run()
    return faults + checks.faults(afterNext: next, try workspace.contents().output)
  }

  private func canMount(_ disk: Disk, _ folder: String) -> Bool {
    let script = """
      mkdir -p "$0" && \(disk.make) "$0.disk" && mount -o \(disk.options) "$0.disk" "$0" &&
        \(Self.shutDown) && umount "$0"; status=$?; rm -rf "$0.disk" "$0"; exit $status
      """
    return (try? shell(script, folder + "/mounted")) != nil
  }
}
