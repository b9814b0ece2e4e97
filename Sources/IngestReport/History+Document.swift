package import Vocabulary
import Text

extension History {
  /// The version of the document's format; new keys do not change it.
  private static let formatVersion = 1

  /// The history of a database as one JSON document; see `history.schema.json`.
  package var document: String {
    let document: JSON = [
      "versions": ["history": JSON(Self.formatVersion), "tool": JSON(toolVersion)],
      "runs": JSON(runs.map(\.json)), "lasting_warnings": JSON(causes.map(\.json)),
    ]
    return document.written(as: .report)
  }
}

extension History.Run {
  fileprivate var json: JSON {
    [
      "run": JSON(number), "data_time": JSON(dataTime), "state": JSON(state),
      "tables": JSON(tables.map(\.json)),
    ]
  }
}

extension History.Table {
  fileprivate var json: JSON {
    [
      "name": JSON(name), "rows": JSON(rows), "rejected": JSON(rejected),
      "keys": keys?.json ?? .null, "is_unusual": JSON(isUnusual),
    ]
  }
}

extension History.Cause {
  fileprivate var json: JSON {
    [
      "code": JSON(code.rawValue), "table": JSON(table), "column": JSON(column),
      "message": JSON(message), "is_suppressed": JSON(isSuppressed),
    ]
  }
}

extension CatalogChanges.Keys {
  var json: JSON {
    ["added": JSON(added), "removed": JSON(removed), "changed": JSON(changed)]
  }
}
