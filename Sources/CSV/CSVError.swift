/// Why a whole file cannot be read as CSV.
public enum CSVError: Error, Equatable, Sendable {
  /// The byte order mark is that of another encoding than UTF-8; the value is its name.
  case unsupportedEncoding(String)
}
