import SQLiteSwiftly
package import Schema
import Platform
import Text

/// Descriptions of source files in the Data Package standard (<https://datapackage.org/standard/data-package/>),
/// version 2 or 1.
package enum DataPackage {
  package struct Contents: Sendable {
    package let name: String
    package let schema: SchemaDescription
    /// Unsupported features that the description uses, if they are ignored.
    package let warnings: [DescriptionFault]
  }

  /// Reads a description from a file; its paths are relative to the file's folder.
  ///
  /// With `ignoringUnsupported`, an unsupported feature is a warning instead of a fault. With `needsPlaces`, every
  /// resource must have a path or data. Schemas and dialects with a URL are files of the same name in the folder
  /// `schemas`.
  package static func read(
    path: String, schemas: String? = nil, ignoringUnsupported: Bool, needsPlaces: Bool
  ) throws(DataPackageError) -> Contents {
    let bytes = try mapError(
      contentsOfFile(path, mostBytes: Findings.mostBytes),
      as: { (error: FileError) in
        let fault = DescriptionFault(
          code: .descriptionUnreadable, file: path, line: 0, column: 0, pointer: "",
          problem: "cannot read the file: \(error.message)",
          expectation: "a JSON file of at most 16 MiB")
        return DataPackageError(faults: [fault], unlisted: 0, cause: error)
      })
    return try read(
      bytes, named: path,
      companions: CompanionFile(folder: parentFolder(of: path), schemas: schemas),
      ignoringUnsupported: ignoringUnsupported, needsPlaces: needsPlaces)
  }

  /// Reads a description from its text, which without a `folder` cannot refer to other files.
  package static func read(
    _ bytes: [UInt8], named name: String, folder: String? = nil, ignoringUnsupported: Bool = false,
    needsPlaces: Bool = false
  ) throws(DataPackageError) -> Contents {
    try read(
      bytes, named: name, companions: CompanionFile(folder: folder),
      ignoringUnsupported: ignoringUnsupported, needsPlaces: needsPlaces)
  }

  private static func read(
    _ bytes: [UInt8], named name: String, companions: CompanionFile, ignoringUnsupported: Bool,
    needsPlaces: Bool
  ) throws(DataPackageError) -> Contents {
    let findings = Findings(ignoresUnsupported: ignoringUnsupported)
    let package = findings.read(bytes, of: name).flatMap {
      Properties($0, expected: "an object with resources")
    }
    let contents = package.flatMap {
      PackageReader(
        properties: $0, companions: companions, needsPlaces: needsPlaces
      ).read()
    }
    if let error = findings.error { throw error }
    guard let contents else { throw DataPackageError(faults: [], unlisted: 0) }
    return contents
  }
}
