import Platform
import Schema
import Compression
import Text

/// An option that a database depends on, as stored in the database.
package struct StoredOption {
  package let option: String
  /// Its value, unless that is a file, or the contents of the description.
  package var value: String?
  package var file: File?

  /// A file, identified by its name, size and checksum.
  package struct File: Sendable {
    package let name: String
    package let size: Int
    package let crc32: String

    init(_ path: String, _ bytes: [UInt8]) {
      name = split(path).name
      size = bytes.count
      var sum = CRC32()
      sum.append(bytes.span)
      crc32 = sum.value.hexadecimal
    }
  }

  /// The options of a run, in the order in which they apply.
  ///
  /// The reject limits and the suppressions only affect the verdict stored in the database. Options that only affect
  /// whether it is published, or how long that may take, are not included.
  package static func all(
    of options: IngestOptions, _ sqlFiles: [SQLFile], _ suppressions: Suppressions?
  ) -> [StoredOption] {
    (options.description.map {
      [StoredOption(option: "--schema", value: $0.text, file: File($0.name, Array($0.text.utf8)))]
    } ?? [])
      + (options.isStrict ? [StoredOption(option: "--strict-schema")] : [])
      + (options.hasSearch ? [] : [StoredOption(option: "--no-search")])
      + (options.output.schema?.distributed.map { tables in
        let value = tables.first.map { "\($0.table)=\($0.column)" }
        return [StoredOption(option: "--distribute", value: value ?? "none")]
      } ?? [])
      + sqlFiles.map { StoredOption(option: "--sql", file: File($0.path, $0.script)) }
      + options.rejectLimits.words.map { StoredOption(option: "--max-rejects", value: $0) }
      + (suppressions.map { [StoredOption(option: "--suppress", file: $0.file)] } ?? [])
  }

  package var words: [String] {
    [option] + (value.map { [$0] } ?? []) + (file.map { [$0.name, "\($0.size)", $0.crc32] } ?? [])
  }
}
