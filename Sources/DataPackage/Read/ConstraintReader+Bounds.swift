import SQLiteSwiftly

extension ConstraintReader {
  func bounds() -> ColumnDescription.Domain? {
    switch field.type {
    case .integer: return integerBounds()
    case .number:
      let (low, high) = bounds(real)
      return low == nil && high == nil ? nil : .between(low, high)
    case .date, .time, .datetime, .year, .yearmonth:
      let (low, high) = bounds(time)
      return low == nil && high == nil ? nil : .sorted(low, high)
    case .duration:
      for name in field.type.constraints {
        guard let node = constraints?[name] else { continue }
        findings.unsupported(
          at: node, "durations cannot be compared: the length of a month varies",
          expected: "a duration without \(name)")
      }
      return nil
    default: return nil
    }
  }

  private func integerBounds() -> ColumnDescription.Domain? {
    let (low, high) = bounds(integer)
    // No integer exceeds the maximum.
    let isEmpty =
      low?.isExclusive == true && low?.value == .max
      || high?.isExclusive == true && high?.value == .min
    let minimum = low.map { $0.isExclusive ? $0.value &+ 1 : $0.value }
    let maximum = high.map { $0.isExclusive ? $0.value &- 1 : $0.value }
    guard !isEmpty, minimum ?? .min <= maximum ?? .max else {
      refuseContradiction(of: field.type.constraints)
      return nil
    }
    return switch (minimum, maximum) {
    case (let minimum?, let maximum?): .within(minimum...maximum)
    case (let minimum?, nil): .atLeast(minimum)
    case (nil, let maximum?): .atMost(maximum)
    case (nil, nil): nil
    }
  }

  private typealias Bound<Value: Hashable & Sendable> = ColumnDescription.Bound<Value>

  /// The tighter lower bound and the tighter upper bound.
  private func bounds<Value: Hashable & Sendable & Comparable>(
    _ cast: (Node) -> Value?
  ) -> (Bound<Value>?, Bound<Value>?) {
    func bound(_ name: String, isExclusive: Bool) -> Bound<Value>? {
      constraints?[name].flatMap { findings.isShort($0) ? cast($0) : nil }.map {
        Bound($0, isExclusive: isExclusive)
      }
    }
    let minimum = bound("minimum", isExclusive: false)
    let above = bound("exclusiveMinimum", isExclusive: true)
    let maximum = bound("maximum", isExclusive: false)
    let below = bound("exclusiveMaximum", isExclusive: true)
    var low = above ?? minimum
    if let minimum, let above, minimum.value > above.value { low = minimum }
    var high = below ?? maximum
    if let maximum, let below, maximum.value < below.value { high = maximum }
    if let low, let high,
      low.value > high.value || low.value == high.value && (low.isExclusive || high.isExclusive)
    {
      refuseContradiction(of: field.type.constraints)
      return (nil, nil)
    }
    return (low, high)
  }

  /// Adds a fault: the constraints contradict each other.
  func refuseContradiction(of names: [String]) {
    guard let node = names.compactMap({ constraints?[$0] }).last else { return }
    findings.fault(
      .constraintInvalid, at: node, "the bounds exclude every value",
      expected: "a lower bound that does not exceed the upper bound")
  }
}
