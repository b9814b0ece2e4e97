#if PostgreSQL
  /// A failure reported by the server or libpq, or a misuse of this module.
  ///
  /// It contains no password, nor any part of one.
  package struct PostgreSQLError: Error, Equatable, Sendable {
    package enum Kind: Sendable {
      /// The server refused a statement; the connection is still usable.
      case server
      /// The connection failed or was lost, or libpq cannot use it.
      case connection
      /// The connection was lost during a commit, so the transaction may have been committed.
      case uncertain
      /// Another run holds the lock of the schema.
      case locked
      /// The schema to be replaced was not made by this tool.
      case foreign
      /// Other objects depend on the schema to be replaced.
      case inUse
      /// The call, the description or the database is unsuitable.
      case misuse
    }

    package let kind: Kind
    /// The message of the server, libpq or this module.
    package let message: ServerMessage

    init(_ kind: Kind, _ message: ServerMessage) {
      self.kind = kind
      self.message = message
    }

    init(_ kind: Kind, _ text: String, detail: String? = nil, hint: String? = nil) {
      self.init(kind, ServerMessage(text, detail: detail, hint: hint))
    }

    /// Whether the connection was lost, and with it the open transaction and the locks.
    package var isConnectionLost: Bool { kind == .connection || kind == .uncertain }
  }
#endif
