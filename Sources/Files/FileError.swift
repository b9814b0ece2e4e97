import Glibc

package struct FileError: Error, Equatable, Sendable {
  /// The value of `errno`.
  package let code: Int32

  package init(code: Int32) { self.code = code }

  /// The system's message for the code, such as `No such file or directory`.
  package var message: String { unsafe String(cString: strerror(code)) }
}

/// The system's message for the error of its last call.
package func systemError() -> String { FileError(code: errno).message }
