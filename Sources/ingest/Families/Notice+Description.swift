import Facts
import DataPackage

extension Notice {
  /// The notice of what a description asks for and is not done.
  init(_ fault: DescriptionFault) {
    self = .featureIgnored(
      fault.file, at: fault.pointer,
      "line \(fault.line): \(fault.pointer): \(fault.problem); expected \(fault.expectation)")
  }
}
