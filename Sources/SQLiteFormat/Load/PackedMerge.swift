import Files

/// Merges the sorted runs of packed entries, in a tournament as `RunMerge`.
struct PackedMerge: ~Copyable {
  private static let runBufferBytes = 16 << 10

  private struct Cursor {
    var place = 0
    var bufferEnd = 0
    var readBytes = 0
  }

  private struct Player {
    var entry: UInt64
    var run: Int
  }

  private let runs: [SortedRuns.Run]
  private let layout: PackedLayout
  private var buffer: ByteBuffer
  private var cursors: [Cursor]
  /// The loser at each node; the winner is at 0.
  private var losers: [Player]
  private var hasBegun = false

  init(_ runs: [SortedRuns.Run], _ layout: PackedLayout) {
    self.runs = runs
    self.layout = layout
    buffer = ByteBuffer(count: runs.count * Self.runBufferBytes)
    cursors = [Cursor](repeating: Cursor(), count: runs.count)
    losers = [Player](
      repeating: Player(entry: PackedLayout.end, run: 0), count: max(1, runs.count))
  }

  /// Writes the key of the next entry at the start of `bytes`, and returns its place; nil at the end.
  @inline(__always)
  mutating func next(
    _ file: borrowing SpillFile, into bytes: inout ByteBuffer
  ) throws(FileError) -> Range<Int>? {
    let entry = try nextEntry(file)
    guard entry != PackedLayout.end else { return nil }
    // The bytes read back may differ from those written.
    guard let key = layout.unpack(entry, into: &bytes) else { throw FileError(code: damagedFile) }
    return key
  }

  @inline(__always)
  private mutating func nextEntry(_ file: borrowing SpillFile) throws(FileError) -> UInt64 {
    if hasBegun {
      let run = losers[0].run
      replay(Player(entry: try advance(run, file), run: run))
    } else {
      try begin(file)
    }
    return losers[0].entry
  }

  private mutating func begin(_ file: borrowing SpillFile) throws(FileError) {
    hasBegun = true
    guard !runs.isEmpty else { return }
    // The winner of each node, from the leaves up.
    var winners = losers
    for run in runs.indices {
      winners.append(Player(entry: try advance(run, file), run: run))
    }
    for node in stride(from: runs.count - 1, to: 0, by: -1) {
      let (left, right) = (winners[2 * node], winners[2 * node + 1])
      let isLeft = left.entry <= right.entry
      winners[node] = isLeft ? left : right
      losers[node] = isLeft ? right : left
    }
    losers[0] = winners[1]
  }

  @inline(__always)
  private mutating func replay(_ player: Player) {
    var winner = player
    var node = (player.run &+ runs.count) &>> 1
    while node > 0 {
      if losers[node].entry < winner.entry { swap(&losers[node], &winner) }
      node &>>= 1
    }
    losers[0] = winner
  }

  @inline(__always)
  private mutating func advance(
    _ run: Int, _ file: borrowing SpillFile
  ) throws(FileError) -> UInt64 {
    if cursors[run].place == cursors[run].bufferEnd {
      guard try fill(run, file) else { return PackedLayout.end }
    }
    let entry = buffer.word(at: cursors[run].place)
    cursors[run].place &+= PackedRuns.entryBytes
    return entry
  }

  /// Reads on; false at the end of the run.
  private mutating func fill(_ run: Int, _ file: borrowing SpillFile) throws(FileError) -> Bool {
    let begin = cursors[run].readBytes
    let end = min(begin + Self.runBufferBytes, runs[run].bytes)
    guard begin < end else { return false }
    let first = run * Self.runBufferBytes
    try file.read(begin..<end, of: runs[run].place, into: &buffer, at: first)
    cursors[run] = Cursor(place: first, bufferEnd: first + end - begin, readBytes: end)
    return true
  }
}
