extension Fault {
  /// The faults that cause a warning.
  static let warnings = [
    Fault(
      code: "column-unknown", level: .warning, file: "part_categories.csv", line: 1,
      column: "is_retired"
    ) { files in
      files.changeLines(of: "part_categories.csv") { lines in
        lines = lines.enumerated().map { $1.appendingField($0 == 0 ? "is_retired" : "False") }
      }
    },
    Fault(
      code: "column-absent", level: .warning, file: "elements.csv", line: 1, column: "design_id"
    ) { files in
      files.changeLines(of: "elements.csv") { $0 = $0.map { $0.withoutField(3) } }
    },
    Fault(code: "file-unknown", level: .warning, file: "part_colors.csv") { files in
      files["part_colors.csv"] = Array("part_num,color_id\r\n3383,0\r\n".utf8)
    },
    Fault(code: "blank-line", level: .warning, file: "sets.csv", line: 4) { files in
      files.changeLines(of: "sets.csv") { $0.insert(Array("\r\n".utf8)[...], at: 3) }
    },
    Fault(code: "no-final-newline", level: .warning, file: "sets.csv") { files in
      files.changeLines(of: "sets.csv") { lines in
        lines[lines.count - 1] = lines[lines.count - 1].dropLast(2)
      }
    },
    Fault(code: "column-order", level: .warning, file: "inventory_sets.csv", line: 1) { files in
      files.changeLines(of: "inventory_sets.csv") { lines in
        lines = lines.map { $0.withoutField(0).appendingField($0.field(0)) }
      }
    },
    Fault(
      code: "boolean-spellings", level: .warning, file: "colors.csv", line: 3, column: "is_trans"
    ) { files in
      files.changeLines(of: "colors.csv") { $0[2] = $0[2].replacingField(3, by: "f") }
    },
    Fault(
      code: "value-unknown", level: .warning, file: "part_relationships.csv", line: 3,
      column: "rel_type"
    ) { files in
      files.changeLines(of: "part_relationships.csv") { $0[2] = $0[2].replacingField(0, by: "X") }
    },
    Fault(code: "mixed-generations", level: .warning, file: "themes.csv.gz") { files in
      // 2026-11-20 and 2026-11-21, at 3:00 UTC.
      files.compress("themes.csv") { $0.setTimeStamp(1_795_143_600) }
      files.compress("sets.csv") { $0.setTimeStamp(1_795_230_000) }
    },
    Fault(code: "mixed-line-ends", level: .warning, file: "inventories.csv") { files in
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

  /// The field at `index`.
  func field(_ index: Int) -> String {
    let fields = dropLast(2).split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    return String(decoding: fields[index], as: UTF8.self)
  }

  /// The line with another field at `index`.
  func replacingField(_ index: Int, by text: String) -> ArraySlice<UInt8> {
    var fields = dropLast(2).split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    fields[index] = Array(text.utf8)[...]
    return (Array(fields.joined(separator: Array(",".utf8))) + Array("\r\n".utf8))[...]
  }

  /// The line without the field at `index`.
  func withoutField(_ index: Int) -> ArraySlice<UInt8> {
    var fields = dropLast(2).split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    fields.remove(at: index)
    return (Array(fields.joined(separator: Array(",".utf8))) + Array("\r\n".utf8))[...]
  }
}

extension [UInt8] {
  /// Sets the time in the header of a gzip member (RFC 1952, section 2.3), in seconds since 1970 in UTC.
  fileprivate mutating func setTimeStamp(_ seconds: UInt32) {
    for index in 0..<4 {
      self[4 + index] = UInt8(truncatingIfNeeded: seconds >> (8 * UInt32(index)))
    }
  }
}
