/// When it is shown how far a run is.
enum ProgressMode: String, CaseIterable {
  /// On a terminal, unless the run is quiet.
  case auto
  case always, never
}
