import SQLiteSwiftly

/// Reads the bounds of a field's values.
struct ConstraintBounds {
  private(set) var domains: [ColumnDescription.Domain] = []
  private let field: FieldReader
  private let constraints: Properties?

  private var findings: Findings { field.properties.findings }

  /// Reads all of them.
  init(_ field: FieldReader, _ constraints: Properties?) {
    self.field = field
    self.constraints = constraints
    let values = ConstraintValues(field)
    switch field.type {
    case .integer: domains = integers(values)
    case .number:
      let (low, high) = bounds(values.real)
      domains = low == nil && high == nil ? [] : [.between(low, high)]
    case .duration: refuseAll()
    case .date, .time, .datetime, .year, .yearmonth:
      let (low, high) = bounds(values.time)
      domains = low == nil && high == nil ? [] : [.sorted(low, high)]
    default: break
    }
  }

  private func refuseAll() {
    for name in field.type.constraints {
      guard let node = constraints?[name] else { continue }
      findings.unsupported(
        at: node, "durations are not compared: a month has no fixed number of days",
        expected: "no \(name) for a duration")
    }
  }

  private func integers(_ values: ConstraintValues) -> [ColumnDescription.Domain] {
    let (low, high) = bounds(values.integer)
    // No integer is above the greatest.
    let isEmpty =
      low?.isExclusive == true && low?.value == .max
      || high?.isExclusive == true && high?.value == .min
    let minimum = low.map { $0.isExclusive ? $0.value &+ 1 : $0.value }
    let maximum = high.map { $0.isExclusive ? $0.value &- 1 : $0.value }
    guard !isEmpty, minimum ?? .min <= maximum ?? .max else {
      findings.contradiction(field.type.constraints.compactMap { constraints?[$0] })
      return []
    }
    return switch (minimum, maximum) {
    case (let minimum?, let maximum?): [.within(minimum...maximum)]
    case (let minimum?, nil): [.atLeast(minimum)]
    case (nil, let maximum?): [.atMost(maximum)]
    case (nil, nil): []
    }
  }

  private typealias Bound<Value: Hashable & Sendable> = ColumnDescription.Bound<Value>

  /// The lower and the upper bound, of two each the tighter one.
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
      findings.contradiction(field.type.constraints.compactMap { constraints?[$0] })
      return (nil, nil)
    }
    return (low, high)
  }
}

extension Findings {
  /// Says of some constraints that no value can meet them all.
  func contradiction(_ nodes: [Node]) {
    guard let node = nodes.last else { return }
    fault(
      .constraintInvalid, at: node, "no value can be within the bounds",
      expected: "a lower bound that is not above the upper one")
  }
}
