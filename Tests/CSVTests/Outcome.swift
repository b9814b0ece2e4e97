import CSV
import Corpus
import Compression
import TestSupport

/// The result of Compression and CSV for a file, as far as it can be judged without a schema.
struct Outcome {
  /// Why nothing of the file may be used: kinds in the words of the corpus.
  var fileErrors: Set<String> = []
  var header: [[UInt8]] = []
  var rows: [[[UInt8]]] = []
  var rejects: [ExpectedReading.Found] = []

  /// Reads the bytes of a CSV file; its first record is the header, and all have as many fields.
  init(_ bytes: [UInt8]) {
    let drive = Drive(capacity: 64 << 10, records: 1000, fieldLimit: 20_000, recordLimit: 16 << 20)
    let records: [ReadRecord]
    do throws(CSVError) {
      records = try parse(bytes, drive).records
    } catch {
      fileErrors = ["unsupported_encoding"]
      return
    }
    guard let first = records.first, first.faults.isEmpty else {
      fileErrors = records.first?.faults.kinds ?? ["empty_input"]
      return
    }
    header = first.fields
    for record in records.dropFirst() {
      if record.faults.isEmpty, record.fields.count == header.count {
        rows.append(record.fields)
      } else {
        let kinds = record.faults.isEmpty ? ["ragged_row"] : record.faults.kinds
        rejects.append(
          .init(line: record.line, kinds: kinds, isCertain: record.extentIsCertain))
      }
    }
  }

  init(_ error: GzipError) {
    fileErrors =
      switch error {
      case .notGzip: ["gzip_not_gzip"]
      case .truncated: ["gzip_truncated"]
      case .trailingData: ["gzip_trailing_garbage"]
      case .corrupt(_, "unknown compression method"): ["gzip_unsupported_method"]
      case .corrupt(_, "unknown header flags set"): ["gzip_reserved_flags"]
      case .corrupt(_, "header crc mismatch"): ["gzip_header_crc"]
      case .corrupt(_, "incorrect data check"): ["gzip_crc_mismatch"]
      case .corrupt(_, "incorrect length check"): ["gzip_size_mismatch"]
      case .corrupt: ["gzip_bad_deflate"]
      case .readFailed(let code): ["errno \(code)"]
      }
  }

  /// The difference from `expected`, or nil.
  func difference(from expected: ExpectedReading) -> String? {
    if expected.isOfFile {
      return fileErrors.contains(expected.error ?? "")
        ? nil : "a file error \(expected.error ?? ""), not \(fileErrors)"
    }
    guard fileErrors.isEmpty else { return "no file error, not \(fileErrors)" }
    guard header == expected.header?.map({ Array($0.utf8) }) else { return "another header" }
    return expected.difference(rows: rows) ?? expected.difference(rejects: rejects)
  }
}

extension Record.Faults {
  /// The faults in the words of the corpus.
  fileprivate var kinds: Set<String> {
    let all: [(Record.Faults, String)] = [
      (.strayQuote, "quote_in_unquoted"), (.textAfterQuote, "text_after_quote"),
      (.bareCarriageReturn, "bare_cr"), (.nulByte, "nul_byte"), (.invalidUTF8, "invalid_utf8"),
      (.tooLong, "record_too_long"), (.unterminatedQuote, "unterminated_quote"),
    ]
    return Set(all.filter { contains($0.0) }.map(\.1))
  }
}
