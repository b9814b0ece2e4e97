extension Span<UInt8> {
  /// Whether it is the address of a mailbox: a part without quotes, and a domain of several names.
  ///
  /// Letters beyond ASCII may be in both (RFC 6531).
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

  /// Whether it is names of letters, digits and hyphens with points between them, the last of letters or in
  /// Punycode.
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

  /// Whether it is a scheme, a colon, and characters that may stand in a URI (RFC 3986).
  package var isURI: Bool {
    guard let colon = indices.first(where: { self[$0] == UInt8(ascii: ":") }), colon > 0,
      self[0].isLetter
    else { return false }
    for index in 1..<colon
    where !self[index].isAlphanumeric && !"+-.".utf8.contains(self[index]) {
      return false
    }
    var index = colon + 1
    while index < count {
      if self[index] == UInt8(ascii: "%") {
        guard index + 2 < count, self[index + 1].isHexadecimal, self[index + 2].isHexadecimal
        else { return false }
        index += 3
      } else {
        guard self[index].isInURI else { return false }
        index += 1
      }
    }
    return true
  }

  /// Whether it is hexadecimal digits in five groups.
  package var isUUID: Bool {
    guard count == 36 else { return false }
    for index in indices {
      let isHyphen = index == 8 || index == 13 || index == 18 || index == 23
      guard isHyphen ? self[index] == UInt8(ascii: "-") : self[index].isHexadecimal else {
        return false
      }
    }
    return true
  }

  /// Whether it is Base64 with the signs that fill it up.
  var isBase64: Bool {
    guard count % 4 == 0 else { return false }
    var end = count
    while end > Swift.max(0, count - 2), self[end - 1] == UInt8(ascii: "=") { end -= 1 }
    for index in 0..<end
    where !self[index].isAlphanumeric && !"+/".utf8.contains(self[index]) {
      return false
    }
    return true
  }

  /// Whether it is a year as XML Schema writes it: four digits or more, with a minus or without.
  package var isYear: Bool {
    let start = count > 0 && self[0] == UInt8(ascii: "-") ? 1 : 0
    guard 4...18 ~= count - start, count - start == 4 || self[start] != UInt8(ascii: "0") else {
      return false
    }
    for index in start..<count where !self[index].isDigit { return false }
    return true
  }

  /// Whether it is `yyyy-mm`.
  var isYearMonth: Bool {
    guard count == 7, self[4] == UInt8(ascii: "-"), twoDigits(at: 0) != nil,
      twoDigits(at: 2) != nil, let month = twoDigits(at: 5)
    else { return false }
    return 1...12 ~= month
  }

  /// Whether it is a duration as XML Schema writes it, such as `-P1Y2M3DT4H5M6.7S`.
  var isDuration: Bool {
    var index = count > 0 && self[0] == UInt8(ascii: "-") ? 1 : 0
    guard index < count, self[index] == UInt8(ascii: "P") else { return false }
    index += 1
    var designators = Array("YMDTHMS".utf8)[...]
    var hasPart = false
    while index < count {
      if self[index] == UInt8(ascii: "T"), designators.contains(UInt8(ascii: "T")) {
        designators = Array("HMS".utf8)[...]
        hasPart = false
        index += 1
        continue
      }
      let start = index
      while index < count, self[index].isDigit { index += 1 }
      var isFraction = false
      if index > start, index + 1 < count, self[index] == UInt8(ascii: "."),
        self[index + 1].isDigit
      {
        isFraction = true
        index += 1
        while index < count, self[index].isDigit { index += 1 }
      }
      let days = designators.prefix { $0 != UInt8(ascii: "T") }
      guard index > start, index < count, let place = days.firstIndex(of: self[index]),
        !isFraction || self[index] == UInt8(ascii: "S")
      else { return false }
      designators = designators[(place + 1)...]
      hasPart = true
      index += 1
    }
    return hasPart
  }
}

extension UInt8 {
  fileprivate var isLetter: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20 }

  fileprivate var isAlphanumeric: Bool { isDigit || isLetter }

  var isHexadecimal: Bool { isDigit || UInt8(ascii: "a")...UInt8(ascii: "f") ~= self | 0x20 }

  fileprivate var isInMailbox: Bool {
    isAlphanumeric || self >= 0x80 || ".!#$%&'*+/=?^_`{|}~-".utf8.contains(self)
  }

  fileprivate var isInURI: Bool {
    isAlphanumeric || "-._~:/?#[]@!$&'()*+,;=".utf8.contains(self)
  }
}
