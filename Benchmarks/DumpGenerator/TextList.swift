/// A list of texts, held end to end in one array, for fast copying.
struct TextList: Sendable {
  private var bytes: [UInt8] = []
  private var ends: [Int] = [0]

  init(_ texts: some Sequence<String>) {
    for text in texts {
      bytes += text.utf8
      ends.append(bytes.count)
    }
  }

  subscript(index: Int) -> ArraySlice<UInt8> { bytes[ends[index]..<ends[index + 1]] }
}
