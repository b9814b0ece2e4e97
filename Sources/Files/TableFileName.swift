/// What the names of a table's own files begin with: `TABLE` in `TABLE.csv`.
///
/// A description, and with it the name of a table, comes from elsewhere: it must not lead out of a folder, hide a
/// file, or be the name of another file. What would do that appears as `%` and two hexadecimal digits for each byte,
/// and so does `%` itself, so that no two tables have one name.
package func fileName(ofTable name: String) -> String {
  let scalars = name.unicodeScalars
  var reserved: [String.UnicodeScalarView.Index] = []
  if name.hasPrefix(".") || name.lowercased() == "manifest" { reserved.append(scalars.startIndex) }
  if let dot = scalars.lastIndex(of: "."), ownWords.contains(name[dot...].lowercased()) {
    reserved.append(dot)
  }
  var text = ""
  for index in scalars.indices {
    let scalar = scalars[index]
    if scalar == "/" || scalar == "%" || scalar.controlsTerminal || reserved.contains(index) {
      for byte in String(scalar).utf8 { text += "%" + (byte < 16 ? "0" : "") + hexadecimal(byte) }
    } else {
      text.unicodeScalars.append(scalar)
    }
  }
  return text
}

/// The most bytes of such a name: what is appended, with what a file that is being written has around its own name,
/// takes up to 22 of the 255 that Linux allows.
package let longestTableFileName = 200

/// What follows the names of tables in those of files that are beside `TABLE.csv`.
private let ownWords = [".reasons", ".repaired", ".replaced"]

private func hexadecimal(_ byte: UInt8) -> String { String(byte, radix: 16, uppercase: true) }
