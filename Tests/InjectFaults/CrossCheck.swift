import Foundation
import TestSupport

/// The same faults with strace, which sees all system calls.
///
/// The results must match those of the shim.
struct CrossCheck {
  let enumeration: Enumeration
  private var situation: Situation { enumeration.situation }

  /// Some points, as the shim takes them, and the name that the call has for the system.
  private static let points = [
    ("write out/.catalog.sqlite.ingest/database 20 error=ENOSPC", "pwrite64"),
    ("write out/.catalog.sqlite.ingest/database 50 error=EIO", "pwrite64"),
    ("write out/catalog.sqlite.rejects.new/parts.csv 1 error=ENOSPC", "write"),
    ("write out/.report.json.ingest 1 error=ENOSPC", "write"),
    ("sync out/catalog.sqlite.rejects.new/manifest.csv 1 error=EIO", "fsync"),
    ("rename out/.catalog.sqlite.ingest/database 1 error=EIO", "rename"),
    ("rename out/.catalog.sqlite.ingest/database 1 error=EROFS", "rename"),
    ("create out/.catalog.sqlite.ingest/database 1 error=ENOSPC", "openat"),
    ("create out/.catalog.sqlite.ingest.lock 1 error=EMFILE", "openat"),
    ("read dumps/parts.csv 1 error=EIO", "read"),
    ("read dumps/elements.csv.gz 2 error=EIO", "read"),
    ("open dumps/colors.csv.gz 1 error=EIO", "openat"),
  ]

  /// The trials; empty if strace is missing or not permitted.
  func trials() throws -> [Trial] {
    let isThere = try? bounded("strace", ["-f", "-o", "/dev/null", "/bin/true"]).run().status
    guard isThere == 0 else {
      print("skipped: strace cannot be used here")
      return []
    }
    return [sameCalls] + Self.points.map(sameOutcome)
  }

  /// One point by the shim and by strace: the same status and the same messages.
  private func sameOutcome(_ description: String, call: String) -> Trial {
    Trial(
      situation: situation, kind: "strace", fault: "same outcome",
      repetition: "--situation \(situation.name) --surroundings strace"
    ) { [situation, enumeration] workspace in
      guard let point = Point(description) else { throw Failure("'\(description)' is no point") }
      let command = workspace.command(enumeration.ingest, situation)
      try workspace.restore(situation.before)
      let (own, wasReached) = try workspace.run(
        command, shim: enumeration.shim, ("FAULTS_POINT", description))
      guard wasReached else { return nil }
      try workspace.restore(situation.before)
      var traced = command
      traced.executable = "strace"
      let fault = "\(call):\(point.fault.rawValue):when=\(point.number)"
      traced.arguments =
        [
          "-f", "-qq", "-o", "/dev/null", "-P", "\(workspace.root)/\(point.call.path)", "-e",
          "trace=" + call, "-e", "inject=" + fault, enumeration.ingest,
        ] + command.arguments
      let outcome = try traced.run()
      // How many records are described before the run ends is a matter of the threads.
      func messages(_ outcome: ChildProcess.Outcome) -> [Substring] {
        outcome.errors.split(separator: "\n").filter { $0.hasPrefix("ingest: ") }
      }
      guard outcome.status != own.status || messages(outcome) != messages(own) else { return [] }
      return [
        "\(description): by the shim \(own.status) \(own.errors), by strace \(outcome.status) "
          + outcome.errors
      ]
    }
  }

  /// The names of the system for the kinds of calls.
  private static let kinds = [
    "openat": "open", "read": "read", "pread64": "read", "write": "write", "pwrite64": "write",
    "fsync": "sync", "fdatasync": "sync", "ftruncate": "truncate", "rename": "rename",
    "renameat2": "rename", "unlink": "unlink", "rmdir": "rmdir", "mkdir": "mkdir",
    "fchmod": "mode", "fchown": "mode", "flock": "lock",
  ]

  /// Whether the shim sees every call that strace sees on the run's own files.
  private var sameCalls: Trial {
    Trial(
      situation: situation, kind: "strace", fault: "same calls",
      repetition: "--situation \(situation.name) --surroundings strace"
    ) { [situation, enumeration] workspace in
      try workspace.restore(situation.before)
      let command = workspace.command(enumeration.ingest, situation)
      var traced = command
      traced.executable = "strace"
      let trace = workspace.path + "/trace"
      traced.arguments =
        [
          "-f", "-qq", "-y", "-o", trace, "-e", "trace=" + Self.kinds.keys.joined(separator: ","),
          enumeration.ingest,
        ] + command.arguments
      _ = try traced.run()
      var seen: [String: Int] = [:]
      for line in try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n") {
        guard let call = line.split(separator: " ", maxSplits: 1).last?.drop(while: { $0 == " " }),
          let kind = Self.kinds[String(call.prefix { $0 != "(" })],
          Self.verdictWarnings(call, workspace.root), !Self.isOpenedByThreads(String(call))
        else { continue }
        seen[kind, default: 0] += 1
      }
      var known: [String: Int] = [:]
      for call in situation.baseline.calls
      where !["open", "create"].contains(call.kind)
        || call.path != "out/.catalog.sqlite.ingest/database"
      {
        // A folder that is listed is opened inside the C library.
        let kind = ["create", "folder"].contains(call.kind) ? "open" : call.kind
        known[kind, default: 0] += 1
      }
      // SQLite's locks are calls of fcntl.
      known["lock"] =
        situation.baseline.calls.filter {
          $0.kind == "lock" && $0.path != "out/catalog.sqlite"
            && $0.path != "out/.catalog.sqlite.ingest/database"
        }.count
      return Set(Self.kinds.values).sorted().compactMap { kind in
        let (strace, shim) = (seen[kind, default: 0], known[kind, default: 0])
        return strace == shim ? nil : "\(kind): strace saw \(strace) calls, the shim \(shim)"
      }
    }
  }

  /// Whether SQLite opens the new catalog: how often depends on which threads have it open already.
  private static func isOpenedByThreads(_ call: String) -> Bool {
    call.hasPrefix("openat") && call.contains("/out/.catalog.sqlite.ingest/database\"")
  }

  /// Whether the first path of a call, as strace writes it, is one of the run's own.
  private static func verdictWarnings(_ call: Substring, _ root: String) -> Bool {
    // Of a call that names a file, the folder that it starts from comes first.
    let named = ["openat", "rename", "unlink", "rmdir", "mkdir"]
    guard named.contains(where: call.hasPrefix) else { return call.contains("<\(root)/") }
    return call.split(separator: "\"").dropFirst().first?.hasPrefix(root) ?? false
  }
}
