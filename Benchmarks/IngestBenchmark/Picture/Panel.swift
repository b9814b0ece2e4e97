import Glibc

/// A part of the picture with a title and two axes, on which values become points.
struct Panel {
  let title: String
  /// The place of the panel's corner.
  let left: Double
  let horizontal: Axis
  let vertical: Axis

  static let width = 440.0
  static let height = 380.0
  private static let plot = (left: 60.0, top: 50.0, width: 340.0, height: 270.0)

  /// An axis from 0, or a logarithmic one from 1.
  struct Axis {
    let label: String
    let end: Double
    var isLogarithmic = false

    /// Where a value is, from 0 to 1.
    func place(_ value: Double) -> Double {
      isLogarithmic ? log10(value) / log10(end) : value / end
    }

    /// Round values, about five of them, and how they are written.
    var ticks: [(value: Double, text: String)] {
      if isLogarithmic {
        return sequence(first: 1) { $0 * 10 <= end ? $0 * 10 : nil }
          .map { ($0, Int($0).grouped) }
      }
      // The step of five intervals, rounded up to 1, 2 or 5 times a power of ten.
      let power = floor(log10(end / 5))
      let unit = pow(10, power)
      let step = unit * ([1, 2, 5].first { unit * $0 >= end / 5 } ?? 10)
      return stride(from: 0, through: end, by: step).map { value in
        (value, value.rounded(decimals: step < 1 ? Int(-floor(log10(step))) : 0))
      }
    }
  }

  /// Where a pair of values is in the picture.
  func point(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
    (
      left + Self.plot.left + horizontal.place(x) * Self.plot.width,
      Self.plot.top + (1 - vertical.place(y)) * Self.plot.height
    )
  }

  /// Draws title and axes; an axis without a label has no numbers either.
  func frame(on drawing: inout Drawing, isEmpty: Bool) {
    drawing.text(title, at: (left + 16, 26), style: "title")
    let bottom = Self.plot.top + Self.plot.height
    for tick in horizontal.ticks {
      let x = left + Self.plot.left + horizontal.place(tick.value) * Self.plot.width
      drawing.line((x, Self.plot.top), (x, bottom), "grid")
      drawing.text(tick.text, at: (x, bottom + 18), .middle)
    }
    drawing.text(
      horizontal.label, at: (left + Self.plot.left + Self.plot.width / 2, bottom + 40), .middle)
    if !vertical.label.isEmpty {
      for tick in vertical.ticks {
        let y = Self.plot.top + (1 - vertical.place(tick.value)) * Self.plot.height
        drawing.line(
          (left + Self.plot.left, y), (left + Self.plot.left + Self.plot.width, y), "grid")
        drawing.text(tick.text, at: (left + Self.plot.left - 8, y + 4), .end)
      }
      drawing.text(
        vertical.label, at: (left + 18, Self.plot.top + Self.plot.height / 2), .middle,
        isUpright: true)
    }
    drawing.line(
      (left + Self.plot.left, bottom), (left + Self.plot.left + Self.plot.width, bottom), "axis")
    drawing.line((left + Self.plot.left, Self.plot.top), (left + Self.plot.left, bottom), "axis")
    if isEmpty {
      drawing.text("not measured", at: (left + Panel.width / 2, Panel.height / 2), .middle)
    }
  }
}
