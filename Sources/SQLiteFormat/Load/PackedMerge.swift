import Platform

/// Merges the sorted runs of packed entries, no two of which are equal.
///
/// The runs play a tournament as in `RunMerge`. An entry is one number, so a match needs no branch: half of the
/// outcomes could not be predicted.
struct PackedMerge: ~Copyable {
  private struct Player {
    var entry: UInt64
    var run: UInt64

    /// Leaves the smaller entry in `winner`, and the other one here.
    @inline(__always)
    mutating func play(_ winner: inout Player) {
      let isSmaller = entry < winner.entry ? UInt64.max : 0
      let (entries, runs) = ((entry ^ winner.entry) & isSmaller, (run ^ winner.run) & isSmaller)
      (entry, run) = (entry ^ entries, run ^ runs)
      (winner.entry, winner.run) = (winner.entry ^ entries, winner.run ^ runs)
    }
  }

  /// The entries of a run that were read ahead, as positions in the buffer.
  private struct Cursor {
    var next: Int
    var end: Int
    /// The number of bytes read from the run.
    var readBytes = 0
  }

  private let runs: [SpillFile.Run]
  private let runBufferBytes: Int
  private var buffer: ByteBuffer
  private var cursors: [Cursor]
  /// The loser at each node; the winner is at 0.
  private var losers: [Player] = []

  init(_ runs: [SpillFile.Run]) {
    self.runs = runs
    let share = RunMerge.bufferBytes / max(1, runs.count)
    runBufferBytes = max(min(share, 64 << 10), 4096) / PackedRuns.entryBytes * PackedRuns.entryBytes
    buffer = ByteBuffer(count: runs.count * runBufferBytes)
    let size = runBufferBytes
    cursors = runs.indices.map { Cursor(next: $0 * size, end: $0 * size) }
  }

  /// The next entry; nil after the last one.
  @inline(__always)
  mutating func next(_ file: borrowing SpillFile) throws(FileError) -> UInt64? {
    if losers.isEmpty {
      guard !runs.isEmpty else { return nil }
      try begin(file)
    } else {
      let run = Int(truncatingIfNeeded: losers[0].run)
      replay(Player(entry: try advance(run, file), run: losers[0].run))
    }
    let entry = losers[0].entry
    return entry == PackedLayout.end ? nil : entry
  }

  private mutating func begin(_ file: borrowing SpillFile) throws(FileError) {
    losers = [Player](repeating: Player(entry: PackedLayout.end, run: 0), count: runs.count)
    // The winner of each node, from the leaves up.
    var winners = losers
    for run in runs.indices {
      winners.append(Player(entry: try advance(run, file), run: UInt64(run)))
    }
    for node in stride(from: runs.count - 1, to: 0, by: -1) {
      winners[node] = winners[2 * node]
      losers[node] = winners[2 * node + 1]
      losers[node].play(&winners[node])
    }
    losers[0] = winners[1]
  }

  /// Replays the matches from the leaf of a run with a new entry up to the root.
  @inline(__always)
  private mutating func replay(_ player: Player) {
    var winner = player
    var node = (Int(truncatingIfNeeded: player.run) &+ runs.count) &>> 1
    // Each change of the array would check it for a second owner.
    var losers = losers.mutableSpan
    while node > 0 {
      losers[node].play(&winner)
      node &>>= 1
    }
    losers[0] = winner
  }

  /// Advances to the next entry of a run, and returns it; `PackedLayout.end` after the last one.
  @inline(__always)
  private mutating func advance(
    _ run: Int, _ file: borrowing SpillFile
  ) throws(FileError) -> UInt64 {
    if cursors[run].next == cursors[run].end, try !fill(run, file) { return PackedLayout.end }
    let entry = buffer.word(at: cursors[run].next)
    cursors[run].next &+= PackedRuns.entryBytes
    // The bytes read back may differ from those written.
    guard entry != PackedLayout.end else { throw FileError(code: damagedFile) }
    return entry
  }

  /// Reads the next entries of a run; false if there are none.
  private mutating func fill(_ run: Int, _ file: borrowing SpillFile) throws(FileError) -> Bool {
    let begin = cursors[run].readBytes
    let end = min(begin + runBufferBytes, runs[run].bytes)
    guard begin < end else { return false }
    let first = run * runBufferBytes
    try file.read(begin..<end, of: runs[run], into: &buffer, at: first)
    cursors[run] = Cursor(next: first, end: first + end - begin, readBytes: end)
    return true
  }
}
