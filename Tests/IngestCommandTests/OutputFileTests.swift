import CLinux
import Foundation
import TestSupport
import Testing

/// Locations and permissions of the output.
@Suite struct OutputFileTests {
  private let command: Command
  private let dumps = Command.fixtures + "/dumps"

  init() throws {
    command = try Command()
    try command.putCatalog()
  }

  private func status(_ suffix: String = "") throws -> stat {
    var status = stat()
    let isThere = unsafe stat(command.catalog + suffix, &status) == 0
    #expect(isThere)
    return status
  }

  private func setMode(_ mode: Int, of path: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }

  /// The access control list of acl(5): the owner reads and writes, the user 1234 and the group read.
  private static let accessList: [UInt8] = [
    2, 0, 0, 0,
    0x01, 0, 6, 0, 0xff, 0xff, 0xff, 0xff,
    0x02, 0, 4, 0, 0xd2, 0x04, 0, 0,
    0x04, 0, 4, 0, 0xff, 0xff, 0xff, 0xff,
    0x10, 0, 4, 0, 0xff, 0xff, 0xff, 0xff,
    0x20, 0, 0, 0, 0xff, 0xff, 0xff, 0xff,
  ]

  @Test(.enabled(if: getuid() == 0, "only root may give files away"))
  func `owner, group, mode and access control list are kept`() throws {
    let name = "system.posix_acl_access"
    let list = Self.accessList
    let hasLists = unsafe setxattr(command.catalog, name, list, list.count, 0) == 0
    #expect(hasLists || errno == EOPNOTSUPP)
    let isGiven = unsafe chown(command.catalog, 1234, 2345) == 0
    #expect(isGiven)
    if !hasLists { try setMode(0o640, of: command.catalog) }
    let result = try command.load(dumps)
    #expect(result.status == 0 && !result.errors.contains("access-changed"), "\(result)")
    let status = try status()
    #expect(status.st_uid == 1234 && status.st_gid == 2345)
    #expect(status.st_mode & 0o7777 == 0o640)
    guard hasLists else { return }
    var bytes = [UInt8](repeating: 0, count: 100)
    let count = unsafe getxattr(command.catalog, name, &bytes, bytes.count)
    #expect(Array(bytes.prefix(max(count, 0))) == list)
  }

  @Test(.enabled(if: getuid() == 0, "only root may run as another user"))
  func `an owner that cannot be kept produces a warning`() throws {
    try setMode(0o777, of: command.folder)
    let script = """
      cp "$0" ./ingest && cp -r "$1" ./copy && chmod -R a+rX ingest copy
      exec setpriv --reuid=65534 --regid=65534 --clear-groups ./ingest --source copy \
        --out catalog.sqlite
      """
    let result = try command.start([dumps], by: ["/bin/sh", "-c", script]).outcome()
    // The user may not be able to read the toolchain's libraries.
    if result.status == 127 { return }
    #expect(result.status == 0, "\(result)")
    #expect(
      result.errors.contains(
        "access-changed: catalog.sqlite: could not be copied from the previous file: the owner 0 "
          + "(Operation not permitted), the group 0 (Operation not permitted)"),
      "\(result)")
    #expect(try self.status().st_uid == 65534)
  }

  @Test func `a refused database has the permissions of the database`() throws {
    try setMode(0o600, of: command.catalog)
    let smaller = try DumpCopy(of: dumps, for: command).removing("inventory_minifigs")
    try command.load(smaller.path, "--quiet", "--allow-missing=all", "--max-shrink=0%", status: 65)
    #expect(try status(".refused").st_mode & 0o777 == 0o600)
  }

  @Test func `file names are sorted as in a shell`() throws {
    let expected = try command.bytesOfCatalog()
    try makeFolder(command.folder + "/sub")
    for name in ["other.sqlite", "./sub/other.sqlite", "sub/../third.sqlite", "-.sqlite"] {
      try command.run(["--source", dumps, "--out=\(name)", "--quiet"], status: 0)
      let path = command.folder + "/" + name
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == expected)
    }
  }

  @Test func `the output can be on another file system than temporary files`() throws {
    let memory = "/dev/shm/ingest-test-" + UUID().uuidString
    guard
      (try? FileManager.default.createDirectory(
        atPath: memory, withIntermediateDirectories: false)) != nil
    else { return }
    defer { try? FileManager.default.removeItem(atPath: memory) }
    let script = """
      SQLITE_TMPDIR=. "$0" --source "$1" --out "$2/out.sqlite" --quiet \
        && SQLITE_TMPDIR="$2" "$0" --source "$1" --out out.sqlite --quiet \
        && cmp out.sqlite "$2/out.sqlite" && cmp out.sqlite catalog.sqlite && ls -A "$2" | wc -l
      """
    try command.shell(script, [dumps, memory])
    #expect(try FileManager.default.contentsOfDirectory(atPath: memory) == ["out.sqlite"])
    #expect(try command.names() == ["catalog.sqlite", "out.sqlite"])
  }

  @Test(.enabled(if: Machine.canMount, "file systems cannot be mounted here"))
  func `an unwritable folder is reported at once`() throws {
    let before = try command.bytesOfCatalog()
    let script = """
      exec unshare -m sh -c 'mount --bind . . && cd "$PWD" && mount -o remount,bind,ro . &&
        exec "$0" --source "$1" --out catalog.sqlite' "$0" "$1"
      """
    let result = try command.shell(script, [dumps], status: 73)
    #expect(
      result.errors.contains("\ningest: catalog.sqlite: cannot be created: Read-only file system"),
      "\(result)")
    #expect(try command.bytesOfCatalog() == before)
  }
}
