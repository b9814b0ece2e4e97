import Foundation
import Glibc
import TestSupport
import Testing

/// Links that another user has planted in a folder that everybody can write to.
@Suite(.enabled(if: getuid() == 0, "only root may give links away"))
struct ForeignLinkTests {
  private let command: Command
  private let dumps = Command.fixtures + "/dumps"
  private static let other: uid_t = 65534

  init() throws {
    command = try Command()
    try command.putCatalog()
    for folder in ["shared", "victim"] {
      try makeFolder(path(folder))
    }
    try FileManager.default.setAttributes([.posixPermissions: 0o1777], ofItemAtPath: path("shared"))
    try command.write("victim/file", "precious")
  }

  private func path(_ name: String) -> String { command.path(name) }

  private func link(_ name: String, to target: String, owner: uid_t = other) throws {
    try FileManager.default.createSymbolicLink(
      atPath: path(name), withDestinationPath: path(target))
    #expect(unsafe lchown(path(name), owner, owner) == 0)
  }

  private func give(_ name: String) {
    #expect(unsafe lchown(path(name), Self.other, Self.other) == 0)
  }

  private func contents(_ folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path(folder)).sorted()
  }

  private func isRefusal(_ result: ChildProcess.Outcome, of link: String) -> Bool {
    result.errors.contains(
      "\(path(link)) is a symbolic link of another user (65534), so it is not followed")
  }

  // MARK: - Outputs

  @Test(arguments: [
    ["--out", "shared/c.sqlite"], ["--out", "shared/folder/c.sqlite"],
    ["--out", "c.sqlite", "--rejects", "shared/rejects"],
    ["--out", "c.sqlite", "--report", "shared/folder/r.json"],
    ["--out", "c.sqlite", "--metrics", "shared/folder/m.prom"],
  ])
  func `no output is written through another user's link`(options: [String]) throws {
    for (name, target) in [
      ("c.sqlite", "catalog.sqlite"), ("rejects", "victim"), ("folder", "victim"),
    ] {
      try link("shared/" + name, to: target)
    }
    let before = try command.bytesOfCatalog()
    let broken = Command.fixtures + "/broken/not-an-integer"
    let result = try command.run(["--source", broken] + options, status: 73)
    let last = try #require(options.last)
    let name = last.hasPrefix("shared/folder/") ? "shared/folder" : last
    #expect(isRefusal(result, of: name), "\(result)")
    #expect(try command.bytesOfCatalog() == before)
    #expect(try contents("victim") == ["file"])
    #expect(try contents("shared") == ["c.sqlite", "folder", "rejects"])
    let predicted = try command.run(["--dry-run", "--source", dumps] + options)
    #expect(predicted.status == 73 && isRefusal(predicted, of: name), "\(predicted)")
  }

  @Test(arguments: [("--report", "r.json"), ("--report", "r.html"), ("--metrics", "m.prom")])
  func `a report replaces a link`(option: String, name: String) throws {
    for owner in [Self.other, 0] {
      try link("shared/" + name, to: "victim/file", owner: owner)
      try command.load(dumps, "--quiet", option, path("shared/" + name), status: 0)
      #expect(try command.text("victim/file") == "precious")
      let kind = try FileManager.default.attributesOfItem(atPath: path("shared/" + name))[.type]
      #expect(kind as? FileAttributeType == .typeRegular)
      try FileManager.default.removeItem(atPath: path("shared/" + name))
    }
  }

  @Test func `rejected records are not written to another user's folder`() throws {
    let new = command.catalog + ".rejects.new"
    try makeFolder(new)
    give("catalog.sqlite.rejects.new")
    for option in [[], ["--dry-run"]] {
      let result = try command.run(
        ["--source", Command.fixtures + "/broken/not-an-integer", "--out", command.catalog]
          + option, status: 73)
      #expect(result.errors.contains("it belongs to another user (65534)"), "\(result)")
      #expect(try contents("catalog.sqlite.rejects.new") == [])
    }
  }

  @Test func `repairs are not written through another user's link`() throws {
    let broken = Command.fixtures + "/broken/not-an-integer"
    #expect(try command.load(broken, "--quiet").status == 65)
    try link("shared/repairs", to: "victim")
    let result = try command.run([
      "repair", "--source", broken, "--rejects", command.catalog + ".rejects", "--repairs",
      path("shared/repairs"),
    ])
    #expect(result.status == 73 && isRefusal(result, of: "shared/repairs"), "\(result)")
    #expect(try contents("victim") == ["file"])
  }

  @Test func `the user's own links are followed`() throws {
    try link("shared/c.sqlite", to: "shared/second", owner: 0)
    try link("shared/second", to: "shared/target.sqlite", owner: 0)
    #expect(
      try command.run(["--source", dumps, "--out", path("shared/c.sqlite"), "--quiet"]).status == 0)
    #expect(try contents("shared") == ["c.sqlite", "second", "target.sqlite"])
    // Every link of a chain counts.
    give("shared/second")
    let result = try command.run(["--source", dumps, "--out", path("shared/c.sqlite"), "--quiet"])
    #expect(result.status == 73 && isRefusal(result, of: "shared/second"), "\(result)")
  }

  // MARK: - Inputs

  /// Runs with a link of another user to a file or folder of root, and to one of that user.
  private func expect(
    _ link: String, to target: String, _ status: Int32, _ arguments: [String],
    accepted: Int32 = 0
  ) throws {
    try self.link(link, to: target)
    let refused = try command.run(arguments)
    #expect(refused.status == status && isRefusal(refused, of: link), "\(refused)")
    give(target)
    try command.run(arguments, status: accepted)
  }

  @Test func `a source folder behind another user's link belongs to that user`() throws {
    try FileManager.default.copyItem(atPath: dumps, toPath: path("target"))
    try expect(
      "shared/current", to: "target", 66,
      ["--source", path("shared/current"), "--out", command.catalog, "--quiet"])
  }

  @Test func `a source file behind another user's link belongs to that user`() throws {
    try FileManager.default.copyItem(atPath: dumps, toPath: path("shared/dumps"))
    try FileManager.default.moveItem(
      atPath: path("shared/dumps/themes.csv.gz"), toPath: path("target"))
    try expect(
      "shared/dumps/themes.csv.gz", to: "target", 66,
      ["--source", path("shared/dumps"), "--out", command.catalog, "--quiet"])
  }

  @Test(
    arguments: [
      ("--sql", "CREATE VIEW v AS SELECT 1 AS a;", 66), ("--suppress", "# nothing\n", 66),
      ("@", "--quiet\n", 64), ("--schema", #"{"resources": []}"#, 66),
    ] as [(String, String, Int32)])
  func `a file of options behind another user's link belongs to that user`(
    option: String, text: String, status: Int32
  ) throws {
    try command.write("target", text)
    let name = path("shared/options")
    try expect(
      "shared/options", to: "target", status,
      ["--source", dumps, "--out", path("new.sqlite")]
        + (option == "@" ? [option + name] : [option, name]),
      accepted: option == "--schema" ? 65 : 0)
  }

  @Test(arguments: ["check", "history"])
  func `a database behind another user's link belongs to that user`(name: String) throws {
    try expect("shared/c.sqlite", to: "catalog.sqlite", 66, [name, path("shared/c.sqlite")])
  }

  // MARK: - Another user

  @Test func `for a user without privileges, links of that user and of root are followed`() throws {
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: command.folder)
    for (owner, status) in [(Self.other, Int32(0)), (0, 0), (65533, 73)] {
      try link("shared/c.sqlite", to: "shared/\(owner).sqlite", owner: owner)
      let script = """
        cp "$0" ./ingest && cp -r "$1" ./copy && chmod -R a+rX ingest copy
        exec setpriv --reuid=65534 --regid=65534 --clear-groups ./ingest --source copy --quiet \
          --out shared/c.sqlite
        """
      let found = try command.start([dumps], by: ["/bin/sh", "-c", script]).outcome()
      // The user may not be able to read the toolchain's libraries.
      if found.status == 127 { return }
      #expect(found.status == status, "the link belongs to \(owner): \(found)")
      try FileManager.default.removeItem(atPath: path("shared/c.sqlite"))
    }
  }
}
