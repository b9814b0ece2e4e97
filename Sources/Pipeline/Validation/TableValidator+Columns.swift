import CSV
import Fields
import SourceFiles
import SQLiteSwiftly

extension TableValidator {
  /// Reads a column's field of each record of the chunk, and sets the cell in the prospective row.
  mutating func readFields(
    of column: Int, _ batch: inout RecordBatch, from start: Int, into rows: inout RowBatch
  ) {
    let field = fieldOfColumn[column]
    var cells = rows.nextCells(ofColumn: column)
    guard field >= 0 else {
      for index in 0..<chunk.count { cells.setNull(index) }
      return
    }
    chunk.newText.begin(at: batch.end)
    for index in chunk.read(field, by: readers[column], column, batch, into: &cells) {
      let record = batch.records[start + index]
      drift.countRounded(
        batch.bytes.span.extracting(batch.place(field, of: record)), inColumn: column,
        line: record.line)
    }
    batch.append(chunk.newText.bytes)
  }

  /// Looks up a column's numbers, caching the last one, since related records are adjacent.
  mutating func findIntegerParents(
    of column: Int, in rows: borrowing RowBatch, _ keys: borrowing KeyRegistry
  ) {
    let parents = parents[column]
    let values = rows.values
    let classes = rows.classes
    var last: (value: Int64, token: UInt64)?
    for index in 0..<chunk.count where !chunk.isFaulty[index] {
      let cell = (rows.rows + index) * rows.columns + column
      guard classes[cell] != RowBatch.StorageClass.null else { continue }
      if last?.value != values[cell] {
        guard let token = keys.token(of: UInt64(bitPattern: values[cell]), parents) else {
          chunk.isFaulty[index] = true
          continue
        }
        last = (values[cell], token)
      }
      chunk.tokens[column * RecordChunk.capacity + index] = last?.token ?? 0
    }
  }

  /// Looks up a column's texts in several passes over the chunk: large parents exceed the processor's caches, and the
  /// reads of a pass that only reads overlap.
  mutating func findTextParents(
    of column: Int, _ bytes: Span<UInt8>, in rows: borrowing RowBatch,
    _ keys: borrowing KeyRegistry
  ) {
    let parents = parents[column]
    let values = rows.values
    let classes = rows.classes
    let firstCell = rows.rows * rows.columns + column
    var faultyArray = exchange(&chunk.isFaulty, with: [])
    var tokenArray = exchange(&chunk.tokens, with: [])
    var textArray = exchange(&chunk.texts, with: [])
    var ordinalArray = exchange(&chunk.ordinals, with: [])
    defer {
      swap(&chunk.isFaulty, &faultyArray)
      swap(&chunk.tokens, &tokenArray)
      swap(&chunk.texts, &textArray)
      swap(&chunk.ordinals, &ordinalArray)
    }
    var isFaulty = faultyArray.mutableSpan
    var tokens = tokenArray.mutableSpan
    var newTexts = textArray.mutableSpan
    var ordinals = ordinalArray.mutableSpan
    for index in 0..<chunk.count {
      let cell = firstCell + index * rows.columns
      let isText = !isFaulty[index] && classes[cell] == RowBatch.StorageClass.text
      let (start, count) = isText ? RowBatch.textPlace(values[cell]) : (0, 0)
      newTexts[index] = TextKeySet.Key(start..<start + count, of: bytes, keys.seed)
    }
    let texts = textArray.span
    // The ordinals in the first parent are the tokens.
    keys.sets[keys.parents[parents.lowerBound]].texts.findMost(
      of: texts.extracting(0..<chunk.count), &ordinals)
    for index in 0..<chunk.count where !isFaulty[index] {
      guard classes[firstCell + index * rows.columns] == RowBatch.StorageClass.text else {
        continue
      }
      let isKnown = ordinals[index] != TextKeySet.unknown
      let token = isKnown ? ordinals[index] : keys.token(of: texts[index], in: bytes, parents)
      if let token {
        tokens[column * RecordChunk.capacity + index] = token
      } else {
        isFaulty[index] = true
      }
    }
  }
}

/// Some records of a batch, few enough to stay in the first-level cache while they are checked column by column.
struct RecordChunk {
  static let capacity = 256

  private(set) var count = 0
  /// Whether a fault of each record was found.
  var isFaulty = [Bool](repeating: false, count: capacity)
  /// The index of each record's first field in the batch.
  private(set) var firstFields = [Int](repeating: 0, count: capacity)
  private(set) var hasLineFeeds = false
  /// The tokens of values in composite keys: `capacity` numbers for each column.
  var tokens: [UInt64]

  var newText = NewText()
  /// The keys of the texts of the current column.
  var texts = [TextKeySet.Key](repeating: .init(), count: capacity)
  /// Their ordinals in the first parent set.
  var ordinals = [UInt64](repeating: 0, count: capacity)

  init(columns: Int) { tokens = [UInt64](repeating: 0, count: columns * Self.capacity) }

  /// Starts a new chunk, with the faults found by the parser.
  mutating func begin(_ records: Span<Record>, fieldCount: Int) {
    count = records.count
    hasLineFeeds = false
    for index in 0..<count {
      let record = records[index]
      firstFields[index] = record.firstField
      hasLineFeeds = hasLineFeeds || record.innerLineFeeds > 0
      isFaulty[index] = !record.faults.isEmpty || record.fieldCount != fieldCount
    }
  }

  /// Reads the fields of a column; returns the records with rounded numbers.
  mutating func read(
    _ field: Int, by reader: FieldReader, _ column: Int, _ batch: borrowing RecordBatch,
    into cells: inout RowBatch.NextCells
  ) -> [Int] {
    // Move the arrays out while spans of both are held.
    var faultyArray = exchange(&isFaulty, with: [])
    var tokenArray = exchange(&tokens, with: [])
    var newText = exchange(&newText, with: NewText())
    defer {
      swap(&isFaulty, &faultyArray)
      swap(&tokens, &tokenArray)
      swap(&self.newText, &newText)
    }
    var isFaulty = faultyArray.mutableSpan
    var tokens = tokenArray.mutableSpan
    let first = column * Self.capacity
    var tokensOfColumn = tokens._mutatingExtracting(first..<first + count)
    return reader.read(
      field, from: firstFields.span.extracting(0..<count), of: batch.fields.span,
      batch.bytes.span, mayHaveLineFeed: hasLineFeeds, into: &cells, newText: &newText,
      isFaulty: &isFaulty, tokens: &tokensOfColumn)
  }
}
