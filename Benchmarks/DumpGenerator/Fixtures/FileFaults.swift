extension Fault {
  /// The faults that make a whole file unusable.
  static let ofFiles =
    filesThatCannotBeFound + damagedGzipFiles + [
      Fault(code: "encoding-unsupported", level: .file, file: "themes.csv") { files in
        guard let themes = files["themes.csv"] else { return }
        let units = String(decoding: themes, as: UTF8.self).utf16
        let bytes = units.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        files["themes.csv"] = [0xff, 0xfe] + bytes
      },
      Fault(code: "header-missing", level: .file, file: "themes.csv.gz") { files in
        files["themes.csv"] = []
        files.compress("themes.csv")
      },
      Fault(
        code: "column-missing", level: .file, file: "inventories.csv", line: 1, column: "version"
      ) { files in
        files.changeLines(of: "inventories.csv") { $0 = $0.map { $0.withoutField(1) } }
      },
      Fault(
        code: "column-duplicate", level: .file, file: "inventory_sets.csv", line: 1,
        column: "quantity"
      ) { files in
        files.changeLines(of: "inventory_sets.csv") { lines in
          lines = lines.enumerated().map { $1.appendingField($0 == 0 ? "quantity" : "1") }
        }
      },
      Fault(
        code: "unterminated-quote", level: .file, file: "parts.csv",
        line: TableSizes.tiny.parts + 2, column: "name"
      ) { files in
        files.changeLines(of: "parts.csv") { lines in
          lines.append(Array("99999,\"Brick 2 x 4,1,Plastic\r\n".utf8)[...])
        }
      },
    ]

  private static let filesThatCannotBeFound = [
    Fault(code: "file-missing", level: .file, file: "themes.csv") { $0["themes.csv"] = nil },
    Fault(code: "file-unreadable", level: .file, file: "themes.csv.gz") { files in
      files["themes.csv"] = nil
      files["themes.csv.gz/placeholder"] = Array("Keeps the folder in the repository.\n".utf8)
    },
    Fault(code: "file-ambiguous", level: .file, file: "themes.csv") { files in
      let themes = files["themes.csv"]
      files.compress("themes.csv")
      files["themes.csv"] = themes
    },
  ]

  private static let damagedGzipFiles = [
    Fault(code: "not-gzip", level: .file, file: "sets.csv.gz") { files in
      files["sets.csv.gz"] = files["sets.csv"]
      files["sets.csv"] = nil
    },
    Fault(code: "gzip-truncated", level: .file, file: "sets.csv.gz") { files in
      files.compress("sets.csv") { $0.removeLast($0.count / 3) }
    },
    // The checksum is in the last eight bytes, so all data seems valid.
    Fault(code: "gzip-corrupt", level: .file, file: "sets.csv.gz") { files in
      files.compress("sets.csv") { $0[$0.count - 8] ^= 0xff }
    },
    Fault(code: "gzip-trailing-data", level: .file, file: "sets.csv.gz") { files in
      files.compress("sets.csv") { $0 += Array("what is this?\n".utf8) }
    },
  ]
}
