import Text
import SQLiteSwiftly
import Schema

/// Reads key unions, tables of the keys of several tables, which are an extension to the standard.
extension PackageReader {
  /// More would take long to fill.
  static let mostUnions = 10

  func unions(_ nodes: [Node], of resources: [Resource]) -> [KeyUnionDescription] {
    nodes.compactMap { node in
      let expected = "an object with name, column, type and members"
      guard let union = Properties(node, expected: expected) else { return nil }
      let types = [FieldType.string, .integer].map(\.rawValue)
      guard let name = union.text("name", longest: Findings.longestName),
        let column = union.text("column"),
        let type = union.word("type", of: types).flatMap(FieldType.init), let place = union["name"],
        let members = union.list("members", most: SchemaReader.mostKeys)?
          .compactMap({ member($0, type.columnType, resources) })
      else {
        for name in ["name", "column", "type", "members"] where union[name] == nil {
          union.missing(name, expected: expected)
        }
        return nil
      }
      if place.isTableName(name), resources.contains(where: { areSameName($0.name, name) }) {
        place.fault(
          .nameInvalid, "a resource has the name \(JSON(name).shortened)", expected: "another name")
      }
      return KeyUnionDescription(
        name, column: column, type: type.columnType, members: members, meaning: union.meaning)
    }
  }

  private func member(
    _ node: Node, _ type: ColumnDescription.DataType, _ resources: [Resource]
  ) -> KeyUnionDescription.Member? {
    guard let member = Properties(node, expected: "an object with table and column"),
      let table = member.text("table"), let column = member.text("column")
    else { return nil }
    let reference = member.text("reference")
    let resource = resources.first { haveSameBytes($0.name, table) }
    // SQLite accepts references to keys only.
    let isThere =
      reference == nil
      ? resource?.type(of: column) == type : resource.map { $0.hasKey(of: [column]) } ?? false
    if !isThere {
      node.fault(
        .referenceInvalid,
        "\(JSON(table).shortened) has no \(reference == nil ? "field" : "key") "
          + "\(JSON(column).shortened) of the union's type",
        expected: "a resource and its field, which must be a key if it is referenced")
    }
    return KeyUnionDescription.Member(table, column, reference: reference)
  }
}
