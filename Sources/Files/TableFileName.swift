/// The prefix of a table's file names: `TABLE` in `TABLE.csv`.
///
/// The name of a table is untrusted: its file must not be outside the folder, hidden, or the same
/// as another file. Offending bytes are replaced by `%` and two hexadecimal digits, and so is `%`
/// itself, so that no two tables have the same file name.
package func fileName(ofTable name: String) -> String {
  let scalars = name.unicodeScalars
  var reserved: [String.UnicodeScalarView.Index] = []
  if name.hasPrefix(".") || name.lowercased() == "manifest" { reserved.append(scalars.startIndex) }
  if let dot = scalars.lastIndex(of: "."), ownSuffixes.contains(name[dot...].lowercased()) {
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

/// The maximum number of bytes of such a prefix: suffixes and the affixes of a temporary file take
/// up to 22 of the 255 bytes that Linux allows.
package let maximumTableFileNameBytes = 200

/// The suffixes of the files beside `TABLE.csv`.
private let ownSuffixes = [".reasons", ".repaired", ".replaced"]

private func hexadecimal(_ byte: UInt8) -> String { String(byte, radix: 16, uppercase: true) }
