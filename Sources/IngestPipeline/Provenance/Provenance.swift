/// The tables of a catalogue that say where it came from.
enum Provenance {
  /// What their names begin with, and no other table's.
  static let prefix = "ingest_"
}
