import CSQLite

extension Statement {
  func bind(_ parameters: SQLParameters) throws(SQLiteError) {
    switch parameters.form {
    case .positional(let values): try bind(values)
    // An empty literal may have become a dictionary.
    case .named(let values) where values.isEmpty: try bind([] as [SQLiteValue])
    case .named(let values): try bind(values)
    case .conflicting:
      throw refusal(.misuse, "values both interpolated into the SQL and passed as parameters")
    case .invalid(let error): throw refusal(error.extendedCode, error.message)
    }
  }

  func bind(_ values: [SQLiteValue]) throws(SQLiteError) {
    guard values.count == parameterCount else {
      let problem =
        values.count < parameterCount
        ? "\(label(ofParameter: values.count + 1)) has no value"
        : counted(values.count - parameterCount, "extra value")
      throw refusal(
        .range,
        "\(counted(parameterCount, "parameter")) but \(counted(values.count, "value")): \(problem)")
    }
    for index in values.indices {
      try bindInArena(values[index], at: Int32(index + 1))
    }
  }

  /// Binds a value to a parameter, from 1, and copies text into the arena if there is room.
  @inline(__always)
  func bindInArena(_ value: SQLiteValue, at parameter: Int32) throws(SQLiteError) {
    guard let code = bindWithoutAllocating(value, at: parameter) else {
      return try check(bindCopy(of: value, at: parameter), is: SQLITE_OK)
    }
    try check(code, is: SQLITE_OK)
  }

  private func bind(_ values: [(name: String, value: SQLiteValue)]) throws(SQLiteError) {
    var isBound = [Bool](repeating: false, count: parameterCount)
    for given in values {
      let index = try parameterIndex(given.name)
      guard !isBound[index - 1] else {
        throw refusal(.range, "\(label(ofParameter: index)) has two values")
      }
      isBound[index - 1] = true
      try bindInArena(given.value, at: Int32(index))
    }
    if let missing = isBound.firstIndex(of: false) {
      throw refusal(.range, "\(label(ofParameter: missing + 1)) has no value")
    }
  }

  private func parameterIndex(_ name: String) throws(SQLiteError) -> Int {
    let spellings = [name, ":" + name, "@" + name, "$" + name, "?" + name]
    // A C string would end at a NUL, and would be a different name.
    let found =
      name.utf8.contains(0)
      ? [] : spellings.map { Int(unsafe sqlite3_bind_parameter_index(handle, $0)) }
    let indexes = found.filter { $0 > 0 }
    guard let index = indexes.first else {
      let names = parameterNames.compactMap(\.self)
      let list = names.isEmpty ? "none" : names.joined(separator: ", ")
      throw refusal(.range, "no parameter is named \"\(name)\" (named parameters: \(list))")
    }
    guard indexes.count == 1 else {
      throw refusal(.range, "\"\(name)\" matches several parameters; write the name as in the SQL")
    }
    return index
  }

  private func label(ofParameter index: Int) -> String {
    let names = parameterNames
    let name = names.indices.contains(index - 1) ? names[index - 1] : nil
    return "parameter \(index)" + (name.map { " (\($0))" } ?? "")
  }

  /// Binds a value to a parameter, from 1, and returns SQLite's code; nil if SQLite would allocate memory for it.
  ///
  /// Inlined, and separate from the other way, so that the optimizer need not retain texts.
  @inline(__always)
  private func bindWithoutAllocating(_ value: SQLiteValue, at index: Int32) -> Int32? {
    switch value {
    case .null: return unsafe sqlite3_bind_null(handle, index)
    case .integer(let value): return unsafe sqlite3_bind_int64(handle, index, value)
    case .real(let value): return unsafe sqlite3_bind_double(handle, index, value)
    case .text(let value):
      guard let bytes = unsafe texts.copy(value) else { return nil }
      return unsafe csqlite_bind_static_text(handle, index, bytes.baseAddress, UInt64(bytes.count))
    case .blob: return nil
    }
  }

  private func bindCopy(of value: SQLiteValue, at index: Int32) -> Int32 {
    switch value {
    case .text(let value):
      unsafe value.utf8Span.span.withUnsafeBytes { bytes in
        unsafe csqlite_bind_text(handle, index, bytes.baseAddress, UInt64(bytes.count))
      }
    case .blob(let value):
      unsafe value.withUnsafeBytes { bytes in
        unsafe csqlite_bind_blob(handle, index, bytes.baseAddress, UInt64(bytes.count))
      }
    // Bound without a copy.
    case .null, .integer, .real: SQLITE_OK
    }
  }
}

package func counted(_ count: Int, _ noun: String) -> String {
  "\(count) \(noun)\(count == 1 ? "" : "s")"
}

/// Memory for the texts of one run of a statement, reused by the next.
///
/// SQLite reads texts in place; to allocate and free memory for each would take a quarter of the time of an insert.
@safe final class TextArena {
  private static let capacity = 4096
  private let start = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 1)
  private var used = 0

  deinit { unsafe start.deallocate() }

  func clear() { used = 0 }

  /// Copies a text, and returns its address until the arena is cleared; nil if there is no room.
  @unsafe @inline(__always)
  func copy(_ text: String) -> UnsafeRawBufferPointer? {
    let place = unsafe start + used
    let room = Self.capacity - used
    let copied = unsafe text.utf8.withContiguousStorageIfAvailable { bytes -> Int? in
      guard bytes.count <= room, let source = bytes.baseAddress else { return nil }
      unsafe place.copyMemory(from: source, byteCount: bytes.count)
      return bytes.count
    }
    guard let count = copied ?? nil else { return nil }
    used += count
    return unsafe UnsafeRawBufferPointer(start: place, count: count)
  }
}
