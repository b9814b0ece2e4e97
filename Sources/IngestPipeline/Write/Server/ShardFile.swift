#if PostgreSQL
  import Files

  extension ServerSchema.Shard {
    /// The most bytes of a file.
    private static let mostBytes = 1 << 20

    /// Reads the file of the shards: on each line the name that a server has in the database, and its connection string.
    ///
    /// Blank lines and those that begin with `#` are left out.
    ///
    /// - Throws: `IngestError` if it cannot be read, or for the first line that is not understood.
    static func all(readingFrom path: String) throws(IngestError) -> [Self] {
      let bytes: [UInt8]
      do throws(FileError) {
        bytes = try contentsOfFile(path, mostBytes: mostBytes)
      } catch {
        let reason = error.reason(mostBytes: mostBytes)
        throw IngestError(
          .inputMissing, "\(path): the servers cannot be read: \(reason). Check --servers.")
      }
      var shards: [Self] = []
      let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      for (index, bytes) in lines.enumerated() {
        let line = String(decoding: bytes, as: UTF8.self).trimmed(of: " \t\r")
        guard !line.isEmpty, !line.hasPrefix("#") else { continue }
        let words = line.split(maxSplits: 1) { $0 == " " || $0 == "\t" }
        guard words.count == 2 else {
          throw invalid("\(path):\(index + 1)", "there is one word")
        }
        let name = String(words[0])
        // Rather a connection string, perhaps with a password.
        guard !name.contains(where: { ":=@/".contains($0) }) else {
          throw invalid("\(path):\(index + 1)", "the first word is not the name of a server")
        }
        guard !shards.contains(where: { $0.name == name }) else {
          throw invalid("\(path):\(index + 1)", "the server \(name) is named twice")
        }
        shards.append(Self(name: name, connection: String(words[1]).trimmed(of: " \t")))
      }
      guard 1...99 ~= shards.count else {
        throw invalid(path, "\(shards.count) servers are named, and from 1 to 99 can be")
      }
      return shards
    }

    /// The line is not shown: there may be a password in it.
    private static func invalid(_ place: String, _ what: String) -> IngestError {
      IngestError(
        .usage,
        "\(place): \(what). Nothing was published. Expected is the name of a server of postgres_fdw and its connection "
          + "string, such as: shard1 postgresql://host1/lego")
    }
  }
#endif
