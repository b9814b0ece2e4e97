import Facts

extension ReportPage {
  var readFiles: [SourceCounts] {
    // Of an unchanged run nothing was read.
    report.unchanged == nil ? report.tables.flatMap(\.sources) : []
  }

  var files: Section? {
    guard !readFiles.isEmpty else { return nil }
    return Section(
      id: "files", title: "Files",
      content: scrollingTable(
        "The files that were read",
        head: [
          ("file", ""), ("size", "number"), ("unpacked", "number"), ("compressed at, UTC", ""),
          ("CRC-32", ""), ("header", ""),
        ], rows: readFiles.map(row)))
  }

  private func row(_ source: SourceCounts) -> HTML {
    let repaired: HTML =
      source.isRepairs
      ? "<span class=\"note\">standing repairs</span>"
      : source.isRepaired ? "<span class=\"note\">repaired records</span>" : .empty
    let gzip = source.gzip
    let members: HTML =
      if let gzip, gzip.members != 1 {
        "<span class=\"note\">\(gzip.members) members</span>"
      } else {
        .empty
      }
    let name: HTML =
      (source.zip?.name ?? gzip?.originalName).map {
        "<span class=\"note\">made from \($0)</span>"
      } ?? .empty
    let time: HTML =
      if let zip = source.zip {
        zip.localTime.map {
          "\(String(timeText($0).dropLast(4)))<span class=\"note\">local time</span>"
        } ?? "<span class=\"muted\">not given</span>"
      } else if let gzip {
        gzip.timeStamp.map { "\(String(timeText(Int($0)).dropLast(4)))" }
          ?? "<span class=\"muted\">not given</span>"
      } else {
        "<span class=\"muted\">not compressed</span>"
      }
    let header = source.header.isEmpty ? "none" : source.header.joined(separator: ", ")
    return """
      <tr><th scope="row"><code>\(source.name)</code>\(repaired)\(name)</th>\
      <td class="number">\(source.size.asSize)\(members)</td>\
      <td class="number">\(source.bytes.asSize)</td><td class="number left">\(time)</td>\
      <td><code>\(source.crc32.hexadecimal)</code></td><td class="header">\(header)</td></tr>

      """
  }

  /// The sums that show that nothing is unaccounted for.
  var accounts: Section? {
    guard !readFiles.isEmpty else { return nil }
    let records = readFiles.map { ($0.name, $0.recordParts.map(\.count), $0.records) }
    let bytes = readFiles.map { ($0.name, $0.byteParts.map(\.count), $0.bytes) }
    let isBalanced = (records + bytes).allSatisfy { $0.1.reduce(0, +) == $0.2 }
    let sentence: HTML =
      isBalanced
      ? "Every byte and every record that was read is accounted for."
      : """
      Not everything that was read is accounted for: a file that cannot be used is left where that is \
      found, and so are all when a run ends early.
      """
    return Section(
      id: "accounts", title: "Accounts",
      content: """
        <p>\(sentence) The parts are added up record by record; what was read is counted on its \
        own, where the bytes leave the decompressor and where the records are found.</p>
        <h3>Records</h3>
        \(table("Records of each file", ["loaded", "rejected", "replaced", "left out"], records))
        <h3>Decompressed bytes</h3>
        \(table(
          "Decompressed bytes of each file",
          ["header", "blank lines", "comments", "loaded", "rejected", "replaced", "left out"],
          bytes))
        """)
  }

  /// A table of sums; a column in which there is nothing is left out.
  private func table(_ caption: String, _ names: [String], _ sums: [(String, [Int], Int)]) -> HTML {
    let shown = names.indices.filter { column in
      column == 0 || sums.contains { $0.1[column] != 0 }
    }
    let columns = shown.enumerated().map { place, column in
      ((place > 0 ? "+ " : "") + names[column], "number")
    }
    let isBalanced = sums.allSatisfy { $0.1.reduce(0, +) == $0.2 }
    let rest = isBalanced ? [] : [("+ left over", "number")]
    return scrollingTable(
      caption,
      head: [("file", "")] + columns + rest + [("= read", "number"), ("balance", "")],
      rows: sums.map { file, parts, whole in
        let left = whole - parts.reduce(0, +)
        let balance: HTML =
          left == 0 ? "✓ balances" : "<strong class=\"bad\">✕ not read to its end</strong>"
        return """
          <tr><th scope="row"><code>\(file)</code></th>\(shown.map { count(parts[$0]) })\
          \(isBalanced ? .empty : count(left))<td class="number strong">\(whole)</td>\
          <td>\(balance)</td></tr>

          """
      })
  }

  private func count(_ number: Int) -> HTML {
    "<td class=\"number\(number == 0 ? " muted" : "")\">\(number)</td>"
  }
}
