import CSV
import Schema
import SourceFiles
import Vocabulary

/// The records of a sample as read in one dialect, and how well that suits them.
///
/// As in CleverCSV (<https://doi.org/10.1007/s10618-019-00646-y>), a dialect is judged by how many records have the same
/// number of fields, and by how many fields are numbers, times or plain text.
struct DialectTrial: ~Copyable {
  let dialect: SourceDescription.Dialect
  let batch: RecordBatch
  /// The number of fields of most records.
  private(set) var width = 1
  private(set) var score = 0.0
  /// Whether nearly all of the sample, from its beginning, are such records.
  private(set) var isEven = false
  /// The part of the records that have this number.
  private(set) var share = 0.0
  /// The number of columns whose values are all numbers or times.
  private(set) var figureColumns = 0
  /// Whether no other dialect needs to be tried.
  private(set) var isClear = false
  /// The number of fields in quotes.
  private(set) var enclosed = 0
  private(set) var faulty = 0
  /// Whether the only fault is a quote that is open at the end, as in a truncated file.
  var isTruncated: Bool {
    faulty == 1 && batch.records.last?.faults.contains(.unterminatedQuote) == true
  }

  private static let mostRecords = 8192
  private static let mostFields = 80_000

  /// Reads a sample, which may end inside quotes if it is a part of a file; nil if the dialect is ambiguous.
  init?(_ dialect: SourceDescription.Dialect, _ sample: [UInt8], isWhole: Bool) {
    var source = SourceDescription(of: "", formats: [])
    source.dialect = dialect
    guard let layout = try? SourceLayout(of: source) else { return nil }
    var batch = RecordBatch(
      capacity: sample.count + 1, records: Self.mostRecords, fields: Self.mostFields)
    _ = batch.fill { room in
      for index in sample.indices { room[index] = sample[index] }
      return sample.count
    }
    var parser = Parser(dialect: layout.dialect, headerRows: 0)
    do throws(CSVError) { try parser.parse(&batch, isLast: true) } catch { return nil }
    if !isWhole, let last = batch.records.last, last.faults.contains(.unterminatedQuote),
      last.length * 2 < sample.count
    {
      batch.removeRecords { $0.number == last.number }
    }
    self.dialect = dialect
    self.batch = batch
    judge()
  }

  private mutating func judge() {
    var widths: [Int: (records: Int, bytes: Int)] = [:]
    for record in batch.records {
      guard record.faults.isEmpty else {
        faulty += 1
        continue
      }
      widths[record.fieldCount, default: (0, 0)].records += 1
      widths[record.fieldCount, default: (0, 0)].bytes += record.length
    }
    let several = widths.filter { $0.key > 1 }
    // Of a header and one record, the record counts.
    let last = batch.records.last?.fieldCount
    let most = several.max {
      ($0.value.records, $0.key == last ? 1 : 0, $0.key)
        < ($1.value.records, $1.key == last ? 1 : 0, $1.key)
    }
    let longest = several.max { ($0.value.bytes, $0.key) < ($1.value.bytes, $1.key) }
    for width in [1, most?.key ?? 1, longest?.key ?? 1] where widths[width] != nil { judge(width) }
  }

  /// The bytes of the sample, of which titles count less, and comments and a header of another width do not.
  private func total(_ width: Int) -> Double {
    let isRecord = { (record: Record) in record.faults.isEmpty && record.fieldCount == width }
    let start = batch.records.firstIndex(where: isRecord) ?? 0
    let hasTitles = batch.records.count(where: isRecord) >= start
    return batch.records.indices.reduce(0.0) { sum, index in
      let record = batch.records[index]
      let isComment =
        batch.bytes[record.bytes.lowerBound] == UInt8(ascii: "#") && record.faults.isEmpty
        && !isRecord(record)
      let isHeader =
        index == 0 && width > 2 && record.faults.isEmpty
        && (record.fieldCount == width - 1 || record.fieldCount > width)
      let weight = isComment || isHeader ? 0 : index < start && hasTitles ? 0.25 : 1
      return sum + weight * Double(record.length)
    }
  }

  private mutating func judge(_ width: Int) {
    let total = total(width)
    guard total > 0 else { return }
    var figures = [Int](repeating: 0, count: width)
    var texts = figures
    var (points, cells, sound, bytes, enclosed) = (0.0, 0, 0, 0, 0)
    var hasOdd = false
    for record in batch.records where record.faults.isEmpty && record.fieldCount == width {
      sound += 1
      bytes += record.length
      for column in 0..<width {
        let place = batch.place(column, of: record)
        // Fields with doubled quotes are stored after the records.
        let isEnclosed =
          place.lowerBound > record.bytes.upperBound
          || place.lowerBound > record.bytes.lowerBound
            && dialect.quote.map {
              batch.bytes[place.lowerBound - 1] == $0.utf8.first
            } ?? false
        if isEnclosed { enclosed += 1 }
        switch CellForm(batch.bytes.span.extracting(place)) {
        case .empty, .missing: continue
        case .figure:
          figures[column] += 1
          points += 1
        case .text:
          texts[column] += 1
          points += 0.9
        case .odd:
          hasOdd = true
          texts[column] += 1
          points += 0.3
        }
        cells += 1
      }
    }
    let columns = Double(figures.indices.count { figures[$0] + texts[$0] > 0 })
    let score =
      Double(bytes) / total * (points / Double(max(cells, 1))) * columns / (columns + 1)
    guard score > self.score else { return }
    self.score = score
    self.width = width
    share = Double(sound) / Double(batch.records.count)
    self.enclosed = enclosed
    let isFromFirst = batch.records.first?.fieldCount == width
    isEven = isFromFirst && Double(bytes) > 0.98 * total
    isClear = isEven && faulty == 0 && !hasOdd && width > 1
    figureColumns = figures.indices.count {
      figures[$0] > 1 && texts[$0] <= max(figures[$0] / 50, 1)
    }
  }
}
