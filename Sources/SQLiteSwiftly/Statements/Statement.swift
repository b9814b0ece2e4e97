import CSQLite

/// A compiled statement, finalized or given back to the cache with its last reference.
///
/// It retains its connection. Each run begins with a reset statement and newly bound parameters.
@safe final class Statement {
  let handle: OpaquePointer
  let connection: Connection
  let parameterCount: Int
  /// The number of the current or last run; cursors of other runs are outdated.
  private(set) var run = 0
  /// The number of steps and resets; rows of other steps are outdated.
  private(set) var steps = 0
  let texts = TextArena()
  /// The names of the result columns, once requested, the run for which they were, and how often SQLite had compiled
  /// the statement again until then.
  ///
  /// They have their own memory: Swift checks exclusive access to a property of a class, which took
  /// a quarter of the time of finding a column.
  private let names = UnsafeMutablePointer<ColumnNames>.allocate(capacity: 1)
  private var namedRun = 0
  private var namedCompilation: Int32 = -1
  /// The text by which the connection's cache keeps it; nil if it is finalized.
  private let keptAs: String?

  convenience init(
    _ text: String, on connection: Connection, isPersistent: Bool = false
  ) throws(SQLiteError) {
    unsafe self.init(
      compiled: try connection.compile(text, isPersistent: isPersistent), on: connection)
  }

  @unsafe init(
    compiled handle: OpaquePointer, on connection: Connection, keptAs text: String? = nil
  ) {
    unsafe self.handle = handle
    self.connection = connection
    keptAs = text
    parameterCount = Int(unsafe sqlite3_bind_parameter_count(handle))
    unsafe names.initialize(to: ColumnNames([]))
  }

  deinit {
    let isOutermost = connection.beginCallLater()
    defer { connection.endCall(isOutermost) }
    if let keptAs {
      unsafe connection.statementCache.keep(handle, keptAs)
    } else {
      unsafe sqlite3_finalize(handle)
    }
    unsafe names.deinitialize(count: 1)
    unsafe names.deallocate()
  }

  var text: String { unsafe SQLiteSwiftly.text(of: handle) }

  var parameterNames: [String?] {
    (0..<Int32(parameterCount)).map { unsafe string(sqlite3_bind_parameter_name(handle, $0 + 1)) }
  }

  var columnCount: Int { Int(unsafe sqlite3_column_count(handle)) }

  var columnNames: [String] {
    (0..<Int32(columnCount)).map { unsafe string(sqlite3_column_name(handle, $0)) ?? "" }
  }

  /// The number of the only column of that name in this run, or nil; runs can differ after a change of the schema.
  func column(_ name: String) -> Int? {
    if namedRun != run { refreshNames() }
    return unsafe names.pointee.index(of: name)
  }

  private func refreshNames() {
    namedRun = run
    let compilation = unsafe sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_REPREPARE, 0)
    guard exchange(&namedCompilation, with: compilation) != compilation else { return }
    unsafe names.pointee = ColumnNames(columnNames)
  }

  func columnNameError(_ name: String) -> SQLiteError {
    let names = columnNames
    let count = names.count { areSameName($0, name) }
    return SQLiteError(
      .range,
      count == 0
        ? "no column `\(name)` in the result (columns: \(names.joined(separator: ", ")))"
        : "\(count) columns are named `\(name)`; rename them with AS", sql: text)
  }

  /// Abandons an unfinished run, and begins another one with the values bound by `bindValues`.
  @inline(__always)
  func start(_ bindValues: () throws(SQLiteError) -> Void) throws(SQLiteError) {
    reset()
    run += 1
    try connection.checkTransaction(before: text)
    try connection.checkCancellation(before: text)
    texts.clear()
    try bindValues()
  }

  func step() throws(SQLiteError) -> Bool {
    steps += 1
    let code = unsafe sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    guard code != SQLITE_DONE else { return false }
    let error = unsafe connection.failure(code, of: handle)
    // A statement that met a lock stays active, with its own locks, until it is reset.
    reset()
    throw error
  }

  /// Ends a run; returns the code of its last step, which was thrown already, or a new error.
  @discardableResult func reset() -> Int32 {
    steps += 1
    return unsafe sqlite3_reset(handle)
  }

  func checkReturnsNoRows() throws(SQLiteError) {
    // SQLite also reports a column for `ALTER TABLE`, which returns none.
    let start = afterBlanks(text.utf8[...]).prefix(5).map { $0 | 0x20 }
    guard columnCount == 0 || start.elementsEqual("alter".utf8) else {
      throw refusal(.misuse, "the statement returns rows; read them with query")
    }
  }

  func run(_ values: [SQLiteValue]) throws(SQLiteError) {
    // Does not use the call below, whose closure context would make inserts a twentieth slower.
    guard !connection.isTraced else {
      return try runMeasured { () throws(SQLiteError) in try bind(values) }
    }
    let isOutermost = try connection.beginCall()
    defer { connection.endCall(isOutermost) }
    try start { () throws(SQLiteError) in try bind(values) }
    while try step() {}
  }

  @inline(__always)
  func run(_ bindValues: () throws(SQLiteError) -> Void) throws(SQLiteError) {
    // Measuring the time alone would make inserts a tenth slower.
    guard !connection.isTraced else { return try runMeasured(bindValues) }
    let isOutermost = try connection.beginCall()
    defer { connection.endCall(isOutermost) }
    try start(bindValues)
    while try step() {}
  }

  @inline(never)
  private func runMeasured(
    _ bindValues: () throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    try connection.checkOccupation()
    let isOutermost = try connection.beginCall()
    defer { connection.endCall(isOutermost) }
    let start = ContinuousClock.now
    defer { connection.trace(.finished(sql: text, duration: .now - start)) }
    try self.start(bindValues)
    while try step() {}
  }

  func check(_ code: Int32, is expected: Int32) throws(SQLiteError) {
    guard code == expected else { throw unsafe connection.failure(code, of: handle) }
  }

  func refusal(_ code: SQLiteError.ResultCode, _ message: String) -> SQLiteError {
    let error = SQLiteError(code, message, sql: text)
    connection.trace(.failed(error))
    return error
  }
}

