package import Vocabulary
import Platform
import Glibc
import Text

/// The file of a report: JSON, an HTML page or metrics.
package struct ReportFile: Equatable, Sendable {
  /// The format of a report; the file extension selects it.
  package enum Format: String, Sendable {
    case json, html
    case prom

    package static let reports: [Format] = [.json, .html]
  }

  package let path: String
  package let format: Format

  /// Creates a report file from a path with the extension of one of `formats`; nil for any other path.
  package init?(_ path: String, _ formats: [Format] = Format.reports) {
    let name = split(path).name
    guard
      let format = formats.first(where: {
        name.hasByteSuffix(".\($0.rawValue)") && name != ".\($0.rawValue)"
      })
    else { return nil }
    self.path = path
    self.format = format
  }

  /// Checks before the run that the file can be written.
  package func prepare() throws(IngestError) {
    try checkIsReplaceable()
    let descriptor = try openTemporary()
    removeName(temporaryPath, of: descriptor)
    close(descriptor)
  }

  /// Whether the file is the report of the run that made a database with this exit status, or found it unchanged.
  package func isOfCatalog(at catalog: String, exitCode: Int32) -> Bool {
    guard Format.reports.contains(format), let made = try? status(of: catalog),
      let written = try? status(of: path), !written.isOlder(than: made),
      let bytes = try? contentsOfFile(path, mostBytes: Self.mostBytes)
    else { return false }
    let text = String(decoding: bytes, as: UTF8.self)
    let outcomes = ["published", "published_with_rejects", "unchanged"]
    // No text in a report can contain these, because quotes in texts are escaped.
    let code =
      format == .json
      ? "\"exit_code\" : \(exitCode)," : "<meta name=\"exit-code\" content=\"\(exitCode)\">"
    return text.contains(code)
      && outcomes.contains { outcome in
        text.contains(
          format == .json
            ? "\"outcome\" : \"\(outcome)\""
            : "<meta name=\"outcome\" content=\"\(outcome)\">")
      }
  }

  private static let mostBytes = 64 << 20

  /// Writes the report in one step: readers see the previous report or the new one.
  ///
  /// After an error the previous file is kept, unless the message says otherwise.
  package func write(
    _ facts: ReportFacts, timeout: Double = Self.timeout
  ) throws(IngestError) {
    try checkIsReplaceable()
    let descriptor = try openTemporary(timeout: timeout)
    defer { close(descriptor) }
    do throws(IngestError) {
      // The lock is held, so the success of another run cannot be overwritten.
      let text = facts.text(as: format, after: format == .prom ? previous : nil)
      let bytes = text.utf8Span.span
      guard descriptor.writeAll(bytes) == bytes.count, syncToDisk(descriptor) else {
        throw failure(.inputOutput, "cannot be written")
      }
      guard try lock(descriptor) else {
        throw IngestError(
          .inputOutput,
          "\(path): the \(noun) was not written: another program removed \(temporaryPath).")
      }
      // A link is replaced: it might be another user's, and lead to any file.
      guard unsafe rename(temporaryPath, path) == 0 else {
        throw failure(.output, "cannot be renamed into place")
      }
    } catch {
      removeName(temporaryPath, of: descriptor)
      throw error
    }
    try mapError(
      syncFolder(parentFolder(of: path)),
      as: { (error: FileError) in
        IngestError(
          .inputOutput,
          "\(path): the report was written, but its folder cannot be synced to the disk: "
            + "\(error.message).")
      })
  }

  /// A path in the same folder, for the rename; leftovers of a killed run are removed.
  var temporaryPath: String { unfinishedPath(of: path) }

  package var noun: String { format == .prom ? "metrics file" : "report" }
  private var option: String { format == .prom ? "--metrics" : "--report" }

  /// The contents of the file; nil if it cannot be read or is too large for a report.
  private var previous: String? {
    (try? contentsOfFile(path, mostBytes: 1 << 20)).map { String(decoding: $0, as: UTF8.self) }
  }

  private func checkIsReplaceable() throws(IngestError) {
    let status = try mapError(
      status(of: path, followsLinks: false), as: { failure(.output, "cannot be checked", $0) })
    guard let status, ![S_IFREG, S_IFLNK].contains(status.st_mode & S_IFMT) else { return }
    throw IngestError(.output, "\(path): not a regular file. Use another name for \(option).")
  }

  /// The seconds to wait for another run that writes the same report.
  package static let timeout = 5.0

  /// Creates and locks the file that is renamed at the end.
  ///
  /// A run that finds the output locked also writes its report, and waits here while the other run writes.
  private func openTemporary(timeout: Double = timeout) throws(IngestError) -> Int32 {
    let opened = try poll(for: timeout) { () throws(IngestError) -> Int32? in
      let descriptor: Int32
      do throws(FileError) {
        descriptor = try openFile(temporaryPath, O_WRONLY | O_CREAT | O_EXCL, 0o666)
      } catch {
        guard error.code == EEXIST else {
          throw failure(
            .output, "cannot be created", error,
            advice: " Check that the folder exists and is writable.")
        }
        try removeLeftover()
        return nil
      }
      do throws(IngestError) {
        // Another run may have removed it as a leftover before it was locked.
        if try lock(descriptor) { return descriptor }
      } catch {
        // Without a lock, other runs treat it as a leftover.
        removeName(temporaryPath, of: descriptor)
        close(descriptor)
        throw error
      }
      close(descriptor)
      return nil
    }
    if let opened { return opened }
    throw IngestError(
      .inputOutput,
      "\(path): the \(noun) cannot be written: another program has locked \(temporaryPath).")
  }

  /// Removes the leftover of a killed run, which is not reused because another program may have created it.
  private func removeLeftover() throws(IngestError) {
    let descriptor = try mapError(
      openFile(ifExists: temporaryPath, O_RDONLY | O_NOFOLLOW | O_NONBLOCK),
      as: { failure(.output, "cannot be created", $0) })
    guard let descriptor else { return }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw IngestError(
        .output,
        "\(temporaryPath): not a regular file. Remove it; the run needs this path for its \(noun).")
    }
    guard try lock(descriptor) else { return }
    guard unsafe unlink(temporaryPath) == 0 || errno == ENOENT else {
      throw failure(.output, "cannot be created: the file of an earlier run cannot be removed")
    }
  }

  /// Locks the file; false if another run holds the lock, or the file was renamed or removed meanwhile.
  private func lock(_ descriptor: Int32) throws(IngestError) -> Bool {
    try mapError(
      lockFile(descriptor) ? isStillThere(descriptor, at: temporaryPath) : false,
      as: { failure(.output, "cannot be locked", $0) })
  }

  private func failure(
    _ kind: IngestError.Kind, _ problem: String, _ error: FileError = .last, advice: String = ""
  ) -> IngestError {
    IngestError(
      .of(error.code, otherwise: kind),
      "\(path): the \(noun) \(problem): \(error.message).\(advice)")
  }
}

extension ReportFacts {
  package func text(as format: ReportFile.Format, after old: String? = nil) -> String {
    switch format {
    case .json: json
    case .html: html
    case .prom: metrics(after: old)
    }
  }
}

extension stat {
  fileprivate func isOlder(than other: stat) -> Bool {
    (st_mtim.tv_sec, st_mtim.tv_nsec) < (other.st_mtim.tv_sec, other.st_mtim.tv_nsec)
  }
}
