/// The expected results of a fault.
struct Expectation {
  /// The valid exit statuses.
  var statuses: Set<Int32>
  /// Words for the cause, one of which must be in the message; empty without a message.
  var causes: [String] = []
  /// Whether the run may leave files that the next run removes.
  var mayLeave = false
  /// The names of files that may be left behind: a run removes only what is certainly its own, and the next
  /// one uses or removes it.
  var leftovers: Set<String> = []
  /// Whether there may be more than one message, since more than one thing fails.
  var mayRepeat = false
  /// Whether the run keeps what it has rejected, though it has not read everything, and the next one so
  /// removes what was there before.
  var mayPushOut = false
  /// Whether the fault causes a warning, which is stored in the new catalog.
  var mayWarn = false
  /// Whether it is a report that fails: then it may be missing, and another may have been written
  /// before it that does not know of it.
  var concernsReports = false

  init(statuses: Set<Int32>) { self.statuses = statuses }

  /// The expected results of a fault at a point of a situation.
  init(_ point: Point, in situation: Situation) {
    let fault = point.fault
    let ordinary = situation.baseline.status
    // Without the thread that waits for signals a run does not begin, nor do its reports.
    concernsReports =
      point.call.kind == "thread" || point.call.path.contains("report.")
      || point.call == Self.syncOfFolder || point.call == Self.openingOfFolder
    if fault.isKill {
      statuses = [137]
      mayLeave = true
      return
    }
    if fault.isHarmless || fault.isLie {
      statuses = [ordinary]
      return
    }
    statuses = Self.statuses(of: point)
    // A run that publishes nothing reports that, even if it cannot write other output.
    if Self.isHarmless(point) || ordinary == 65 || situation.isUnchanged
      || situation.looksForChanges && point.call.kind == "stat"
    {
      statuses.insert(ordinary)
    }
    causes = fault.words.map { [$0] } ?? []
    causes +=
      Self.wordsOfSQLite + (point.call.kind == "read" || fault.isLasting ? Self.wordsForDamage : [])
    mayRepeat = fault.isLasting
    mayWarn =
      point.call.kind == "mode" || point.call == Call(kind: "stat", path: "out/catalog.sqlite")
    mayLeave = fault.isLasting || !fault.isLie && ["unlink", "rmdir"].contains(point.call.kind)
    mayPushOut = fault == .noAccess
    // The contents of a lock identify its owner.
    let isReadOfLock = point.call.kind == "read" && point.call.path.hasSuffix(".lock")
    if ["lock", "stat"].contains(point.call.kind) && point.call.path.hasPrefix("out/.")
      || isReadOfLock
    {
      // The candidate may be left in its folder.
      let name = point.call.path.dropFirst("out/".count).prefix { $0 != "/" }
      leftovers = [String(name), name + "/"]
    }
  }

  private static let syncOfFolder = Call(kind: "sync", path: "out")
  private static let openingOfFolder = Call(kind: "open", path: "out")

  /// The statuses of faults that are not harmless.
  private static func statuses(of point: Point) -> Set<Int32> {
    let path = point.call.path
    switch point.fault {
    case .noAccess, .readOnly:
      // Inputs, which edited records and saved repairs are, too. A file of our own that cannot be opened a
      // second time, or a report after the run, is a failure of writing.
      if isInput(path) { return [66] }
      let isRead = path.contains(".rejects/") || path.hasSuffix(".rejects")
      return isRead || path.hasPrefix("out/" + Situation.written) ? [66, 73, 74] : [73, 74]
    default: return [74]
    }
  }

  /// Whether somebody has put it there for the run to read.
  private static func isInput(_ path: String) -> Bool {
    path.hasPrefix("dumps") || path.hasPrefix("out/repairs") || path == "out/suppressed.txt"
  }

  /// SQLite's messages have their own words.
  private static let wordsOfSQLite = [
    "disk I/O error", "database or disk is full", "unable to open database file",
    "the file is not writable",
  ]

  /// SQLite reports a read error (EIO) as damage.
  private static let wordsForDamage = ["malformed", "damaged"]

  /// The calls that may fail without harm: what they are for is done in another way, or again by the
  /// next run, or the checks that follow would find what they have missed.
  private static func isHarmless(_ point: Point) -> Bool {
    let path = point.call.path
    return switch point.call.kind {
    // A leftover goes with the next run.
    case "unlink", "rmdir": true
    // SQLite sorts by itself where it gets no thread.
    case "thread": true
    // Reported as a warning (access-changed).
    case "mode": true
    // Links are then followed by hand.
    case "resolve": true
    // Checked again.
    case "open": path == "out/catalog.sqlite"
    // An old catalog is read once more. SQLite goes without statistics that it cannot read, when the
    // new one is verified.
    case "read": path == "out/catalog.sqlite" || path == "out/.catalog.sqlite.ingest/database"
    // What SQLite gives back of a lock when it closes a file.
    case "lock": path == "out/catalog.sqlite" || path == "out/.catalog.sqlite.ingest/database"
    // The mark on the old catalog when the new one is in its place.
    case "write": path == "out/catalog.sqlite"
    // SQLite takes another folder for temporary files.
    case "access": path.hasPrefix("temp")
    case "stat":
      // Before a file is opened, where the opening would fail too, and by SQLite for a journal that it does not use.
      isInput(path) || path.hasPrefix("temp")
        // A part of a path, whose links are followed again when a file is opened.
        || path == "." || path == "out" || path.hasPrefix("out/report.")
        || path.hasSuffix("-journal")
        || path.hasSuffix("-wal")
        || path == "out/.catalog.sqlite.ingest/database" || path == "out/catalog.sqlite"
        // Before removing it, to check that it is the same file.
        || path == "out/.catalog.sqlite.ingest.lock"
        // The identity of a file that is read; without it, the file counts as unchanged.
        || path.contains(".rejects/") || path.contains(".rejects.previous/")
        || path.hasPrefix("out/.report.")
    default: false
    }
  }
}
