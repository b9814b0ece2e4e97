package import Vocabulary
import Text

extension IngestOutcome {
  /// What to do first after a failure or with warnings, as a sentence; nil if nothing is to be done or a message states it.
  package var firstStep: String? {
    if let failure {
      return failure.firstStep ?? (failure.code?.name).flatMap(Self.firstStep)
    }
    return verdict.verdictWarnings.first.flatMap { Self.firstStep(of: $0.code) }
  }

  private static func firstStep(of code: String) -> String? {
    CodeExplanation(of: code)?.firstStep
  }

  /// The date of the data and its age at `now`, in seconds since 1970; nil if it is unknown.
  package func dataAge(at now: Int) -> String? {
    guard let time = tables.dataTime(at: now), let age = time.age(at: now) else { return nil }
    return "data of \(time.day), \(age.daysOrHours) before this run"
  }
}
