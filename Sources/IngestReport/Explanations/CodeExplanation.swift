import Facts
import DataPackage

/// What a code of a message means, for whoever has to do something about it.
package struct CodeExplanation: Equatable, Sendable {
  /// What a code is said of, and with that what follows from it.
  package enum Level: String, CaseIterable, Sendable {
    /// The description of the dumps cannot be used, and no dump is read.
    case description
    /// The run ends and publishes nothing.
    case file
    /// The run publishes nothing although every file could be read.
    case run
    /// The record is not loaded, everything else is.
    case record
    /// All is loaded; it may be worth a look.
    case notice
  }

  /// The code as it appears in messages.
  package let code: String
  /// What it is said of.
  package let level: Level
  /// What was found.
  package let meaning: String
  /// What it looks like in a dump.
  package let example: String
  /// Where it usually comes from.
  package let cause: String
  /// What to do.
  package let remedy: String
  /// A line that accepts such a notice; nil if the code is not that of a notice, or of one that cannot be
  /// accepted.
  package var acceptance: String?

  /// The explanations of all codes: those of descriptions, of files, of runs, of records, and the notices.
  package static let all =
    DescriptionCode.allCases.map(\.explanation) + FileCode.allCases.map(\.explanation)
    + RunCode.allCases.map(\.explanation)
    + RecordCode.allCases.map(\.explanation) + NoticeCode.allCases.map(\.explanation)
}

/// A kind of code, all of one level, each with its explanation.
protocol ExplainedCode: RawRepresentable<String> {
  /// What the codes are said of.
  static var level: CodeExplanation.Level { get }
}

extension ExplainedCode {
  /// Puts together the explanation of this code.
  func explanation(
    meaning: String, example: String, cause: String, remedy: String, acceptance: String? = nil
  ) -> CodeExplanation {
    CodeExplanation(
      code: rawValue, level: Self.level, meaning: meaning, example: example, cause: cause,
      remedy: remedy, acceptance: acceptance)
  }
}
