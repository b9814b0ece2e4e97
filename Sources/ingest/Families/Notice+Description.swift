import Facts
import DataPackage

extension Notice {
  init(_ fault: DescriptionFault) {
    self = .featureIgnored(
      fault.file, at: fault.pointer,
      "line \(fault.line): \(fault.pointer): \(fault.problem); expected \(fault.expectation)")
  }
}
