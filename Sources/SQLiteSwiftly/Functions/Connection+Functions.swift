import CSQLite

extension Connection {
  /// Adds a function to the SQL of this connection: see <doc:ExtendingSQL>.
  ///
  /// An argument of another storage class is an error, as is NULL unless the argument is an optional. A thrown error is
  /// the error of the statement: with the message of a `SQLiteError` or the description of another one, up to 2000
  /// characters, and with the code `error`, unless it is `constraint`, `mismatch`, `misuse` or `range`.
  ///
  /// The connection owns `body` until it is closed, or until another function of that name and number of arguments
  /// replaces it. Built-in functions can be replaced, too.
  ///
  /// - Parameters:
  ///   - name: up to 255 bytes without NUL; the case of ASCII letters is ignored.
  ///   - isDeterministic: whether calls depend on nothing but their arguments, and have no effect. Only then can
  ///     the schema of a file, which may be another's, call the function, except in a check, where SQLite 3.40 calls any.
  ///   - body: it must not use the connection; attempts throw `misuse`.
  /// - Throws: `SQLiteError` with `misuse` for an invalid name, and with `busy` if a function is to be replaced while a
  ///   statement runs.
  /// - Complexity: Each call copies texts and blobs.
  public func addFunction<each Argument: QueryDecodable, Result: SQLiteValueConvertible>(
    _ name: String, isDeterministic: Bool = false,
    _ body: @escaping @Sendable (repeat each Argument) throws -> Result
  ) throws(SQLiteError) {
    try add(function: name, count(of: repeat (each Argument).self), isDeterministic) { values in
      var arguments = ValueQueryDecoder(argumentsOf: name, values)
      return try body(repeat try (each Argument)(decoder: &arguments)).sqliteValue
    }
  }

  /// Adds a function as above, with any number of arguments of any storage class.
  public func addFunction<Result: SQLiteValueConvertible>(
    _ name: String, isDeterministic: Bool = false,
    _ body: @escaping @Sendable ([SQLiteValue]) throws -> Result
  ) throws(SQLiteError) {
    try add(function: name, -1, isDeterministic) { values in try body(values).sqliteValue }
  }

  /// Adds an aggregate function, whose result depends on all rows of a group.
  ///
  /// Arguments, errors and ownership are those of functions. It cannot be a window function.
  ///
  /// - Parameters:
  ///   - name: as of a function.
  ///   - isDeterministic: as of a function.
  ///   - initial: the state, evaluated for each group, and for a result without rows.
  ///   - step: called for each row.
  ///   - finish: called for each group, even if its statement has failed or is abandoned. The state is then freed.
  /// - Throws: `SQLiteError` as for a function.
  public func addAggregate<State, each Argument: QueryDecodable, Result: SQLiteValueConvertible>(
    _ name: String, isDeterministic: Bool = false,
    initial: @escaping @autoclosure @Sendable () throws -> State,
    step: @escaping @Sendable (inout State, repeat each Argument) throws -> Void,
    finish: @escaping @Sendable (State) throws -> Result
  ) throws(SQLiteError) {
    try add(aggregate: name, count(of: repeat (each Argument).self), isDeterministic) {
      var state = try initial()
      return (
        step: { values in
          var arguments = ValueQueryDecoder(argumentsOf: name, values)
          try step(&state, repeat try (each Argument)(decoder: &arguments))
        },
        finish: { try finish(state).sqliteValue }
      )
    }
  }
}

extension Connection {
  private typealias Function = ([SQLiteValue]) throws -> SQLiteValue
  private typealias Group = (
    step: ([SQLiteValue]) throws -> Void, finish: () throws -> SQLiteValue
  )
  private typealias Aggregate = () throws -> Group
  private typealias Call =
    @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void

  private func add(
    function name: String, _ count: Int32, _ isDeterministic: Bool, _ body: @escaping Function
  ) throws(SQLiteError) {
    try unsafe add(
      name, count, isDeterministic, Registration(body, on: self),
      call: { context, count, values in
        let pointer = unsafe sqlite3_user_data(context)
        unsafe Registration<Function>.at(pointer)?.setResult(of: context) { function in
          try unsafe function.body(copies(of: values, count: count))
        }
      })
  }

  private func add(
    aggregate name: String, _ count: Int32, _ isDeterministic: Bool, _ body: @escaping Aggregate
  ) throws(SQLiteError) {
    try unsafe add(
      name, count, isDeterministic, Registration(body, on: self),
      step: { context, count, values in
        let pointer = unsafe sqlite3_user_data(context)
        guard let place = unsafe groupPlace(of: context, isCreated: true) else {
          return unsafe sqlite3_result_error_nomem(context)
        }
        unsafe Registration<Aggregate>.at(pointer)?.setResult(of: context) { aggregate in
          if unsafe place.pointee == nil {
            unsafe place.pointee = aggregate.derived(try aggregate.body()).retained()
          }
          try unsafe Registration<Group>.at(place.pointee)?.body.step(
            copies(of: values, count: count))
          return .null
        }
      },
      finish: { context in
        let pointer = unsafe sqlite3_user_data(context)
        // An aggregate of no rows has no group.
        let group = unsafe groupPlace(of: context, isCreated: false)?.pointee
        unsafe Registration<Aggregate>.at(pointer)?.setResult(of: context) { aggregate in
          try unsafe (Registration<Group>.at(group)?.body ?? aggregate.body()).finish()
        }
        unsafe release(group)
      })
  }

  @unsafe private func add<Body>(
    _ name: String, _ count: Int32, _ isDeterministic: Bool, _ registration: Registration<Body>,
    call: Call? = nil, step: Call? = nil, finish: (@convention(c) (OpaquePointer?) -> Void)? = nil
  ) throws(SQLiteError) {
    let flags = SQLITE_UTF8 | (isDeterministic ? SQLITE_DETERMINISTIC : SQLITE_DIRECTONLY)
    try unsafe register(name) { handle in
      // SQLite releases the registration, even if it fails.
      unsafe sqlite3_create_function_v2(
        handle, name, count, flags, registration.retained(), call, step, finish,
        { unsafe release($0) })
    }
  }
}

private func count<each Argument>(of type: repeat (each Argument).Type) -> Int32 {
  var count: Int32 = 0
  for _ in repeat each type { count += 1 }
  return count
}

/// The place of the group's address, at first nil; nil without memory, or if it was never created.
@unsafe private func groupPlace(
  of context: OpaquePointer?, isCreated: Bool
) -> UnsafeMutablePointer<UnsafeMutableRawPointer?>? {
  let bytes = isCreated ? unsafe MemoryLayout<UnsafeMutableRawPointer?>.size : 0
  return unsafe sqlite3_aggregate_context(context, Int32(bytes))?
    .assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
}
