import CSQLite

/// A compiled statement, which is finalized when nothing refers to it any more.
///
/// It keeps its connection alive. Whatever happened before, a run begins from a reset statement with
/// all its parameters bound anew.
@safe final class Statement {
  let handle: OpaquePointer
  let connection: Connection
  let parameterCount: Int
  /// The number of the run that is under way or was the last; a cursor of another run is over.
  private(set) var run = 0
  /// How often it was stepped or reset; a row of another step is gone.
  private(set) var steps = 0
  let texts = TextArena()
  /// The names of the columns of a result, once one was asked for, and the run that had them.
  ///
  /// They have memory of their own: for a property of a class it is checked at each access that there is no
  /// other one, which took a quarter of the time of finding a column.
  private let names = UnsafeMutablePointer<ColumnNames>.allocate(capacity: 1)
  private var namedRun = 0

  /// Compiles one statement; `isPersistent` says that it is kept for many runs.
  convenience init(
    _ text: String, on connection: Connection, isPersistent: Bool = false
  ) throws(SQLiteError) {
    unsafe self.init(
      compiled: try connection.compile(text, isPersistent: isPersistent), on: connection)
  }

  @unsafe init(compiled handle: OpaquePointer, on connection: Connection) {
    unsafe self.handle = handle
    self.connection = connection
    parameterCount = Int(unsafe sqlite3_bind_parameter_count(handle))
    unsafe names.initialize(to: ColumnNames([]))
  }

  deinit {
    unsafe sqlite3_finalize(handle)
    unsafe names.deinitialize(count: 1)
    unsafe names.deallocate()
  }

  var text: String { unsafe SQLiteSwiftly.text(of: handle) }

  var parameterNames: [String?] {
    (0..<parameterCount).map { parameter in
      unsafe sqlite3_bind_parameter_name(handle, Int32(parameter + 1)).map {
        unsafe String(cString: $0)
      }
    }
  }

  var columnCount: Int { Int(unsafe sqlite3_column_count(handle)) }

  var columnNames: [String] {
    (0..<Int32(columnCount)).map { column in
      unsafe sqlite3_column_name(handle, column).map { unsafe String(cString: $0) } ?? ""
    }
  }

  /// The number of the one column of a name in the rows of this run, which may have others than the run
  /// before if the schema was changed.
  func place(ofColumn name: String) throws(SQLiteError) -> Int {
    if namedRun != run {
      unsafe names.pointee = ColumnNames(columnNames)
      namedRun = run
    }
    guard let place = unsafe names.pointee.place(of: name) else { throw noOneColumn(name) }
    return place
  }

  private func noOneColumn(_ name: String) -> SQLiteError {
    let names = columnNames
    let count = names.count { areOneName($0, name) }
    return SQLiteError(
      .range,
      count == 0
        ? "There is no column \(name) among \(names.joined(separator: ", "))"
        : "\(count) columns have the name \(name): give them others, by AS", sql: text)
  }

  /// Whether it returns rows; SQLite names a column of an `ALTER TABLE`, too, which has none.
  private var returnsRows: Bool {
    columnCount > 0 && !firstWord(of: text).elementsEqual("alter".utf8)
  }

  /// Leaves a run that was not finished, and begins another one, with the values that `bindValues` binds.
  @inline(__always)
  func start(_ bindValues: () throws(SQLiteError) -> Void) throws(SQLiteError) {
    reset()
    run += 1
    try connection.checkTransaction()
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
    // A statement that met a lock is still under way, with locks of its own, until it is reset.
    reset()
    throw error
  }

  /// Ends a run; returns the code of its last step, which was thrown already, or what went wrong only now.
  @discardableResult func reset() -> Int32 {
    steps += 1
    return unsafe sqlite3_reset(handle)
  }

  /// Throws if it returns rows, which a run that does not read them would lose.
  func checkReturnsNoRows() throws(SQLiteError) {
    guard !returnsRows else {
      throw refusal(.misuse, "The statement returns rows, which have to be read")
    }
  }

  /// Runs the statement to its end, whatever rows it has, with values by position.
  func run(_ values: [SQLiteValue]) throws(SQLiteError) {
    // Not by the call below: what its closure keeps makes inserts a twentieth slower.
    guard !connection.isTraced else {
      return try runMeasured { () throws(SQLiteError) in try bind(values) }
    }
    try start { () throws(SQLiteError) in try bind(values) }
    while try step() {}
  }

  /// Runs the statement to its end, whatever rows it has, once `bindValues` has bound its values.
  @inline(__always)
  func run(_ bindValues: () throws(SQLiteError) -> Void) throws(SQLiteError) {
    // Measuring the time alone made inserts a tenth slower.
    guard !connection.isTraced else { return try runMeasured(bindValues) }
    try start(bindValues)
    while try step() {}
  }

  @inline(never)
  private func runMeasured(
    _ bindValues: () throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    try connection.checkOccupation()
    let start = ContinuousClock.now
    defer { connection.tell(.finished(sql: text, duration: .now - start)) }
    try self.start(bindValues)
    while try step() {}
  }

  func check(_ code: Int32, is expected: Int32) throws(SQLiteError) {
    guard code == expected else { throw unsafe connection.failure(code, of: handle) }
  }

  /// The error of a use that this library refuses.
  func refusal(_ code: SQLiteError.ResultCode, _ message: String) -> SQLiteError {
    let error = SQLiteError(code, message, sql: text)
    connection.tell(.failed(error))
    return error
  }
}

/// The SQL that a statement was compiled from, with the parameters' names in it and not their values.
@unsafe func text(of handle: OpaquePointer) -> String {
  unsafe sqlite3_sql(handle).map { unsafe String(cString: $0) } ?? ""
}

/// The word that a statement begins with, in small letters, after what SQLite takes for nothing before it.
private func firstWord(of text: String) -> [UInt8] {
  afterBlanks(text.utf8[...]).prefix { $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7a }.map { $0 | 0x20 }
}

/// What comes after that which SQLite takes for nothing before a statement: blanks, byte order marks,
/// comments and empty statements.
func afterBlanks<Text: Collection<UInt8>>(_ text: Text) -> Text where Text.SubSequence == Text {
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
