import SQLiteSwiftly
import Text

extension RowSampler {
  /// Counts the texts of each column that were encoded twice: whose characters are the bytes of another text in UTF-8, read
  /// as ISO 8859-1 or Windows-1252.
  mutating func countEncodedTwice(_ batch: borrowing RowBatch) {
    let text = batch.text.span
    guard text.mayBeEncodedTwice else { return }
    for cell in 0..<batch.rows * batch.columns
    where batch.classes[cell] == RowBatch.StorageClass.text {
      let (start, count) = RowBatch.textPlace(batch.values[cell])
      let bytes = text.extracting(start..<start + count)
      guard bytes.mayBeEncodedTwice, let original = bytes.text.encodedOnce else { continue }
      let column = cell % batch.columns
      var example = NightDifference.Example(
        kind: .changed, key: [], before: original, after: self.text(ofCell: cell, of: batch))
      for part in key.prefix(RowSample.mostKeys) {
        example.key.append(self.text(ofCell: cell - column + part, of: batch))
      }
      encodedTwice[column].add { example }
    }
  }
}

extension Span<UInt8> {
  /// Whether it may have the two characters that a character beyond ASCII becomes, of which the first is one of U+00C2 to
  /// U+00F4.
  ///
  /// This passes over all texts of a run, so it has no branch within the loop.
  fileprivate var mayBeEncodedTwice: Bool {
    guard count > 3 else { return false }
    let (first, third) = (extracting(..<(count - 2)), extracting(2...))
    var found: UInt8 = 0
    for index in first.indices { found |= (first[index] == 0xc3 ? 0x80 : 0) & third[index] }
    return found != 0
  }
}

extension String {
  /// The text that was encoded twice, or its beginning; nil if this one was not.
  fileprivate var encodedOnce: String? {
    var bytes: [UInt8] = []
    for scalar in unicodeScalars {
      let special = windows1252.firstIndex(of: scalar.value).map { 0x80 + UInt8($0) }
      guard let byte = UInt8(exactly: scalar.value) ?? special else { return nil }
      bytes.append(byte)
    }
    guard let text = String(validating: bytes, as: UTF8.self), text.utf8.count < utf8.count else {
      return nil
    }
    let shown = text.unicodeScalars.prefix(RowSampler.longestText)
    return String(shown) + (shown.endIndex < text.endIndex ? "…" : "")
  }
}

/// The characters of the bytes 80 to 9F
/// (<https://www.unicode.org/Public/MAPPINGS/VENDORS/MICSFT/WINDOWS/CP1252.TXT>); 0 for none.
private let windows1252: [UInt32] = [
  0x20ac, 0, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160, 0x2039,
  0x0152, 0, 0x017d, 0, 0, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x02dc,
  0x2122, 0x0161, 0x203a, 0x0153, 0, 0x017e, 0x0178,
]
