/// The header of a database (<https://www.sqlite.org/fileformat.html#the_database_header>).
extension [UInt8] {
  /// A number of four bytes, the highest first.
  package func number(at offset: Int) -> Int? {
    guard offset + 4 <= count else { return nil }
    return self[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
  }

  /// The bytes of a page.
  package var pageBytes: Int? {
    guard count >= 18 else { return nil }
    let bytes = Int(self[16]) << 8 | Int(self[17])
    return bytes == 1 ? 65536 : bytes
  }
}
