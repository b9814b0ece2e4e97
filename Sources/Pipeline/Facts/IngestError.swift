import Glibc
package import SQLiteSwiftly

/// Why a run ended without publishing a catalog, or without finishing what follows that.
package struct IngestError: Error, Equatable, Sendable {
  package let kind: Kind
  /// The code, when a file of the dumps is to blame.
  package let code: FileCode?
  /// The code, when every file could be read but nothing is published.
  package let runCode: RunCode?
  /// The code, when the description of the dumps is to blame; the pipeline knows none of these.
  package let descriptionCode: String?
  /// What most likely led to it, as part of a sentence; nil if that is unknown.
  package let cause: String?
  /// What was left undone although the catalog is published, as part of a sentence; nil if nothing was
  /// published.
  package let undone: String?
  package let message: String

  package enum Kind: Equatable, Sendable {
    /// An option, or a file that holds some, is wrong.
    case usage
    case data
    case inputMissing
    /// The accounts do not balance, or what was written is not what was meant.
    case fault
    /// The output cannot be created, or is not ours to replace.
    case output
    case inputOutput
    /// A server was lost while it published, so nobody knows whether it has.
    case uncertain
    /// Another run, or another program, has locked a file.
    case locked
    /// The process was asked to end, by a signal.
    case interrupted(signal: Int32)
  }

  package init(
    _ kind: Kind, code: FileCode? = nil, runCode: RunCode? = nil, descriptionCode: String? = nil,
    cause: String? = nil, undone: String? = nil, _ message: String
  ) {
    self.kind = kind
    self.code = code
    self.runCode = runCode
    self.descriptionCode = descriptionCode
    self.cause = cause
    self.undone = undone
    self.message = message
  }

  package var codeName: String? { code?.rawValue ?? runCode?.rawValue ?? descriptionCode }

  package init(_ error: SQLiteError, writing path: String) {
    let kind: Kind =
      switch error.code {
      case .full, .inputOutput, .outOfMemory, .readOnly, .corrupt, .notADatabase, .cannotOpen,
        .permissionDenied, .lockingProtocol:
        .inputOutput
      case .busy, .locked: .locked
      default: .fault
      }
    let advice =
      switch error.code {
      case .full:
        " Free some space there, or where SQLite keeps temporary files, \(TemporaryFolders.names); "
          + "SQLITE_TMPDIR names another folder."
      case .busy, .locked: " Another program is using the file; run again when it is done."
      default: ""
      }
    // It is also what SQLite makes of a disk that fails to read.
    let doubt =
      error.code == .corrupt ? " Check the disk and the memory of this machine." : ""
    // The error of an opening names the file itself.
    let place = error.message.hasPrefix(path) ? "" : "\(path): "
    let code = error.extendedCode
    self.init(kind, "\(place)\(error.message) (\(code.name), \(code.rawValue)).\(advice)\(doubt)")
  }
}

extension IngestError.Kind {
  /// The kind of a failure that the system reported: `kind` if the path or its permissions are to blame, and not
  /// the disk or the machine.
  package static func of(_ code: Int32, otherwise kind: Self) -> Self {
    let faultsOfTheMachine = [
      EIO, ENOSPC, EDQUOT, EFBIG, EMFILE, ENFILE, ENOMEM, ENOBUFS, ENOLCK, ESTALE, ENXIO, ENODEV,
      ETIMEDOUT, EINTR,
    ]
    return faultsOfTheMachine.contains(code) ? .inputOutput : kind
  }
}
