import Quarantine
import Validation
import SourceFiles
package import Facts
import Files
import Glibc

/// A file that a run's report is written to: as JSON, as a page for a browser, or as metrics.
package struct ReportFile: Equatable, Sendable {
  /// How a report is written; a path's ending says which is meant.
  package enum Format: String, Sendable {
    case json, html
    case prom

    package static let reports: [Format] = [.json, .html]
  }

  package let path: String
  package let format: Format

  /// Takes a path that ends in `.json` or `.html`, or as one of `formats`; nil for any other.
  package init?(_ path: String, _ formats: [Format] = Format.reports) {
    let name = split(path).name
    guard
      let format = formats.first(where: {
        name.hasSuffix(".\($0.rawValue)") && name != ".\($0.rawValue)"
      })
    else { return nil }
    self.path = path
    self.format = format
  }

  /// Checks, before the run does its work, that the file can be written when it is done.
  package func prepare() throws(IngestError) {
    try checkIsReplaceable()
    let descriptor = try openTemporary()
    removeName(temporaryPath, of: descriptor)
    close(descriptor)
  }

  /// Whether the file is the report of the run that has made a catalog with this exit status, or of one that found it
  /// unchanged.
  package func isOfCatalog(at catalog: String, exitCode: Int32) -> Bool {
    guard Format.reports.contains(format), let made = try? status(of: catalog),
      let written = try? status(of: path), !written.isOlder(than: made),
      let bytes = try? contentsOfFile(path, mostBytes: Self.mostBytes)
    else { return false }
    let text = String(decoding: bytes, as: UTF8.self)
    let outcomes: [ReportFacts.Outcome] = [.published, .publishedWithRejects, .unchanged]
    // No text in a report can contain these, because quotes in texts are escaped.
    let code =
      format == .json
      ? "\"exit_code\" : \(exitCode)," : "<meta name=\"exit-code\" content=\"\(exitCode)\">"
    return text.contains(code)
      && outcomes.contains { outcome in
        text.contains(
          format == .json
            ? "\"outcome\" : \"\(outcome.rawValue)\""
            : "<meta name=\"outcome\" content=\"\(outcome.rawValue)\">")
      }
  }

  private static let mostBytes = 64 << 20

  /// Writes the report, in one step: readers find the one before or all of this one.
  ///
  /// After an error the previous file is still there, unless the message says otherwise.
  package func write(
    _ facts: ReportFacts, timeout: Double = Self.timeout
  ) throws(IngestError) {
    try checkIsReplaceable()
    let descriptor = try openTemporary(timeout: timeout)
    defer { close(descriptor) }
    do throws(IngestError) {
      // Nobody else writes now, so no success of another run gets lost.
      let text = facts.text(as: format, after: format == .prom ? previous : nil)
      let bytes = text.utf8Span.span
      guard descriptor.writeAll(bytes) == bytes.count, syncToDisk(descriptor) else {
        throw failure(.inputOutput, "cannot be written")
      }
      guard try lock(descriptor) else {
        throw IngestError(
          .inputOutput,
          "\(path): the \(noun) is not there: somebody has removed "
            + "\(temporaryPath).")
      }
      guard unsafe rename(temporaryPath, resolvedPath(path)) == 0 else {
        throw failure(.output, "cannot be put there")
      }
    } catch {
      removeName(temporaryPath, of: descriptor)
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

  /// Beside the file, so that it can be renamed; what a killed run left there is removed.
  var temporaryPath: String { unfinishedPath(of: resolvedPath(path)) }

  package var noun: String { format == .prom ? "file of metrics" : "report" }
  private var option: String { format == .prom ? "--metrics" : "--report" }

  /// What is in the file; nil if that cannot be read, or is much more than a run writes there.
  private var previous: String? {
    (try? contentsOfFile(path, mostBytes: 1 << 20)).map { String(decoding: $0, as: UTF8.self) }
  }

  private func checkIsReplaceable() throws(IngestError) {
    do throws(FileError) {
      guard let status = try status(of: path), status.st_mode & S_IFMT != S_IFREG else { return }
    } catch {
      throw failure(.output, "cannot be looked at", error.code)
    }
    throw IngestError(
      .output, "\(path): is not a file. Choose another name for \(option).")
  }

  /// The seconds to wait for another run, which takes almost no time to write its report.
  package static let timeout = 5.0

  /// Creates the file that is renamed in the end, and locks it: a run that finds the output locked writes
  /// its report, too, and waits here for the time that the other takes to write.
  private func openTemporary(timeout: Double = timeout) throws(IngestError) -> Int32 {
    let opened = try poll(for: timeout) { () throws(IngestError) -> Int32? in
      let descriptor = openFile(temporaryPath, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o666)
      if descriptor < 0, errno == EEXIST {
        try removeLeftover()
        return nil
      }
      guard descriptor >= 0 else {
        throw failure(
          .output, "cannot be created",
          advice: " Check that the folder is there and can be written.")
      }
      do throws(IngestError) {
        // Another run may have taken it for a leftover before it was locked.
        if try lock(descriptor) { return descriptor }
      } catch {
        // Others take it for a leftover, and none of them would hold on to it.
        removeName(temporaryPath, of: descriptor)
        close(descriptor)
        throw error
      }
      close(descriptor)
      return nil
    }
    guard let opened else {
      throw IngestError(
        .inputOutput,
        "\(path): the \(noun) cannot be written: another program has locked \(temporaryPath).")
    }
    return opened
  }

  /// Removes what a killed run has left; nothing is written into it, since somebody may have put it
  /// there.
  private func removeLeftover() throws(IngestError) {
    let descriptor = openFile(temporaryPath, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { return }
      throw failure(.output, "cannot be created")
    }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw IngestError(
        .output,
        "\(temporaryPath): is not a file, and the \(noun) would be written there. Remove it.")
    }
    guard try lock(descriptor) else { return }
    guard unsafe unlink(temporaryPath) == 0 || errno == ENOENT else {
      throw failure(.output, "cannot be created: what is left of another run stays")
    }
  }

  /// Locks the file, unless another run has, or it has lost its name meanwhile.
  private func lock(_ descriptor: Int32) throws(IngestError) -> Bool {
    do throws(FileError) {
      guard try lockFile(descriptor) else { return false }
      return try isStillThere(descriptor, at: temporaryPath)
    } catch {
      throw failure(.output, "cannot be locked", error.code)
    }
  }

  private func failure(
    _ kind: IngestError.Kind, _ what: String, _ code: Int32 = errno, advice: String = ""
  ) -> IngestError {
    IngestError(
      .of(code, otherwise: kind),
      "\(path): the \(noun) \(what): \(FileError(code: code).message).\(advice)")
  }
}

extension ReportFacts {
  /// The whole report; `old` has the metrics of the run before, if they are what is written.
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
