import CSQLite

extension Connection {
  /// Makes SQLite call the authorizer of the connection with this handle, if it has one.
  @unsafe func applyAuthorizer(to handle: OpaquePointer) {
    guard authorizer != nil else {
      unsafe sqlite3_set_authorizer(handle, nil, nil)
      return
    }
    unsafe sqlite3_set_authorizer(
      handle,
      { context, code, first, second, database, accessor in
        guard let context = unsafe context else { return SQLITE_DENY }
        let connection = unsafe Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue()
        let action = unsafe AuthorizedAction(
          code: code, text(first), text(second), database: text(database), accessor: text(accessor))
        return switch connection.authorize(action) {
        case .allow: SQLITE_OK
        case .deny: SQLITE_DENY
        case .ignore: SQLITE_IGNORE
        }
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Calls the authorizer, which must not use the connection.
  private func authorize(_ action: AuthorizedAction) -> Authorization {
    // The authorizer may have removed itself.
    guard let authorizer else { return .allow }
    let outer = occupation
    occupation = .authorizer
    defer { occupation = outer }
    return authorizer(action)
  }
}

@unsafe private func text(_ characters: UnsafePointer<CChar>?) -> String? {
  unsafe characters.map { unsafe String(cString: $0) }
}
