import Vocabulary
import PostgreSQLDestination
import Text

/// A database that a command reads: a file, or a schema of a PostgreSQL database.
enum DatabaseOperand {
  case file(String)
  case schema(ServerSchema)

  /// `postgresql://HOST/DATABASE#SCHEMA` names a schema; `name` is that of the family of source files.
  init(_ text: String, _ name: String) {
    guard ServerAddress.isAddress(text) else {
      self = .file(text)
      return
    }
    let place = text.lastIndex(of: "#") ?? text.endIndex
    let schema = text[place...].dropFirst()
    // Otherwise it may be part of a password.
    let isName =
      !schema.isEmpty && !schema.utf8.contains(UInt8(ascii: "@"))
      && ServerAddress.endsHarmlessly(text[..<place])
    self = .schema(
      isName
        ? ServerSchema(connection: String(text[..<place]), name: String(schema))
        : ServerSchema(connection: text, name: name))
  }

  /// Its name in messages, without a password.
  var words: String {
    switch self {
    case .file(let path): path
    case .schema(let server):
      switch ServerAddress.redacted(server.connection) {
      case let address where address.hasByteSuffix("…"): address
      case let address: "\(address)#\(server.name)"
      }
    }
  }
}

#if PostgreSQL
  extension PublishedSchema {
    convenience init(_ server: ServerSchema) throws(IngestError) {
      try self.init(server, at: DatabaseOperand.schema(server).words)
    }
  }
#endif
