import Facts

/// What there is to look at, in lines: each thing once, with the lines below it that accept it.
struct ConcernText {
  private let concerns: [Concern]

  init(_ concerns: [Concern]) { self.concerns = concerns }

  var lines: [String] { concerns.flatMap(lines) }

  private func lines(of concern: Concern) -> [String] {
    let notices = concern.notices
    guard let code = notices.first?.code else { return ["  \(concern.code): \(concern.message)"] }
    guard let meaning = concern.meaning, code.isSaidBySubject || notices.count > 1 else {
      return notices.flatMap { item("  \(concern.code): \($0.text)", acceptedBy: [$0]) }
    }
    if code.isSaidBySubject { return item("  \(concern.code): \(meaning)", acceptedBy: notices) }
    return ["  \(concern.code): \(meaning)"]
      + notices.flatMap { item("    \($0.text)", acceptedBy: [$0]) }
  }

  private func item(_ text: String, acceptedBy notices: [Notice]) -> [String] {
    let lines = notices.compactMap(\.standingAcceptance)
    guard !lines.isEmpty else { return [text] }
    let indent = String(text.prefix { $0 == " " }) + "  "
    return ["\(text); the line\(lines.count == 1 ? "" : "s") for --accept:"]
      + lines.map { indent + $0 }
  }
}

extension Notice {
  /// The file, and what was found.
  var text: String { "\(file.escapedForMessage): \(message)" }
}
