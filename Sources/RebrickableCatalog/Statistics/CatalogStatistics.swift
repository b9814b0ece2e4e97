import SQLiteSwiftly

/// Computes the statistics from the index of parts, colors and inventories, in one pass.
///
/// Its entries are sorted by part and color, so only one part and one pair of part and color are open at a time. Memory
/// holds the results, a few words for each set, and a bit for each set and color.
struct CatalogStatistics: ~Copyable {
  /// What most entries change of a set, in half a line of the processor's cache.
  private struct SetTotals {
    let year: Int64
    /// The numbers of the last pair and the last part that the latest version has.
    var pair: UInt32 = 0
    var part: UInt32 = 0
    /// The last pair that any of its versions has, if it has several.
    var pairOfVersions: UInt32 = 0
    var numLots: UInt32 = 0
    var numParts = Total()
  }

  private let contents: SetContents
  private var sets: [SetTotals]
  /// The spare pieces of each set, which few entries change.
  private var numSpares: [Total]

  /// For each entry of a batch, the places of its uses in the contents; and the first use, if any, with the year of the set.
  private var places: [Range<Int>] = []
  private var firstUses: [(use: SetContents.Use, year: Int64)] = []

  private var partNum: [UInt8] = []
  private var part = Group()
  private var partNumber: UInt32 = 0
  private var colorID: Int64 = 0
  /// The current part in the current color.
  private var pair = Group()
  private var pairNumber: UInt32 = 0

  /// The position of each color in the arrays below.
  private var colorPlaces: [Int64: Int] = [:]
  private var colors: [Group] = []
  private var color = 0
  /// For each color, a bit for each set whose latest version has it.
  private var colorSets: [UInt64] = []
  private let colorWords: Int

  /// The use of the current pair by each version of the sets with several, and these sets.
  private var versionUses: [VersionUse]
  private var setsWithVersions: [Int] = []

  private var partColorRows = StatisticsRows(columns: 12)
  private var partRows = StatisticsRows(columns: 13)

  init(_ contents: SetContents) {
    self.contents = contents
    sets = contents.sets.map { SetTotals(year: $0.year) }
    numSpares = [Total](repeating: Total(), count: contents.sets.count)
    colorWords = (contents.sets.count + 63) / 64
    versionUses = [VersionUse](repeating: VersionUse(pair: 0), count: contents.versionsEnd)
  }

  /// Adds entries: part, color, inventory, whether it is a spare, quantity.
  mutating func add(_ entries: borrowing RowBatch) {
    let values = entries.values
    findFirstUses(of: entries)
    var lastPart: Int64?
    for row in 0..<entries.rows {
      let cell = 5 &* row
      // Equal adjacent parts are at the same position of a batch.
      if values[cell] != lastPart {
        lastPart = values[cell]
        beginPart(RowBatch.textPlace(values[cell]), of: entries.text, in: values[cell &+ 1])
      } else if values[cell &+ 1] != colorID {
        beginPair(in: values[cell &+ 1])
      }
      for place in places[row] {
        let (use, year) =
          place == places[row].lowerBound ? firstUses[row] : self.use(at: place)
        add(use, of: year, isSpare: values[cell &+ 3] != 0, values[cell &+ 4])
      }
    }
  }

  /// Finds the first uses before any entry is added: the reads of a short loop wait for memory together, those of entries
  /// one after another.
  ///
  /// Each loop reads one array. With uses and years in one loop and 16 times today's rows, the index with its statistics
  /// takes 20.6 s in place of 16.0 s.
  private mutating func findFirstUses(of entries: borrowing RowBatch) {
    let values = entries.values
    places.removeAll(keepingCapacity: true)
    for row in 0..<entries.rows { places.append(contents.places(of: values[5 &* row &+ 2])) }
    firstUses.removeAll(keepingCapacity: true)
    for range in places {
      firstUses.append((range.isEmpty ? .placeholder : contents[range.lowerBound], 0))
    }
    for row in places.indices where !places[row].isEmpty {
      firstUses[row].year = sets[firstUses[row].use.set].year
    }
  }

  @inline(__always)
  private func use(at place: Int) -> (use: SetContents.Use, year: Int64) {
    let use = contents[place]
    return (use, sets[use.set].year)
  }

  @inline(__always)
  private mutating func add(
    _ use: SetContents.Use, of year: Int64, isSpare: Bool, _ quantity: Int64
  ) {
    pair.isUsed = true
    if use.version != 0 {
      addVersion(use, isSpare: isSpare, quantity)
      guard use.version > 0 else { return }
    }
    guard !isSpare else {
      pair.latest.numSpares.add(quantity, times: use.quantity)
      numSpares[use.set].add(quantity, times: use.quantity)
      return
    }
    // Changed as a whole, since an array is checked for a second owner with each change.
    var set = sets[use.set]
    defer { sets[use.set] = set }
    pair.latest.numParts.add(quantity, times: use.quantity)
    set.numParts.add(quantity, times: use.quantity)
    guard set.pair != pairNumber else { return }
    set.pair = pairNumber
    set.numLots &+= 1
    pair.latest.addSet(of: year)
    if set.part != partNumber {
      set.part = partNumber
      part.latest.addSet(of: year)
    }
    let (word, bit) = colorBit(of: use.set, in: color)
    if colorSets[word] & bit == 0 {
      colorSets[word] |= bit
      colors[color].latest.addSet(of: year)
    }
  }

