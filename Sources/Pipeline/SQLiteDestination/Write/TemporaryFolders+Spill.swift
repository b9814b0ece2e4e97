import DatabaseFile
import Facts

extension TemporaryFolders {
  /// A file for sorted runs: in memory first, if there is ample room and nobody has chosen a folder, then
  /// on the disk.
  static func spillFile() -> SpillFile {
    // A run must not fail because somebody else takes some of it meanwhile.
    let room = isChosen ? 0 : min(spareBytes(in: memory) / 4, Tuning.mostSpilledToMemory)
    return SpillFile(memory: room > 0 ? (memory, room) : nil, disk: disk)
  }
}
