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
  /// The part of the records that have this number.
  private(set) var share = 0.0
  /// Whether nearly all of the sample, from its beginning, are such records.
  private(set) var isEven = false
  /// Whether no other dialect needs to be tried.
  private(set) var isClear = false

  /// Whether the only fault is a quote that is open at the end, in a file whose texts rarely have quotes of their own.
  var isTruncated: Bool {
    dialect.delimiter != "\t" && dialect.quote == "\""
      && batch.records.last?.faults.contains(.unterminatedQuote) == true
      && batch.records.count { !$0.faults.isEmpty } == 1
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
    var widths: [Int: Int] = [:]
    for record in self.batch.records where record.faults.isEmpty {
      widths[record.fieldCount, default: 0] += record.length
    }
    let most = widths.filter { $0.key > 1 }.max { ($0.value, $0.key) < ($1.value, $1.key) }
    // Of a header and one record, the record counts.
    for width in [1, most?.key ?? 1, self.batch.records.last?.fieldCount ?? 1]
    where widths[width] != nil { judge(width) }
  }

  private mutating func judge(_ width: Int) {
    var filled = [Bool](repeating: false, count: width)
    var (points, cells) = (0.0, 0)
    // Lines before the records are titles, if they are fewer, and others may be comments.
    var (records, titles, others) = (Extent(), Extent(), Extent())
    var hasOdd = false
    for record in batch.records {
      let forms = forms(of: record, width)
      guard let forms, !forms.contains(.quoted) else {
        let isComment = batch.bytes[record.bytes.lowerBound] == UInt8(ascii: "#") && forms == nil
        hasOdd = hasOdd || !isComment && (forms != nil || !record.faults.isEmpty)
        if records.count == 0 {
          titles.add(record)
        } else {
          others.add(record, weight: isComment ? Self.titleWeight : 1)
        }
        continue
      }
      records.add(record)
      for (column, form) in forms.enumerated() {
        guard let value = form.points else { continue }
        filled[column] = true
        points += value
        cells += 1
        hasOdd = hasOdd || form == .odd
      }
    }
    let titleWeight = titles.count <= records.count ? Self.titleWeight : 1
    func part(_ extent: (Extent) -> Double) -> Double {
      extent(records) / max(extent(records) + extent(titles) * titleWeight + extent(others), 1)
    }
    // A few long records are not most of them.
    let (ofCount, ofBytes) = (part(\.count), part(\.bytes))
    let evenness = ofCount < ofBytes / 2 ? ofCount : ofBytes
    let columns = Double(filled.count { $0 })
    // A delimiter that is also in the first line is rarely one of texts.
    let weight =
      (width > 1 ? DialectGuess.weights[dialect.delimiter] ?? 1 : 1) * (titles.count == 0 ? 1 : 0.9)
    let score = evenness * points / Double(max(cells, 1)) * columns / (columns + 1) * weight
    guard score > self.score else { return }
    self.score = score
    self.width = width
    share = records.count / Double(batch.records.count)
    isEven = titles.count == 0 && evenness > 0.98
    isClear = isEven && !hasOdd && width > 1
  }

  private static let titleWeight = 0.25

  /// Some records of the sample.
  private struct Extent {
    var count = 0.0
    var bytes = 0.0

    mutating func add(_ record: Record, weight: Double = 1) {
      count += weight
      bytes += weight * Double(record.length)
    }
  }

  /// The forms of the fields of a record; nil if it has a fault, or another number of them.
  private func forms(of record: Record, _ width: Int) -> [CellForm]? {
    guard record.isSound(fieldCount: width) else { return nil }
    let bytes = batch.bytes.span
    return (0..<width).map { CellForm(bytes.extracting(batch.place($0, of: record))) }
  }
}
