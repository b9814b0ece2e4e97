/// The reason why a whole file cannot be read as CSV.
public enum CSVError: Error, Equatable, Sendable {
  /// The byte order mark belongs to an encoding other than UTF-8; the value is the encoding's name.
  case unsupportedEncoding(String)
}
