import SQLiteDestination
import Vocabulary
import DataPackage
import Platform
import PostgreSQLDestination
import RebrickableCatalog
import Schema
import Text

struct Family {
  private(set) var schema: SchemaDescription
  let name: String
  /// The unsupported features of its description, which are ignored.
  let unsupported: [DescriptionFault]

  init(
    _ choice: SchemaChoice, ignoringUnsupported: Bool = false, schemas: String? = nil,
    needsPlaces: Bool = false
  ) throws(DataPackageError) {
    switch choice {
    case .builtIn(.rebrickable):
      self.init(RebrickableCatalog.schema, named: "rebrickable")
    case .builtIn(.gtfs):
      self.init(try DataPackage.read(Self.gtfs, named: "gtfs").schema, named: "gtfs")
    case .file(let path):
      let contents = try DataPackage.read(
        path: path, schemas: schemas, ignoringUnsupported: ignoringUnsupported,
        needsPlaces: needsPlaces)
      self.init(
        contents.schema, named: contents.name.isEmpty ? split(path).name : contents.name,
        unsupported: contents.warnings)
    }
  }

  private init(
    _ schema: SchemaDescription, named name: String, unsupported: [DescriptionFault] = []
  ) {
    self.schema = schema
    self.name = name
    self.unsupported = unsupported
  }

  /// The family of databases, as stored in the first of them that has one; nil if none has one, or if they cannot be
  /// read, which is reported later.
  init?(keptIn operands: [String]) {
    for path in operands {
      #if PostgreSQL
        if case .schema(let server) = DatabaseOperand(path, "rebrickable") {
          guard let text = try? PublishedSchema(server).description,
            let kept = try? DataPackage.read(
              Array(text.utf8), named: path, ignoringUnsupported: true)
          else { continue }
          self.init(kept.schema, named: server.name)
          return
        }
      #endif
      guard let number = DatabaseFile.applicationID(at: path) else { continue }
      if let family = SchemaChoice.BuiltIn.allCases.lazy.compactMap({ try? Family(.builtIn($0)) })
        .first(where: { $0.schema.applicationID == number })
      {
        self = family
        return
      }
      guard let text = try? DatabaseFile(path, applicationID: number).description(),
        let kept = try? DataPackage.read(Array(text.utf8), named: path, ignoringUnsupported: true),
        kept.schema.applicationID == number
      else { continue }
      self.init(kept.schema, named: kept.name)
      return
    }
    return nil
  }

  /// The description for the options of a run; nil for the default family.
  func description(for choice: SchemaChoice) -> NamedDescription? {
    // Without its name, so that equal source files make equal databases.
    choice.option.map { NamedDescription($0, text: DataPackage.json(of: schema, name: "")) }
  }

  /// The family with another schema.
  func with(_ schema: SchemaDescription) -> Family {
    var family = self
    family.schema = schema
    return family
  }

  /// The family with its source files in another folder than that of its description.
  ///
  /// They are matched by table name, or by their own name if that is different. Files in subfolders are matched by their
  /// paths without the folder that all have in common.
  func matchingFiles(in source: String) -> Family {
    var family = self
    let places = schema.sources.map { source -> [String] in
      if case .files(let paths) = source.place { paths } else { [] }
    }
    let common = Self.commonFolder(of: places.joined().map { split($0).folder })
    for (index, paths) in places.enumerated() where !paths.isEmpty {
      // Those of the files beside the description.
      family.schema.sources[index].claims = nil
      let below = paths.map { $0.dropping(prefix: common) }
      let name = split(paths[0]).name
      if below != below.map({ split($0).name }),
        below.allSatisfy({ existingPath("\(source)/\($0)") != nil })
      {
        family.schema.sources[index].place = .files(below)
      } else if paths.count == 1, !name.hasBytePrefix(schema.sources[index].table + ".") {
        family.schema.sources[index].place = .files([name])
      } else {
        family.schema.sources[index].place = .named
        family.schema.sources[index].compression = nil
        family.schema.sources[index].ending = Self.ending(of: paths[0])
      }
    }
    return family
  }

  private static func commonFolder(of folders: [String]) -> String {
    var common = folders.first ?? ""
    while !folders.allSatisfy({ $0.hasBytePrefix(common) }) {
      common = split(String(common.dropLast())).folder
    }
    return common
  }

  /// The extension without that of the compression: `.csv` of `sets.csv.gz`.
  private static func ending(of path: String) -> String {
    var name = split(path).name
    for compression in SourceDescription.Compression.allCases
    where name.hasByteSuffix(compression.ending) {
      name = name.dropping(suffix: compression.ending)
    }
    return name.lastIndex(of: ".").map { String(name[$0...]) } ?? ".csv"
  }

  static var gtfs: [UInt8] { PackageResources.gtfs_json }
}
