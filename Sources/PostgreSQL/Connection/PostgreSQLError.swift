#if PostgreSQL
  /// A failure that the server or libpq reported, or a use of this module that cannot work.
  ///
  /// No password is in it, nor what could be a part of one that was written wrongly.
  package struct PostgreSQLError: Error, Equatable, Sendable {
    package enum Kind: Sendable {
      /// The server refused a statement; the connection can still be used.
      case server
      /// There is no connection, or none any more, or libpq cannot use it.
      case connection
      /// The connection was lost while a transaction was committed, and nobody knows whether it was.
      case uncertain
      /// Another run holds the lock of the schema.
      case locked
      /// What is to be replaced was not made by this tool.
      case foreign
      /// Something that others have made needs what is to be replaced.
      case inUse
      /// The call, the description or the database is not one with which this can work.
      case misuse
    }

    package let kind: Kind
    /// What happened, in the server's words, libpq's or this module's.
    package let message: ServerMessage

    init(_ kind: Kind, _ message: ServerMessage) {
      self.kind = kind
      self.message = message
    }

    init(_ kind: Kind, _ text: String, detail: String? = nil, hint: String? = nil) {
      self.init(kind, ServerMessage(text, detail: detail, hint: hint))
    }

    /// Whether the connection is gone, and with it the transaction that was open and the locks.
    package var isConnectionLost: Bool { kind == .connection || kind == .uncertain }
  }
#endif
