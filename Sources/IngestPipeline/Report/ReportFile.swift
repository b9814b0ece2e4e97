import Glibc

/// A file that a run's report is written to, as JSON or as a page for a browser.
package struct ReportFile: Equatable, Sendable {
  /// How a report is written; a path's ending says which is meant.
  package enum Format: String, CaseIterable, Sendable {
    case json, html
  }

  /// Where it is to be.
  package let path: String
  /// How it is to be written.
  package let format: Format

  /// Takes a path that ends in `.json` or `.html`; nil for any other.
  package init?(_ path: String) {
    let name = split(path).name
    guard
      let format = Format.allCases.first(where: {
        name.hasSuffix(".\($0.rawValue)") && name != ".\($0.rawValue)"
      })
    else { return nil }
    self.path = path
    self.format = format
  }

  /// Checks, before the run does its work, that the file can be written when it is done.
  ///
  /// - Throws: `IngestError` if something else than a file is there, or if none can be created.
  package func prepare() throws(IngestError) {
    try checkIsReplaceable()
    close(try openTemporary())
    unsafe unlink(temporaryPath)
  }

  /// Writes the report, in one step: readers find the one before or all of this one.
  ///
  /// - Throws: `IngestError` if it cannot be written; what was there before is there still.
  package func write(_ facts: ReportFacts) throws(IngestError) {
    let text =
      switch format {
      case .json: try facts.json
      case .html: facts.html
      }
    try checkIsReplaceable()
    let descriptor = try openTemporary()
    let bytes = text.utf8Span.span
    let isWritten = descriptor.writeAll(bytes) == bytes.count && fsync(descriptor) == 0
    let reason = systemError()
    close(descriptor)
    guard isWritten else {
      unsafe unlink(temporaryPath)
      throw IngestError(.inputOutput, "\(path): the report cannot be written: \(reason).")
    }
    guard unsafe rename(temporaryPath, resolvedPath(path)) == 0 else {
      let reason = systemError()
      unsafe unlink(temporaryPath)
      throw IngestError(.output, "\(path): the report cannot be put there: \(reason).")
    }
  }

  /// Beside the file, so that it can be renamed; of this process, since a run that finds the output
  /// locked writes its report, too.
  private var temporaryPath: String {
    let (folder, name) = split(resolvedPath(path))
    return "\(folder).\(name).\(getpid())"
  }

  private func checkIsReplaceable() throws(IngestError) {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { return }
    throw IngestError(
      .output, "\(path): is not a file. Choose another name for --report.")
  }

  private func openTemporary() throws(IngestError) -> Int32 {
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW
    let descriptor = unsafe open(temporaryPath, flags, 0o666)
    guard descriptor >= 0 else {
      throw IngestError(
        .output,
        "\(path): the report cannot be created: \(systemError()). Check that the folder is there "
          + "and can be written.")
    }
    return descriptor
  }
}
