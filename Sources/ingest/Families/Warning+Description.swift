import Facts
import DataPackage

extension Warning {
  init(_ fault: DescriptionFault) {
    self = .featureIgnored(
      fault.file, at: fault.pointer,
      "line \(fault.line): \(fault.pointer): \(fault.problem); expected \(fault.expectation)")
  }
}