  @inline(__always)
  private func colorBit(of set: Int, in color: Int) -> (word: Int, bit: UInt64) {
    (color &* colorWords &+ set / 64, UInt64(1) << UInt64(set % 64))
  }

  private mutating func beginPart(
    _ range: (start: Int, count: Int), of text: [UInt8], in color: Int64
  ) {
    let name = text[range.start..<range.start + range.count]
    if partNumber > 0, partNum.elementsEqual(name) {
      if color != colorID { beginPair(in: color) }
      return
    }
    endPart()
    partNum = Array(name)
    partNumber &+= 1
    beginPair(in: color)
  }

  private mutating func beginPair(in newColor: Int64) {
    endPair()
    colorID = newColor
    pairNumber &+= 1
    color = colorPlaces[colorID] ?? colors.count
    guard color == colors.count else { return }
    colorPlaces[colorID] = color
    colors.append(Group())
    colorSets += [UInt64](repeating: 0, count: colorWords)
  }

  private mutating func endPair() {
    guard pair.isUsed else { return }
    settleVersions()
    partColorRows.append(text: partNum)
    partColorRows.append(colorID)
    partColorRows.append(pair)
    part.add(pair)
    colors[color].add(pair)
    pair = Group()
  }

  private mutating func endPart() {
    endPair()
    guard part.isUsed else { return }
    for set in part.addedSets where sets[set].part != partNumber {
      part.added.addSet(of: sets[set].year)
    }
    partRows.append(text: partNum)
    partRows.append(part, withMembers: true)
    part = Group()
  }

  /// The rows of the tables: those of parts in colors, of parts, of colors and of sets.
  consuming func result() -> [[FilledBatch]] {
    endPart()
    var colorRows = StatisticsRows(columns: 13)
    for (id, index) in colorPlaces.sorted(by: { $0.key < $1.key }) where colors[index].isUsed {
      for set in colors[index].addedSets {
        let (word, bit) = colorBit(of: set, in: index)
        if colorSets[word] & bit == 0 { colors[index].added.addSet(of: sets[set].year) }
      }
      colorRows.append(id)
      colorRows.append(colors[index], withMembers: true)
    }
    var setRows = StatisticsRows(columns: 4)
    for number in contents.order {
      setRows.append(text: Array(contents.sets[number].setNum.utf8))
      setRows.append(Int64(sets[number].numLots))
      setRows.append(sets[number].numParts.exact)
      setRows.append(numSpares[number].exact)
    }
    return [partColorRows.result(), partRows.result(), colorRows.result(), setRows.result()]
  }
}

/// Versions of sets: a set has its largest number of pieces of each part and color in any version.
extension CatalogStatistics {
  /// The use of a pair by a version of a set.
  private struct VersionUse {
    var pair: UInt32
    var isUsed = false
    var numParts = Total()
    var numSpares = Total()
  }

  @inline(never)
  private mutating func addVersion(_ use: SetContents.Use, isSpare: Bool, _ quantity: Int64) {
    let version = Int(use.version.magnitude)
    if sets[use.set].pairOfVersions != pairNumber {
      sets[use.set].pairOfVersions = pairNumber
      setsWithVersions.append(use.set)
    }
    if versionUses[version].pair != pairNumber {
      versionUses[version] = VersionUse(pair: pairNumber)
    }
    if isSpare {
      versionUses[version].numSpares.add(quantity, times: use.quantity)
    } else {
      versionUses[version].isUsed = true
      versionUses[version].numParts.add(quantity, times: use.quantity)
    }
  }

  /// The use of the current pair by a version.
  private func versionUse(_ number: Int) -> VersionUse {
    let use = versionUses[number]
    return use.pair == pairNumber ? use : VersionUse(pair: pairNumber)
  }

  /// Adds what older versions have beyond the latest ones to the current pair.
  private mutating func settleVersions() {
    for set in setsWithVersions {
      let numbers = contents.sets[set].versions
      let latest = versionUse(numbers.lowerBound)
      var largest = latest
      for number in numbers.dropFirst() {
        let use = versionUse(number)
        largest.isUsed = largest.isUsed || use.isUsed
        largest.numParts.raise(to: use.numParts)
        largest.numSpares.raise(to: use.numSpares)
      }
      pair.added.numParts.add(largest.numParts, minus: latest.numParts)
      pair.added.numSpares.add(largest.numSpares, minus: latest.numSpares)
      guard largest.isUsed, !latest.isUsed else { continue }
      pair.added.addSet(of: sets[set].year)
      part.addedSets.insert(set)
      colors[color].addedSets.insert(set)
    }
    setsWithVersions.removeAll(keepingCapacity: true)
  }
}
