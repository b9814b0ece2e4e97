/// The address of the picture of a part in a color, the same in every inventory.
struct PartImage {
  private let bits: UInt64
  private let color: Int

  private static let base = Array("https://cdn.rebrickable.com/media/parts/".utf8)
  private static let elements = Array("elements/".utf8)
  private static let renderings = Array("ldraw/".utf8)
  private static let photos = Array("photos/".utf8)
  private static let slash = Array("/".utf8)
  private static let hyphen = Array("-".utf8)
  private static let png = Array(".png".utf8)
  private static let jpg = Array(".jpg".utf8)

  init(part: Int, color: Int) {
    bits = RandomSource.mixed(UInt64(part) << 16 ^ UInt64(truncatingIfNeeded: color))
    self.color = color
  }

  /// Adds the field; one in two hundred is empty.
  func add(_ number: ArraySlice<UInt8>, to rows: inout RowWriter) {
    switch bits % 200 {
    case 0: break
    case 1..<170:
      rows.append(Self.base)
      rows.append(Self.elements)
      rows.append(Int(4_000_000 + (bits >> 8) % 2_600_000))
      rows.append(Self.jpg)
    case 170..<190:
      addPath(Self.renderings, number, to: &rows)
      rows.append(Self.png)
    default:
      addPath(Self.photos, number, to: &rows)
      rows.append(Self.hyphen)
      rows.append(Int(bits >> 8))
      rows.append(Self.jpg)
    }
    rows.endField()
  }

  private func addPath(_ kind: [UInt8], _ number: ArraySlice<UInt8>, to rows: inout RowWriter) {
    rows.append(Self.base)
    rows.append(kind)
    rows.append(color)
    rows.append(Self.slash)
    rows.append(number)
  }
}
