extension UInt32 {
  package var hexadecimal: String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: 8 - digits.utf8.count) + digits
  }
}
