package import Platform
import Glibc
import Text

extension FileError {
  /// The reason why a file named by the operator cannot be read as a whole, as the end of a sentence.
  package func reason(mostBytes: Int) -> String {
    switch code {
    case EINVAL: "not a regular file"
    case EFBIG: "larger than \(mostBytes.grouped) bytes"
    default: message
    }
  }
}
