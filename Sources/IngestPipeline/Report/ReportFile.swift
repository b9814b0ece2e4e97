import Glibc
import Gzip

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
    let descriptor = try openTemporary()
    unsafe unlink(temporaryPath)
    close(descriptor)
  }

  /// Writes the report, in one step: readers find the one before or all of this one.
  ///
  /// - Throws: `IngestError` if it cannot be written; what was there before is there still, unless the
  ///   message says that the new one is.
  package func write(_ facts: ReportFacts) throws(IngestError) {
    let text =
      switch format {
      case .json: try facts.json
      case .html: facts.html
      }
    try checkIsReplaceable()
    let descriptor = try openTemporary()
    defer { close(descriptor) }
    do throws(IngestError) {
      let bytes = text.utf8Span.span
      guard emptyFile(descriptor), descriptor.writeAll(bytes) == bytes.count,
        syncToDisk(descriptor)
      else { throw failure(.inputOutput, "cannot be written") }
      guard unsafe rename(temporaryPath, resolvedPath(path)) == 0 else {
        throw failure(.output, "cannot be put there")
      }
    } catch {
      unsafe unlink(temporaryPath)
      throw error
    }
    do throws(FileError) {
      try syncFolder(parentFolder(of: resolvedPath(path)))
    } catch {
      throw IngestError(
        .inputOutput,
        "\(path): the report is there, but its folder cannot be synced to the disk: "
          + "\(error.message).")
    }
  }

  /// Beside the file, so that it can be renamed; what a killed run left there is written over.
  private var temporaryPath: String {
    let (folder, name) = split(resolvedPath(path))
    return "\(folder).\(name).ingest"
  }

  private func checkIsReplaceable() throws(IngestError) {
    do throws(FileError) {
      guard let status = try status(of: path), status.st_mode & S_IFMT != S_IFREG else { return }
    } catch {
      throw failure(.output, "cannot be looked at", error.code)
    }
    throw IngestError(
      .output, "\(path): is not a file. Choose another name for --report.")
  }

  /// Opens the file that is renamed in the end, and locks it: a run that finds the output locked writes
  /// its report, too, and waits here for the time that the other takes to write.
  private func openTemporary() throws(IngestError) -> Int32 {
    while true {
      let descriptor = openFile(temporaryPath, O_WRONLY | O_CREAT | O_NOFOLLOW, 0o666)
      guard descriptor >= 0 else {
        throw failure(
          .output, "cannot be created",
          advice: " Check that the folder is there and can be written.")
      }
      do throws(FileError) {
        while flock(descriptor, LOCK_EX) != 0 {
          guard errno == EINTR else { throw FileError(code: errno) }
        }
        // The run that held the lock may just have renamed the file: then it is that run's report.
        if try isStillThere(descriptor, at: temporaryPath) { return descriptor }
      } catch {
        unsafe unlink(temporaryPath)
        close(descriptor)
        throw failure(.output, "cannot be locked", error.code)
      }
      close(descriptor)
    }
  }

  /// What the system says of the report.
  private func failure(
    _ kind: IngestError.Kind, _ what: String, _ code: Int32 = errno, advice: String = ""
  ) -> IngestError {
    IngestError(
      .of(code, otherwise: kind),
      "\(path): the report \(what): \(FileError(code: code).message).\(advice)")
  }
}
