extension Fault {
  /// What is no fault, but worth a word in the report.
  static let noticed = [
    Fault(
      code: "column-unknown", level: .notice, file: "part_categories.csv", line: 1,
      column: "is_retired"
    ) { files in
      files.changeLines(of: "part_categories.csv") { lines in
        lines = lines.enumerated().map { $1.appendingField($0 == 0 ? "is_retired" : "False") }
      }
    },
    Fault(
      code: "column-absent", level: .notice, file: "elements.csv", line: 1, column: "design_id"
    ) { files in
      files.changeLines(of: "elements.csv") { $0 = $0.map { $0.withoutField(3) } }
    },
    Fault(code: "file-unknown", level: .notice, file: "part_colors.csv") { files in
      files["part_colors.csv"] = Array("part_num,color_id\r\n3383,0\r\n".utf8)
    },
    Fault(code: "blank-line", level: .notice, file: "sets.csv", line: 4) { files in
      files.changeLines(of: "sets.csv") { $0.insert(Array("\r\n".utf8)[...], at: 3) }
    },
    Fault(code: "mixed-line-ends", level: .notice, file: "inventories.csv") { files in
      files.changeLines(of: "inventories.csv") { lines in
        lines[3] = (lines[3].dropLast(2) + Array("\n".utf8))[...]
      }
    },
  ]
}

/// A line of CSV without quotes, with its line end, CRLF.
extension ArraySlice<UInt8> {
  /// The line with one more field at its end.
  func appendingField(_ text: String) -> ArraySlice<UInt8> {
    (dropLast(2) + Array(",\(text)\r\n".utf8))[...]
  }

  /// The line without the field at `index`.
  func withoutField(_ index: Int) -> ArraySlice<UInt8> {
    var fields = dropLast(2).split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    fields.remove(at: index)
    return (Array(fields.joined(separator: Array(",".utf8))) + Array("\r\n".utf8))[...]
  }
}
