/// The minimum number of bytes to insert, delete or change to get from one text to the other
/// (Levenshtein distance).
package func editDistance(_ text: some Collection<UInt8>, _ other: [UInt8]) -> Int {
  var row = Array(0...other.count)
  for (index, letter) in text.enumerated() {
    var diagonal = row[0]
    row[0] = index + 1
    for column in other.indices {
      let substituted = diagonal + (letter == other[column] ? 0 : 1)
      diagonal = row[column + 1]
      row[column + 1] = min(substituted, row[column] + 1, row[column + 1] + 1)
    }
  }
  return row[other.count]
}
