import Platform
import Text
import SQLiteSwiftly
import Schema

/// Reads the place and the format of a resource's records.
struct ResourcePlace {
  /// Whether it is a table in CSV or a similar format.
  private(set) var isTable = true
  /// The compression of the files; nil if their names decide.
  private(set) var compression: SourceDescription.Compression?
  /// The encoding of the files; nil for UTF-8.
  private(set) var encoding: String?
  private let properties: Properties
  /// Whether the default delimiter is a tab.
  private var hasTabs = false

  private typealias Compression = SourceDescription.Compression

  init(_ properties: Properties) {
    self.properties = properties
    readKind()
    readFormat()
    readEncoding()
    if let text = properties.text("compression"), text != "no" {
      compression = Compression(rawValue: text)
      let known = Compression.allCases.map(\.rawValue).joined(separator: " or ")
      if compression == nil { refuseValue(of: "compression", expected: known) }
    }
    // What frictionless writes and the standard does not have.
    for name in ["innerpath", "extrapaths"] {
      properties[name]?.unsupported("\(name) is not in the standard", expected: "the paths in path")
    }
    if properties["scheme"]?.json.text != "file" {
      refuseValue(of: "scheme", expected: "\"file\": download it first")
    }
    // Version 4 of frictionless had the dialect there, and the rows and columns to read.
    if let layout = properties["layout"], layout.json.members?.isEmpty != true {
      layout.unsupported("layout is not in the standard", expected: "a dialect")
    }
  }

  /// The property with the path: `url` before the first version of the standard.
  private var pathName: String {
    properties["path"] == nil && properties["url"] != nil ? "url" : "path"
  }

  private mutating func readKind() {
    if let type = properties.text("type"), type != "table" { refuse("type", expected: "\"table\"") }
    let profiles = [
      "tabular-data-resource", "data-resource",
      "https://specs.frictionlessdata.io/schemas/tabular-data-resource.json",
      "https://specs.frictionlessdata.io/schemas/data-resource.json",
    ]
    if let profile = properties.text("profile"), !profiles.contains(profile) {
      refuse("profile", expected: "\"tabular-data-resource\"")
    }
  }

  private mutating func readFormat() {
    let mediatype = properties.text("mediatype")
    if let format = properties.text("format") {
      switch foldedText(format) {
      case "csv", "txt": break
      case "tsv", "tab": hasTabs = true
      case "json" where properties["data"]?.json.list != nil: break
      default: refuse("format", expected: "csv or tsv")
      }
    } else if let mediatype {
      let type = mediatype.split(separator: ";").first.map { foldedText(String($0)) } ?? ""
      switch type {
      case "text/csv", "text/plain", "application/csv", "application/gzip", "application/zip",
        "application/x-gzip":
        break
      case "text/tab-separated-values": hasTabs = true
      case "application/json" where properties["data"]?.json.list != nil: break
      // Publishers write media types of programs, such as Excel's, and misspelled ones.
      case _ where Self.tableEndings.contains(ending): hasTabs = ending == "tsv"
      default: refuse("mediatype", expected: "text/csv or text/tab-separated-values")
      }
    } else {
      readEnding()
    }
  }

  private static let tableEndings = ["csv", "tsv", "tab", "psv", "txt", "dat"]

  /// The extension of the first file, in lowercase, without that of a compression.
  private var ending: String {
    let path = properties[pathName]?.json
    let parts = (path?.text ?? path?.list?.first?.text ?? "").split(separator: ".").dropFirst()
    return parts.map { foldedText(String($0)) }.last { Compression(rawValue: $0) == nil } ?? ""
  }

  /// Without format and media type, the file's name decides.
  private mutating func readEnding() {
    let others: Set<String> = [
      "json", "jsonl", "ndjson", "geojson", "xls", "xlsx", "ods", "parquet", "xml", "yaml", "yml",
      "html", "md", "pdf", "db", "sqlite",
    ]
    if ending == "tsv" { hasTabs = true }
    if others.contains(ending) { refuse(pathName, expected: "a CSV file, or format \"csv\"") }
  }

  private mutating func refuse(_ name: String, expected: String) {
    guard properties[name] != nil else { return }
    isTable = false
    refuseValue(of: name, effect: "; the resource is skipped", expected: expected)
  }

  private func refuseValue(
    of name: String, kind: String = "unsupported", effect: String = "", expected: String
  ) {
    guard let node = properties[name] else { return }
    node.unsupported("\(kind) \(name) \(node.json.shortened)\(effect)", expected: expected)
  }