/// The SQL of a statement, with the names of parameters instead of their values.
@unsafe func text(of handle: OpaquePointer) -> String { unsafe string(sqlite3_sql(handle)) ?? "" }

@unsafe func string(_ characters: UnsafePointer<CChar>?) -> String? {
  unsafe characters.map { unsafe String(cString: $0) }
}

/// Skips what SQLite ignores before a statement: blanks, byte order marks, comments and empty statements.
package func afterBlanks<Text: Collection<UInt8>>(_ text: Text) -> Text
where Text.SubSequence == Text {
  let byteOrderMark = "\u{FEFF}"
  var rest = text
  while true {
    rest = rest.drop { [0x20, 0x09, 0x0a, 0x0c, 0x0d, UInt8(ascii: ";")].contains($0) }
    if rest.starts(with: byteOrderMark.utf8) {
      rest = rest.dropFirst(byteOrderMark.utf8.count)
    } else if rest.starts(with: "--".utf8) {
      rest = rest.drop { $0 != 0x0a }
    } else if rest.starts(with: "/*".utf8) {
      let end = rest.indices.dropFirst(2).first { rest[$0...].starts(with: "*/".utf8) }
      rest = end.map { rest[$0...].dropFirst(2) } ?? rest.suffix(0)
    } else {
      return rest
    }
  }
}

/// Finds columns by name, ignoring the case of ASCII letters, as SQLite does.
///
/// Programs request the same names in the same order for each row. Requested names are remembered
/// in that order, so that one comparison replaces a search.
struct ColumnNames {
  private static let limit = 128

  private let names: [String]
  private var asked: [Asked] = []
  private var next = 0

  private struct Asked {
    let name: String
    let place: Int
    let isASCII: Bool

    init(_ name: String, place: Int) {
      self.name = name
      self.place = place
      isASCII = name.utf8.allSatisfy { $0 < 0x80 }
    }

    @inline(__always)
    func isFor(_ other: String) -> Bool {
      // Strings are also equal in different normal forms. ASCII text has no other form of the same
      // length, and comparing strings takes a tenth of the time for it.
      isASCII
        ? other.utf8.count == name.utf8.count && other == name : haveSameBytes(other, name)
    }
  }

  init(_ names: [String]) { self.names = names }

  /// The index of the only column of that name; nil if there is none or more than one.
  mutating func index(of name: String) -> Int? {
    if next < asked.count, asked[next].isFor(name) { return remembered(next) }
    return search(name)
  }

  private mutating func search(_ name: String) -> Int? {
    if let known = asked.firstIndex(where: { $0.isFor(name) }) { return remembered(known) }
    let places = names.indices.filter { areSameName(names[$0], name) }
    guard places.count == 1 else { return nil }
    if asked.count < Self.limit { asked.append(Asked(name, place: places[0])) }
    next = 0
    return places[0]
  }

  @inline(__always)
  private mutating func remembered(_ index: Int) -> Int {
    next = index + 1 == asked.count ? 0 : index + 1
    return asked[index].place
  }
}
