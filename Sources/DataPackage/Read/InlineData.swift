import Text
import SQLiteSwiftly
import Schema

/// Writes inline records as CSV, as they would be in a file.
struct InlineData {
  let resource: Resource

  /// The records with a header; those that cannot be written add a fault and return nil.
  func bytes(of data: Node, format: Node?) -> [UInt8]? {
    if let text = data.json.text { return csv(text, data, format) }
    guard let rows = data.elements else {
      data.wrong(expected: "a list of lists or objects, or a string of CSV")
      return nil
    }
    if resource.source.dialect != SourceDescription.Dialect(), let first = rows.first,
      first.json.list != nil, resource.source.dialect.headerRows != [1]
    {
      data.unsupported("a dialect for inline records", expected: "a header as the first list")
    }
    let bytes = rows.first?.json.members == nil ? lists(rows) : objects(rows, data)
    data.findings.recordBytesLeft -= bytes?.count ?? 0
    return bytes
  }

  private func csv(_ text: String, _ data: Node, _ format: Node?) -> [UInt8]? {
    guard format?.json.text == "csv" else {
      data.fault(.propertyInvalid, "a string without a format", expected: "format \"csv\"")
      return nil
    }
    if resource.source.dialect != SourceDescription.Dialect() {
      data.unsupported("a dialect for inline CSV", expected: "commas and double quotes")
    }
    return Array(text.utf8)
  }

  private func lists(_ rows: [Node]) -> [UInt8]? {
    var header: [String] = []
    var bytes: [UInt8] = []
    for (index, row) in rows.enumerated() {
      guard let values = row.elements else {
        row.wrong(expected: "a list, like the other records")
        return nil
      }
      if index == 0 {
        header = values.compactMap(\.json.text)
        guard header.count == values.count else {
          row.wrong(expected: "field names in the first list")
          return nil
        }
        guard isWritable(header, row) else { return nil }
        append(header, to: &bytes)
        continue
      }
      let fields = values.enumerated().map { place, value in
        self.text(value, place < header.count ? resource.place(header[place]) : nil)
      }
      append(fields, to: &bytes)
      guard isWritable(bytes, row) else { return nil }
    }
    return bytes
  }

  /// Whether a table can have as many fields as the header; if not, adds a fault.
  private func isWritable(_ header: [String], _ row: Node) -> Bool {
    let most = TableDescription.maximumColumns
    if header.count <= most { return true }
    row.fault(.propertyInvalid, "\(header.count) names", expected: "at most \(most)")
    return false
  }

  /// Whether the records fit so far: a short value, such as null, can become a long field.
  private func isWritable(_ bytes: [UInt8], _ row: Node) -> Bool {
    if bytes.count <= row.findings.recordBytesLeft { return true }
    row.fault(
      .propertyInvalid, "the inline records are too large as CSV",
      expected: "at most 16 MiB in total; put larger data into a file")
    return false
  }

  private func objects(_ rows: [Node], _ data: Node) -> [UInt8]? {
    var names: [[UInt8]: Int] = [:]
    var header: [String] = []
    let present = Set(rows.flatMap { ($0.json.members ?? []).map { Array($0.name.utf8) } })
    let known = resource.columns.map(\.name).filter { present.contains(Array($0.utf8)) }
    for name in known + rows.flatMap({ ($0.json.members ?? []).map(\.name) })
    where names[Array(name.utf8)] == nil {
      names[Array(name.utf8)] = header.count
      header.append(name)
    }
    guard isWritable(header, data) else { return nil }
    let columns = header.map(resource.place)
    var bytes: [UInt8] = []
    append(header, to: &bytes)
    for row in rows {
      guard let members = row.json.members else {
        row.wrong(expected: "an object, like the other records")
        return nil
      }
      var fields = columns.map {
        $0.flatMap { resource.source.formats[$0].missingValues.first } ?? ""
      }
      for member in members {
        guard let index = names[Array(member.name.utf8)] else { continue }
        fields[index] = text(row.value(of: member), columns[index])
      }
      append(fields, to: &bytes)
      guard isWritable(bytes, row) else { return nil }
    }
    return bytes
  }

  private func text(_ value: Node, _ column: Int?) -> String {
    let format = column.map { resource.source.formats[$0] }
    switch (value.json.value, format?.spelling) {
    case (.text(let text), _): return text
    case (.null, _):
      guard let format else { return "" }
      if format.missingValues.isEmpty {
        value.wrong(expected: "a value: missingValues is empty, so null cannot be written")
      }
      return format.missingValues.first ?? ""
    case (.boolean(let isTrue), .boolean(let yes, let no)):
      return (isTrue ? yes.first : no.first) ?? ""
    case (.boolean(let isTrue), .exact) where column.map({ resource.columns[$0].type }) == .boolean:
      return isTrue ? "t" : "f"
    case (.number(let digits), .number(let spelling)):
      return digits.replacing(".", with: spelling.decimalSeparator)
    case (.number(let digits), _): return digits
    case (.list(let items), .list(let delimiter, _)):
      let texts = items.map { $0.text ?? $0.written(as: .line) }
      if texts.contains(where: { $0.contains(delimiter) }) {
        value.wrong(expected: "values without the list's delimiter")
      }
      return texts.joined(separator: delimiter)
    case (.list(let items), .coordinates):
      return items.map { $0.written(as: .line) }.joined(separator: ",")
    default: return value.json.written(as: .line)
    }
  }

  private func append(_ fields: [String], to bytes: inout [UInt8]) {
    var record = TextBuffer()
    // A lone empty field would be a blank line.
    if fields == [""] { record.append("\"\"") } else { record.append(fields: fields) }
    record.append("\n")
    bytes += record.string.utf8
  }
}