  private mutating func readEncoding() {
    guard let name = properties.text("encoding") else { return }
    let names = ["utf-8", "utf8", "utf-8-sig", "us-ascii", "ascii"]
    guard !names.contains(foldedText(name).replacing("_", with: "-")) else { return }
    encoding = TextDecoder.knownName(of: name)
    guard encoding == nil else { return }
    refuseValue(of: "encoding", kind: "unknown", expected: "utf-8, or a name that iconv -l lists")
  }

  /// The size and digest of the one file; those of several files together are not checked.
  var claims: SourceDescription.Claims? {
    let hash = self.hash
    var bytes: Int?
    if let node = properties["bytes"] {
      bytes = node.json.integer.flatMap { Int(exactly: $0) }
      if bytes == nil { unchecked(node, expected: "an integer") }
    }
    let path = properties[pathName]?.json
    guard path?.text != nil || path?.list?.count == 1, bytes != nil || hash != nil else {
      return nil
    }
    return SourceDescription.Claims(bytes: bytes, hash: hash)
  }

  private var hash: SourceDescription.Claims.Hash? {
    guard let text = properties.text("hash"), let node = properties["hash"], !text.isEmpty else {
      return nil
    }
    let parts = foldedText(text).split(separator: ":", maxSplits: 1).map { String($0) }
    let name = parts.count == 1 ? "md5" : parts[0].filter { $0 != "-" }
    guard let algorithm = SourceDescription.Claims.Algorithm(rawValue: name) else {
      unchecked(node, expected: "md5 or sha256")
      return nil
    }
    let digits = parts[parts.count - 1]
    guard digits.utf8.count == algorithm.digits, digits.allSatisfy(\.isHexDigit) else {
      unchecked(node, expected: "\(algorithm.digits) hexadecimal digits, for \(name)")
      return nil
    }
    return SourceDescription.Claims.Hash(algorithm: algorithm, digits: digits)
  }

  private func unchecked(_ node: Node, expected: String) {
    node.unsupported("\(node.json.shortened) is not checked", expected: expected)
  }

  /// Reads the dialect, from the description or from a separate file.
  func dialect(_ companions: CompanionFile) -> (
    dialect: SourceDescription.Dialect, nullSequence: String?
  ) {
    var dialect = SourceDescription.Dialect()
    if hasTabs { dialect.delimiter = "\t" }
    guard let described = properties["dialect"].flatMap(companions.properties) else {
      return (dialect, nil)
    }
    let reader = DialectReader(described, delimiter: dialect.delimiter)
    return (reader.dialect, reader.nullSequence)
  }

  func place(of resource: Resource, isNeeded: Bool) -> SourceDescription.Place {
    let name = pathName
    if let data = properties["data"] {
      if let path = properties[name] {
        path.fault(.propertyInvalid, "both \(name) and data", expected: "one of them")
      }
      return InlineData(resource: resource).bytes(of: data, format: properties["format"])
        .map(SourceDescription.Place.inline) ?? .named
    }
    guard let node = properties[name] else {
      if isNeeded {
        properties.missing(
          "path", expected: "path or data, or --source with a folder of source files")
      }
      return .named
    }
    let paths = (properties.texts(name, orOne: true) ?? []).map(fromFolder)
    if paths.isEmpty, node.json.list != nil { node.wrong(expected: "at least one path") }
    var seen: Set<[UInt8]> = []
    for place in node.elements ?? [node] {
      guard let path = place.json.text.map(fromFolder) else { continue }
      if !seen.insert(Array(path.utf8)).inserted {
        place.fault(
          .propertyInvalid, "duplicate path \(place.json.shortened)", expected: "each file once")
      }
      let part = isPathBeneath(path) ? nil : "the path has an empty part or the part ."
      guard let danger = danger(ofPath: path) ?? part else { continue }
      place.fault(
        .pathUnsafe, "\(danger): \(place.json.shortened)",
        expected: "a path below the folder of the description; download remote files first")
    }
    return .files(paths)
  }
}

private func fromFolder(_ path: String) -> String {
  var rest = path[...]
  while rest.hasBytePrefix("./") { rest = Substring(rest.utf8.dropFirst(2)) }
  return String(rest)
}

/// The text in lowercase ASCII, without spaces.
private func foldedText(_ text: String) -> String {
  String(decoding: foldedName(text).filter { $0 != 0x20 }, as: UTF8.self)
}
