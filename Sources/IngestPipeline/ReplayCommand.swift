extension IngestOptions {
  /// The command that loads the same dumps again with the records in `folder`, once they are repaired,
  /// in place of those that were rejected; as one types it into a shell.
  package func replayCommand(ofRecordsIn folder: String) -> String {
    let missing =
      switch allowedMissing {
      case .all: ["all"]
      case .tables(let names): names.sorted()
      }
    let words = ["--rejects", folder, "--source", source, "--out", output]
    return "ingest replay "
      + (words + missing.flatMap { ["--allow-missing", $0] }).map(shellWord).joined(separator: " ")
  }
}

/// A word of a command as the shell takes it for one, whatever is in it.
func shellWord(_ word: String) -> String {
  let isPlain = word.utf8.allSatisfy { byte in
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."),
      UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "="):
      true
    default: false
    }
  }
  if isPlain && !word.isEmpty { return word }
  return "'"
    + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
}
