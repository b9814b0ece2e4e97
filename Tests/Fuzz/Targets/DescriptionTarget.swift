import DataPackage
import Foundation
import SQLiteSwiftly
import Schema

/// Descriptions of dumps: whatever the text is, it is refused with all that is wrong, or becomes a schema that SQLite
/// can make, and that reads as it was when it is written.
enum DescriptionTarget: FuzzTarget {
  static let name = "description"

  static func check(_ input: FuzzInput, makesMistake: Bool) {
    do throws(DataPackageError) {
      let contents = try DataPackage.read(
        input.data, named: "datapackage.json", ignoringUnsupported: true)
      // The mistake: as if no description had more than one resource.
      require(!makesMistake || contents.schema.tables.count == 1, "there are several tables")
      check(contents)
    } catch {
      require(!error.faults.isEmpty, "nothing is wrong, and yet it is refused")
      for fault in error.faults {
        require(fault.pointer.isEmpty || fault.pointer.hasPrefix("/"), fault.message)
        requirePlain(fault.message)
      }
    }
  }

  private static func check(_ contents: DataPackage.Contents) {
    do throws(SQLiteError) {
      try contents.schema.validate()
      let connection = try Connection.inMemory()
      for table in contents.schema.tables { try connection.createTable(describedBy: table) }
    } catch {
      require(false, "SQLite cannot make it: \(error)")
    }
    let text = DataPackage.json(of: contents.schema, name: contents.name)
    do throws(DataPackageError) {
      let again = try DataPackage.read(Array(text.utf8), named: "again")
      require(again.schema.tables == contents.schema.tables, "it is written otherwise: \(text)")
    } catch {
      require(false, "what is written of it is refused: \(error.faults.map(\.message)) \(text)")
    }
  }

  static let seeds = [
    #"{"name": "x", "resources": [{"name": "a", "path": "a.csv", "schema": {"fields": [{"name": "i", "type": "integer", "constraints": {"minimum": 1, "required": true}}, {"name": "d", "type": "date", "format": "%d.%m.%Y"}], "primaryKey": ["i"]}}]}"#,
    #"{"resources": [{"name": "a", "path": ["a.csv", "b.csv.gz"], "dialect": {"delimiter": ";", "header": false}, "schema": {"fields": [{"name": "k", "type": "string", "constraints": {"pattern": "[A-Z]{2}", "maxLength": 9}}, {"name": "n", "type": "number", "decimalChar": ","}], "primaryKey": "k", "missingValues": ["", "-"]}}, {"name": "b", "data": [["k", "t"], ["AB", true]], "schema": {"fields": [{"name": "k"}, {"name": "t", "type": "boolean"}], "foreignKeys": [{"fields": "k", "reference": {"resource": "a", "fields": "k"}}]}}]}"#,
    #"{"name": "u", "ingest": {"exact": true, "keyUnions": [{"name": "ab", "column": "id", "type": "integer", "members": [{"table": "a", "column": "id"}]}]}, "resources": [{"name": "a", "path": "a.csv", "schema": {"fieldsMatch": "partial", "uniqueKeys": [["id"]], "fields": [{"name": "id", "type": "integer", "categories": [{"value": 1, "label": "one"}]}, {"name": "g", "type": "geopoint"}, {"name": "l", "type": "list", "itemType": "date"}]}, "ingest": {"optional": true}}]}"#,
  ].map { Array($0.utf8) }
}
