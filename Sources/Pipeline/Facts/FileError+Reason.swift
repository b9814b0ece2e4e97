package import Files
import Glibc

extension FileError {
  /// Why a file could not be read that an operator has named, and that is read whole; the end of a sentence.
  package func reason(mostBytes: Int) -> String {
    switch code {
    case EINVAL: "it is not a file"
    case EFBIG: "it has more than \(mostBytes.grouped) bytes"
    default: message
    }
  }
}
