/// When it is shown how far a run is.
enum ProgressMode: String, CaseIterable {
  /// On a terminal, unless the run is quiet or silent.
  case auto
  case always, never
}
