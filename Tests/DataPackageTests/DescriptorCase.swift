import Foundation
import Testing

/// A case of `fixtures/datapackage/cases.json`, by which frictionless is judged as well.
struct DescriptorCase: CustomTestStringConvertible {
  let name: String
  /// The codes and pointers that are to be found.
  let faults: [String]
  /// The whole description.
  let bytes: [UInt8]

  var testDescription: String { name }

  static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../fixtures/datapackage").standardizedFileURL

  static let all: [DescriptorCase] = {
    guard let data = try? Data(contentsOf: fixtures.appendingPathComponent("cases.json")),
      let cases = try? JSONSerialization.jsonObject(with: data) as? [[String: Any]]
    else { return [] }
    return cases.map(DescriptorCase.init)
  }()

  private init(_ written: [String: Any]) {
    name = written["name"] as? String ?? ""
    faults = written["faults"] as? [String] ?? []
    let description = Self.description(of: written)
    bytes = (try? JSONSerialization.data(withJSONObject: description)).map(Array.init) ?? []
  }

  private typealias Object = [String: Any]

  private static var base: Object {
    [
      "name": "t", "path": "t.csv",
      "schema": [
        "fields": [["name": "id", "type": "integer"], ["name": "f", "type": "string"]]
      ] as Object,
    ]
  }

  /// As Tests/System/Frictionless/descriptions.py does it.
  private static func description(of written: Object) -> Object {
    if let package = written["package"] as? Object { return package }
    if let resources = written["resources"] as? [Object] {
      return ["resources": resources.map { merged(base, $0) }]
    }
    var resource = merged(base, written["resource"] as? Object ?? [:])
    if let dialect = written["dialect"] { resource["dialect"] = dialect }
    if var schema = resource["schema"] as? Object {
      schema = merged(schema, written["schema"] as? Object ?? [:])
      if let field = written["field"] as? Object, var fields = schema["fields"] as? [Object] {
        fields[1] = merged(["name": "f"], field)
        schema["fields"] = fields
      }
      resource["schema"] = schema
    }
    return merged(["resources": [resource]], written["packageAnd"] as? Object ?? [:])
  }

  private static func merged(_ base: Object, _ changes: Object) -> Object {
    base.merging(changes) { $1 }.filter { !($0.value is NSNull) }
  }
}
