#if PostgreSQL
  import CPostgreSQL

  /// The notices that came on one connection and that nobody has taken yet.
  final class NoticeList {
    /// The most that are kept; later ones are counted.
    private static let mostKept = 1_000

    private(set) var messages: [ServerMessage] = []
    private(set) var omitted = 0

    /// Takes notices of a connection here, which libpq would print; the list must live as long as the connection.
    @unsafe func receive(from connection: OpaquePointer) {
      unsafe PQsetNoticeReceiver(
        connection,
        { list, result in
          guard let list = unsafe list else { return }
          let words = unsafe PQresultErrorMessage(result).map { unsafe String(cString: $0) } ?? ""
          unsafe Unmanaged<NoticeList>.fromOpaque(list).takeUnretainedValue()
            .append(ServerMessage(result, words: words.trimmingLineEnds))
        }, Unmanaged.passUnretained(self).toOpaque())
    }

    private func append(_ message: ServerMessage) {
      if messages.count < Self.mostKept { messages.append(message) } else { omitted += 1 }
    }

    /// Empties the list.
    func take() -> (messages: [ServerMessage], omitted: Int) {
      defer { (messages, omitted) = ([], 0) }
      return (messages, omitted)
    }
  }
#endif
