extension Fault {
  /// The faults of one record between valid ones.
  static let ofRecords = structural + ofValues + ofKeys

  /// The line of the faulty record.
  private static let place = 4

  private static let structural = [
    part("wrong-field-count", column: nil, "Brick 2 x 4,1,Plastic,surplus"),
    part("stray-quote", "Brick 2\" x 4\",1,Plastic"),
    part("text-after-quote", "\"Brick\" 2 x 4,1,Plastic"),
    part("bare-carriage-return", "Brick\r2 x 4,1,Plastic"),
    fault("invalid-utf8", in: "parts.csv", column: "name") { _ in
      // In ISO 8859-1.
      Array("99999,Caf".utf8) + [0xe9] + Array(",1,Plastic".utf8)
    },
    part("nul-byte", "Brick\u{0}2 x 4,1,Plastic"),
    Fault(code: "record-too-long", level: .record, file: "parts.csv.gz", line: place) { files in
      let name = [UInt8](repeating: UInt8(ascii: "x"), count: 16 << 20)
      insert(Array("99999,".utf8) + name + Array(",1,Plastic".utf8), into: "parts.csv", of: &files)
      files.compress("parts.csv")
    },
  ]

  private static let ofValues = [
    part("missing-value", ",1,Plastic"),
    minifig("not-an-integer", parts: "four"),
    minifig("integer-out-of-range", parts: "9223372036854775808"),
    color("not-a-boolean", column: "is_trans", rgb: "0055BF", isTransparent: "maybe"),
    fault("not-allowed", in: "sets.csv", column: "year") { files in
      Array("99999-1,Stone Age Village,12,".utf8) + files.firstKey(of: "themes.csv")
        + Array(",1,".utf8)
    },
    color("wrong-format", column: "rgb", rgb: "GGGGGG", isTransparent: "False"),
    fault("key-too-long", in: "parts.csv", column: "part_num") { _ in
      [UInt8](repeating: UInt8(ascii: "9"), count: 1025) + Array(",Brick 2 x 4,1,Plastic".utf8)
    },
  ]

  private static let ofKeys = [
    fault("duplicate-key", in: "part_categories.csv", column: "id") { files in
      files.firstKey(of: "part_categories.csv") + Array(",Repeated".utf8)
    },
    fault("missing-parent", in: "elements.csv", column: "part_num") { _ in
      Array("99999,no-such-part,0,".utf8)
    },
  ]

  private static func part(_ code: String, column: String? = "name", _ text: String) -> Fault {
    fault(code, in: "parts.csv", column: column) { _ in Array("99999,\(text)".utf8) }
  }

  private static func minifig(_ code: String, parts: String) -> Fault {
    fault(code, in: "minifigs.csv", column: "num_parts") { _ in
      Array("fig-999999,Uncountable,\(parts),".utf8)
    }
  }

  private static func color(
    _ code: String, column: String, rgb: String, isTransparent: String
  ) -> Fault {
    fault(code, in: "colors.csv", column: column) { _ in
      Array("99999,Octarine,\(rgb),\(isTransparent),0,0,,".utf8)
    }
  }

  /// Creates a fault that adds a record.
  private static func fault(
    _ code: String, in file: String, column: String?,
    record: @escaping @Sendable (FileSet) -> [UInt8]
  ) -> Fault {
    Fault(code: code, level: .record, file: file, line: place, column: column) { files in
      insert(record(files), into: file, of: &files)
    }
  }

  private static func insert(_ record: [UInt8], into file: String, of files: inout FileSet) {
    files.changeLines(of: file) { lines in
      lines.insert((record + Array("\r\n".utf8))[...], at: place - 1)
    }
  }
}

extension FileSet {
  /// The first field of the first record of a table.
  fileprivate func firstKey(of name: String) -> [UInt8] {
    Array(lines(of: name)[1].prefix { $0 != UInt8(ascii: ",") })
  }
}
