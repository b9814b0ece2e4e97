import SQLiteSwiftly
package import Schema

import Files

/// Descriptions of dumps in the Data Package standard (<https://datapackage.org/standard/data-package/>), version 2,
/// with what version 1 had.
package enum DataPackage {
  package struct Contents: Sendable {
    package let name: String
    package let schema: SchemaDescription
    /// What the description asks for and is not done, if that is to be passed over.
    package let warnings: [DescriptionFault]
  }

  /// Reads the description of a file, whose paths lead on from its folder.
  ///
  /// With `ignoringUnsupported` what is not supported becomes a warning, and no fault. With `needsPlaces` every resource
  /// must say where its records are.
  package static func read(
    path: String, ignoringUnsupported: Bool, needsPlaces: Bool
  ) throws(DataPackageError) -> Contents {
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try contentsOfFile(path, mostBytes: Findings.mostBytes)
    } catch {
      let fault = DescriptionFault(
        code: .descriptionUnreadable, file: path, line: 0, column: 0, pointer: "",
        problem: "the file cannot be read: \(error.message)",
        expectation: "a file of JSON with no more than 16 MiB")
      throw DataPackageError(faults: [fault], unlisted: 0, cause: error)
    }
    return try read(
      bytes, named: path, folder: parentFolder(of: path), ignoringUnsupported: ignoringUnsupported,
      needsPlaces: needsPlaces)
  }

  /// Reads a description from its text; without a `folder` there is none for the files that it names.
  package static func read(
    _ bytes: [UInt8], named name: String, folder: String? = nil, ignoringUnsupported: Bool = false,
    needsPlaces: Bool = false
  ) throws(DataPackageError) -> Contents {
    let findings = Findings(ignoresUnsupported: ignoringUnsupported)
    let package = findings.read(bytes, of: name).flatMap {
      Properties($0, findings, expected: "an object with resources")
    }
    let contents = package.flatMap {
      PackageReader(
        properties: $0, companions: CompanionFile(folder: folder), needsPlaces: needsPlaces
      ).read()
    }
    if let error = findings.error { throw error }
    guard let contents else { throw DataPackageError(faults: [], unlisted: 0) }
    return contents
  }
}
