import Foundation
import TestSupport

/// Limits and file systems that fail by themselves, without a shim.
struct Surroundings {
  let situation: Situation
  let ingest: String

  /// What is done before a run, and after it.
  private struct Change: Sendable {
    var before: @Sendable (Workspace) throws -> Void = { _ in }
    var after: @Sendable (Workspace) throws -> Void = { _ in }
    /// What the shell does before it becomes the command.
    var script = ""
  }

  private func trial(
    _ kind: String, _ name: String, _ statuses: Set<Int32>, mayFailToStart: Bool = false,
    _ change: Change
  ) -> Trial {
    Trial(
      situation: situation, kind: kind, fault: name,
      repetition: "--situation \(situation.name) --surroundings '\(kind) \(name)'"
    ) { [situation, ingest] workspace in
      try workspace.restore(situation.before)
      let plain = workspace.command(ingest, situation)
      var command = plain
      if !change.script.isEmpty {
        command.executable = "/bin/sh"
        command.arguments =
          ["-c", change.script + "; exec \"$0\" \"$@\"", ingest] + plain.arguments
      }
      let outcome: ChildProcess.Outcome
      let found: FolderContents
      do {
        try change.before(workspace)
        outcome = try command.run()
        found = try workspace.contents().output
      } catch {
        try? change.after(workspace)
        throw error
      }
      try change.after(workspace)
      var expectation = Expectation(statuses: statuses)
      expectation.concernsReports = true
      expectation.mayRepeat = true
      let checks = Checks(situation: situation)
      // The loader fails before the command's own first instruction.
      let hasStarted = outcome.status != 127 || !mayFailToStart
      let faults = hasStarted ? checks.faults(after: outcome, found, expectation) : []
      let next = try plain.run()
      return faults + checks.faults(afterNext: next, try workspace.contents().output)
    }
  }

  /// Limits of the process, which need no permission.
  func limits() -> [Trial] {
    let ordinary = situation.baseline.status
    // Blocks of 512 bytes, up to more than the largest file has.
    let sizes = [1, 8, 32, 64, 128, 256, 512, 1024, 1200, 8000].flatMap { blocks in
      [("", "signal"), ("trap '' XFSZ; ", "no signal")].map { trap, name in
        trial(
          "file size", "\(blocks) blocks, \(name)", blocks < 8000 ? [74, ordinary] : [ordinary],
          Change(script: trap + "ulimit -f \(blocks)"))
      }
    }
    let descriptors = (3...24).map { count in
      trial(
        "descriptors", "\(count)", count < 24 ? [74, ordinary] : [ordinary], mayFailToStart: true,
        Change(script: "ulimit -n \(count)"))
    }
    return sizes + descriptors
  }

  /// File systems that are full or cannot be written; nothing where mounting is not allowed.
  func disks(folder: String) throws -> [Trial] {
    guard canMount(folder) else {
      print("\(situation.name): skipped: file systems cannot be mounted here")
      return []
    }
    let ordinary = situation.baseline.status
    let used = situation.baseline.before.kibibytes
    let full = [8, 100, 300, 500, 700, 900, 8000].map { free in
      trial(
        "full disk", "\(free) KiB free", free < 8000 ? [74, ordinary] : [ordinary],
        onFileSystem("size=\(used + free)k", at: \.output))
    }
    let inodes = (1...6).map { free in
      trial(
        "no inodes", "\(free) free", [74, ordinary],
        onFileSystem("nr_inodes=\(situation.baseline.before.files.count + 1 + free)", at: \.output))
    }
    let readOnly = trial(
      "read-only folder", "bind mount", [73],
      Change(
        before: { workspace in
          try shell(
            "mount --bind \"$0\" \"$0\" && mount -o remount,bind,ro \"$0\"", workspace.output)
        }, after: { workspace in try shell("umount -l \"$0\"", workspace.output) }))
    return full + inodes + [readOnly] + [700, 900, 1100].map(failingSync)
  }

  /// The folder of SQLite's temporary files is full.
  func fullTemporaryFolder(folder: String) throws -> [Trial] {
    guard canMount(folder) else { return [] }
    return [16, 256, 1024].map { size in
      trial(
        "full temporary folder", "\(size) KiB", [74], onFileSystem("size=\(size)k", at: \.temporary)
      )
    }
  }

  /// Puts the folder on a file system of its own, and afterwards what is in it back where it was.
  private func onFileSystem(
    _ options: String, at folder: @escaping @Sendable (Workspace) -> String
  ) -> Change {
    Change(
      before: { workspace in
        try shell(
          """
          set -e
          mv "$0" "$0.plain"
          mkdir "$0"
          mount -t tmpfs -o \(options) tmpfs "$0"
          cp -a "$0.plain/." "$0"
          rm -r "$0.plain"
          """, folder(workspace))
      },
      after: { workspace in
        try shell(
          """
          set -e
          cp -a "$0" "$0.plain"
          umount -l "$0"
          rmdir "$0"
          mv "$0.plain" "$0"
          """, folder(workspace))
      })
  }

  /// A disk that takes what is written and fails when it is synced: a sparse image of more than the file
  /// system has under it.
  private func failingSync(kibibytes: Int) -> Trial {
    trial(
      "failing sync", "\(kibibytes) KiB", [74, situation.baseline.status],
      Change(
        before: { workspace in
          let room = situation.baseline.before.kibibytes + kibibytes
          try shell(
            """
            set -e
            mkdir "$0.image"
            mount -t tmpfs -o size=\(room)k tmpfs "$0.image"
            truncate -s 64M "$0.image/disk"
            mkfs.ext4 -q -O ^has_journal -E lazy_itable_init=1,nodiscard "$0.image/disk"
            mv "$0" "$0.plain"
            mkdir "$0"
            mount -o loop "$0.image/disk" "$0"
            rmdir "$0/lost+found"
            cp -a "$0.plain/." "$0"
            rm -r "$0.plain"
            sync -f "$0"
            """, workspace.output)
        },
        after: { workspace in
          try shell(
            """
            set -e
            cp -a "$0" "$0.plain"
            umount -l "$0"
            umount -l "$0.image"
            rmdir "$0" "$0.image"
            mv "$0.plain" "$0"
            """, workspace.output)
        }))
  }

  private func canMount(_ folder: String) -> Bool {
    let script = "mkdir -p \"$0\" && mount -t tmpfs tmpfs \"$0\" && umount \"$0\""
    return (try? shell(script, folder + "/mounted")) != nil
  }
}

/// Runs a script of the shell, in which `$0` is a path.
func shell(_ script: String, _ path: String) throws {
  let outcome = try bounded("/bin/sh", ["-c", script, path]).run()
  guard outcome.status == 0 else { throw Failure("\(script): \(outcome.errors)") }
}

extension FolderContents {
  /// What the files take, in whole pages.
  fileprivate var kibibytes: Int { files.values.reduce(8) { $0 + ($1.count + 4095) / 4096 * 4 } }
}
