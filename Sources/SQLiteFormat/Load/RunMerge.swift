import Platform

/// Merges the sorted runs of an index's keys, and returns them in order.
///
/// The runs play a tournament whose losers stay at their nodes, so a key is compared once on each
/// level of the tree (Knuth, The Art of Computer Programming, volume 3, section 5.4.1).
struct RunMerge: ~Copyable {
  /// The number of bytes to read ahead, for all runs together.
  static let bufferBytes = 4 << 20

  private struct Player {
    /// The first eight bytes of its key, padded with zeros.
    var prefix: UInt64
    var run: Int
  }

  private struct Cursor {
    var start = 0
    var end = 0
    /// The number of bytes read from the run.
    var readBytes = 0
    /// The end of its bytes in the buffer.
    var bufferEnd = 0
    var isOver = false
  }

  private let runs: [SpillFile.Run]
  private let longestKey: Int
  private let runBufferBytes: Int
  /// The bytes read ahead, which include the key.
  private(set) var buffer: ByteBuffer
  private var cursors: [Cursor]
  /// The loser at each node; the winner is at 0.
  private var losers: [Player]
  private var hasBegun = false
  private(set) var key = 0..<0

  /// Prepares to merge runs; `longestKey` is the maximum size of a key.
  init(_ runs: [SpillFile.Run], longestKey: Int) {
    self.runs = runs
    self.longestKey = longestKey
    let share = Self.bufferBytes / max(1, runs.count)
    runBufferBytes = max(min(share, 64 << 10), 4096, longestKey + 16)
    buffer = ByteBuffer(count: runs.count * runBufferBytes)
    cursors = [Cursor](repeating: Cursor(), count: runs.count)
    losers = [Player](repeating: Player(prefix: 0, run: 0), count: max(1, runs.count))
  }

  @inline(__always)
  mutating func next(_ file: borrowing SpillFile) throws(FileError) -> Bool {
    guard try advance(file) else { return false }
    let cursor = cursors[losers[0].run]
    key = cursor.start..<cursor.end
    return true
  }

  @inline(__always)
  private mutating func advance(_ file: borrowing SpillFile) throws(FileError) -> Bool {
    guard hasBegun else { return try begin(file) }
    let winner = losers[0].run
    replay(Player(prefix: try advance(winner, file), run: winner))
    return !cursors[losers[0].run].isOver
  }

  private mutating func begin(_ file: borrowing SpillFile) throws(FileError) -> Bool {
    hasBegun = true
    guard !runs.isEmpty else { return false }
    // The winner of each node, from the leaves up.
    var winners = losers
    for run in runs.indices {
      cursors[run].end = run * runBufferBytes
      cursors[run].bufferEnd = cursors[run].end
      winners.append(Player(prefix: try advance(run, file), run: run))
    }
    for node in stride(from: runs.count - 1, to: 0, by: -1) {
      let (left, right) = (winners[2 * node], winners[2 * node + 1])
      let isLeft = comesBefore(left, right)
      winners[node] = isLeft ? left : right
      losers[node] = isLeft ? right : left
    }
    losers[0] = winners[1]
    return !cursors[losers[0].run].isOver
  }

  /// Replays the matches from the leaf of a run with a new key up to the root.
  @inline(__always)
  private mutating func replay(_ player: Player) {
    var winner = player
    var node = (player.run &+ runs.count) &>> 1
    while node > 0 {
      let loser = losers[node]
      if comesBefore(loser, winner) {
        losers[node] = winner
        winner = loser
      }
      node &>>= 1
    }
    losers[0] = winner
  }

  @inline(__always)
  private func comesBefore(_ player: Player, _ other: Player) -> Bool {
    if player.prefix != other.prefix { return player.prefix < other.prefix }
    let (left, right) = (cursors[player.run], cursors[other.run])
    // No key consists of ff bytes only, so a finished run comes last.
    guard !left.isOver, !right.isOver else { return !left.isOver }
    return buffer.isLess(
      min(left.start + 8, left.end)..<left.end, than: min(right.start + 8, right.end)..<right.end,
      of: buffer)
  }

  /// Advances to the next key of a run, and returns its first eight bytes.
  @inline(__always)
  private mutating func advance(
    _ run: Int, _ file: borrowing SpillFile
  ) throws(FileError) -> UInt64 {
    var offset = cursors[run].end
    // The size of a key has at most five bytes.
    if offset + 5 > cursors[run].bufferEnd {
      try fill(run, file)
      offset = cursors[run].end
      guard offset < cursors[run].bufferEnd else {
        cursors[run].isOver = true
        return .max
      }
    }
    var size = Int(buffer[offset])
    if size < 0x80 {
      offset += 1
    } else {
      size = RecordFormat.varint(in: buffer, at: &offset) ?? 0
    }
    // The bytes read back may differ from those written.
    guard size > 0, size <= longestKey else { throw FileError(code: damagedFile) }
    if offset + size > cursors[run].bufferEnd {
      let sizeBytes = offset - cursors[run].end
      try fill(run, file)
      offset = cursors[run].end + sizeBytes
      guard offset + size <= cursors[run].bufferEnd else { throw FileError(code: damagedFile) }
    }
    cursors[run].start = offset
    cursors[run].end = offset + size
    return buffer.prefix(of: offset..<offset + size)
  }

  /// Moves the rest of a run to the beginning of its part of the buffer and reads on.
  private mutating func fill(_ run: Int, _ file: borrowing SpillFile) throws(FileError) {
    let first = run * runBufferBytes
    let rest = cursors[run].end..<cursors[run].bufferEnd
    buffer.move(rest, to: first)
    cursors[run].end = first
    cursors[run].bufferEnd = first + rest.count
    let begin = cursors[run].readBytes
    let end = min(begin + runBufferBytes - rest.count, runs[run].bytes)
    try file.read(begin..<end, of: runs[run], into: &buffer, at: first + rest.count)
    cursors[run].readBytes = end
    cursors[run].bufferEnd += end - begin
  }
}
