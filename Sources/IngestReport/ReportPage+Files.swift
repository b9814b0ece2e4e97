import Vocabulary
import Text

extension ReportPage {
  var readFiles: [SourceCounts] {
    // An unchanged run reads no files.
    report.unchanged == nil ? report.tables.flatMap(\.sources) : []
  }

  var files: Section? {
    guard !readFiles.isEmpty else { return nil }
    return Section(
      id: "files", title: "Files",
      content: scrollingTable(
        "Source files",
        head: [
          ("file", ""), ("size", "number"), ("unpacked", "number"), ("compressed at (UTC)", ""),
          ("CRC-32", ""), ("header", ""),
        ], rows: readFiles.map(row)))
  }

  private func row(_ source: SourceCounts) -> HTML {
    let kind: HTML = source.isRepairs ? "<span class=\"note\">repairs</span>" : .empty
    let gzip = source.gzip
    let members: HTML =
      if let gzip, gzip.members != 1 {
        "<span class=\"note\">\(gzip.members) members</span>"
      } else {
        .empty
      }
    let name: HTML =
      (source.zip?.name ?? gzip?.originalName).map {
        "<span class=\"note\">original name \($0)</span>"
      } ?? .empty
    let time: HTML =
      if let zip = source.zip {
        zip.localTime.map {
          "\(String(timeText($0).dropLast(4)))<span class=\"note\">local time</span>"
        } ?? "<span class=\"muted\">unknown</span>"
      } else if let gzip {
        gzip.timeStamp.map { "\(String(timeText(Int($0)).dropLast(4)))" }
          ?? "<span class=\"muted\">unknown</span>"
      } else {
        "<span class=\"muted\">not compressed</span>"
      }
    let header = source.header.isEmpty ? "none" : source.header.joined(separator: ", ")
    return """
      <tr><th scope="row"><code>\(source.name)</code>\(kind)\(name)</th>\
      <td class="number">\(source.size.asSize)\(members)</td>\
      <td class="number">\(source.bytes.asSize)</td><td class="number left">\(time)</td>\
      <td><code>\(source.crc32.hexadecimal)</code></td><td class="header">\(header)</td></tr>

      """
  }

  /// The row counts, which show that no record or byte is lost.
  var counts: Section? {
    guard !readFiles.isEmpty else { return nil }
    let records = readFiles.map { ($0.name, $0.recordParts, $0.records) }
    let bytes = readFiles.map { ($0.name, $0.byteParts, $0.bytes) }
    let isBalanced = (records + bytes).allSatisfy { rest(of: $0.1, $0.2) == 0 }
    let sentence: HTML =
      isBalanced
      ? "The counts add up: no byte or record that was read is lost."
      : """
      The counts do not add up, because a file was not read to its end: it cannot be used, or the run \
      ended early.
      """
    return Section(
      id: "counts", title: "Row counts",
      content: """
        <p>\(sentence) The parts are counted record by record. The totals are counted independently, by the \
        decompressor and the CSV parser.</p>
        <h3>Records</h3>
        \(table("Records of each file", records))
        <h3>Decompressed bytes</h3>
        \(table("Decompressed bytes of each file", bytes))
        """)
  }

  /// A table of sums; columns of zeros are omitted.
  private func table(_ caption: String, _ sums: [(String, [SourceCounts.Part], Int)]) -> HTML {
    let names = sums[0].1.map(\.title)
    let shown = names.indices.filter { column in
      column == 0 || sums.contains { $0.1[column].count != 0 }
    }
    let columns = shown.enumerated().map { place, column in
      ((place > 0 ? "+ " : "") + names[column], "number")
    }
    let isBalanced = sums.allSatisfy { rest(of: $0.1, $0.2) == 0 }
    let last = isBalanced ? [] : [("+ rest", "number")]
    return scrollingTable(
      caption,
      head: [("file", "")] + columns + last + [("= read", "number"), ("check", "")],
      rows: sums.map { file, parts, whole in
        let left = rest(of: parts, whole)
        let balance: HTML =
          left == 0 ? "✓ adds up" : "<strong class=\"bad\">✕ not read to the end</strong>"
        return """
          <tr><th scope="row"><code>\(file)</code></th>\(shown.map { count(parts[$0].count) })\
          \(isBalanced ? .empty : count(left))<td class="number strong">\(whole)</td>\
          <td>\(balance)</td></tr>

          """
      })
  }

  private func rest(of parts: [SourceCounts.Part], _ whole: Int) -> Int {
    whole - parts.reduce(0) { $0 + $1.count }
  }

  private func count(_ number: Int) -> HTML {
    "<td class=\"number\(number == 0 ? " muted" : "")\">\(number)</td>"
  }
}
