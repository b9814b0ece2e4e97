import Files
import Compression

/// An option that a catalog depends on, as the catalog itself keeps it.
package struct CatalogOption {
  package let option: String
  /// Its value, if that is not a file, or the contents of the description.
  package var value: String?
  /// The file that was given by it, if it takes one.
  package var file: File?

  /// A file, known again by its name, its size and its checksum.
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

  /// Those of a run, in the order in which they count.
  ///
  /// The limit of rejected records and the accepted warnings only decide what the catalog says of the run. What
  /// only decides whether something is published, or how long it may take, is not among them.
  package static func all(
    of options: IngestOptions, _ sqlFiles: [SQLFile], _ suppressions: Suppressions?
  ) -> [CatalogOption] {
    (options.description.map {
      [
        CatalogOption(
          option: "--schema", value: $0.text, file: File($0.name, Array($0.text.utf8)))
      ]
    } ?? [])
      + (options.isStrict ? [CatalogOption(option: "--strict-schema")] : [])
      + (options.hasSearch ? [] : [CatalogOption(option: "--no-search")])
      + sqlFiles.map { CatalogOption(option: "--sql", file: File($0.path, $0.script)) }
      + options.rejectLimits.words.map { CatalogOption(option: "--max-rejects", value: $0) }
      + (suppressions.map { [CatalogOption(option: "--suppress", file: $0.file)] } ?? [])
  }

  package var words: [String] {
    [option] + (value.map { [$0] } ?? []) + (file.map { [$0.name, "\($0.size)", $0.crc32] } ?? [])
  }
}
