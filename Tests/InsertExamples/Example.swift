/// A block of code in the documentation.
struct Example {
  /// Its page or file, and its heading or the declaration that it documents; from the second one
  /// there with its number: `Reading # Values` or `SQL.swift # joined (2)`.
  let name: String
  /// Its path and the number of its first line.
  let place: String
  /// Its lines, without their common indentation.
  let lines: [String]

  /// The lines as one text, whose indentation does not matter.
  var text: String { Self.text(of: lines) }

  static func text(of lines: some Sequence<String>) -> String {
    "\n" + lines.map { $0.trimmingPrefix { $0 == " " } + "\n" }.joined()
  }

  init(name: String, place: String, lines: [String]) {
    (self.name, self.place) = (name, place)
    let indentations = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }
    let common = indentations.min() ?? 0
    var lines = lines.map { String($0.dropFirst(common)) }
    while lines.last == "" { lines.removeLast() }
    self.lines = lines
  }
}
