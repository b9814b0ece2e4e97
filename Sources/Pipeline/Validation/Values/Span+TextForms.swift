import SQLiteSwiftly
package import Text

extension Span<UInt8> {
  /// An unquoted local part, and a domain of several labels, with letters beyond ASCII in both (RFC 6531).
  var isEmail: Bool {
    guard count <= 254, let at = indices.last(where: { self[$0] == UInt8(ascii: "@") }),
      1...64 ~= at
    else { return false }
    for index in 0..<at {
      guard self[index].isInMailbox else { return false }
      guard self[index] == UInt8(ascii: ".") else { continue }
      guard index > 0, index + 1 < at, self[index + 1] != UInt8(ascii: ".") else { return false }
    }
    return extracting((at + 1)...).isDomain
  }

  /// Labels of letters, digits and hyphens, separated by points, the last one of letters or in Punycode.
  private var isDomain: Bool {
    var (start, names) = (0, 0)
    for index in 0...count {
      guard index == count || self[index] == UInt8(ascii: ".") else {
        guard self[index].isAlphanumeric || self[index] >= 0x80 || self[index] == UInt8(ascii: "-")
        else { return false }
        continue
      }
      guard 1...63 ~= index - start, self[start] != UInt8(ascii: "-"),
        self[index - 1] != UInt8(ascii: "-")
      else { return false }
      names += 1
      if index < count { start = index + 1 }
    }
    let isPunycode = count - start > 4 && word(at: start, count: 4) | 0x2020 == 0x2d2d_6e78
    for index in start..<count where self[index] < 0x80 && !self[index].isLetter && !isPunycode {
      return false
    }
    return names > 1 && count - start > 1
  }
}

/// The forms of texts that match a regular expression of XML Schema.
package enum TextForms {
  /// A scheme, a colon, and characters allowed in a URI (RFC 3986).
  package static let uri = pattern(
    #"[A-Za-z][A-Za-z0-9+.\-]*:([A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*"#)
  package static let uuid = pattern("[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")
  /// Base 64 with its padding.
  static let base64 = pattern("([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?")
  /// A year as in XML Schema: four digits or more, with an optional minus sign.
  static let year = pattern("-?([0-9]{4}|[1-9][0-9]{4,17})")
  package static let yearMonth = pattern("[0-9]{4}-(0[1-9]|1[0-2])")
  /// A duration as in XML Schema, such as `-P1Y2M3DT4H5M6.7S`.
  static let duration = {
    let number = "[0-9]+"
    let seconds = #"[0-9]+(\.[0-9]+)?S"#
    let time = "T(\(number)H(\(number)M)?(\(seconds))?|\(number)M(\(seconds))?|\(seconds))"
    let days = "\(number)Y(\(number)M)?(\(number)D)?|\(number)M(\(number)D)?|\(number)D"
    return pattern("-?P((\(days))(\(time))?|\(time))")
  }()

  package static func pattern(_ text: String) -> TextPattern {
    guard let pattern = TextPattern(text) else {
      preconditionFailure("\(text) is not a valid pattern")
    }
    return pattern
  }
}

extension UInt8 {
  package var isLetter: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20 }

  fileprivate var isAlphanumeric: Bool { isDigit || isLetter }

  var isHexadecimal: Bool { isDigit || UInt8(ascii: "a")...UInt8(ascii: "f") ~= self | 0x20 }

  fileprivate var isInMailbox: Bool {
    isAlphanumeric || self >= 0x80 || ".!#$%&'*+/=?^_`{|}~-".utf8.contains(self)
  }
}
