@testable import Quarantine
import Testing

@Suite struct NumberListTests {
  @Test func `numbers of any size are restored`() {
    let numbers = [0, 1, 127, 128, 16_383, 16_384, 1 << 32, .max, 0, .max - 1]
    var list = NumberList()
    #expect(Array(list) == [] && list.bytes == 0)
    for number in numbers { list.append(number) }
    #expect(Array(list) == numbers)
  }

  @Test func `ascending numbers need one byte each`() {
    var numbers = RisingNumbers()
    #expect(numbers.last == 0 && Array(numbers) == [])
    for number in 1...2_500_000 { numbers.append(number) }
    #expect(numbers.count == 2_500_000 && numbers.last == 2_500_000)
    #expect(numbers.bytes == 3 << 20)
    #expect(numbers.elementsEqual(1...2_500_000))
    numbers.append(.max)
    #expect(numbers.last == .max && numbers.reversed()[0] == .max)
  }

  @Test func `adjacent ranges are merged`() {
    var ranges = RisingRanges()
    #expect(Array(ranges) == [])
    for range in [5..<7, 7..<9, 10..<11, 1000..<2000, 2000..<2001, 9000..<9001] {
      ranges.append(range)
    }
    #expect(Array(ranges) == [5..<9, 10..<11, 1000..<2001, 9000..<9001])
    ranges.removeAll()
    ranges.append(0..<3)
    #expect(Array(ranges) == [0..<3])
  }
}
