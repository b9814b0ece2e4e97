/// A call that the shim records.
struct Call: Hashable {
  /// What kind of call it is, such as `write`.
  let kind: String
  /// The file of the call, by its path in the run's folder.
  let path: String
}

/// A fault, and the call that it befalls.
struct Point: Hashable, CustomStringConvertible {
  let call: Call
  /// Which of the calls of this kind on this path, from 1.
  let number: Int
  let fault: Fault

  /// As the shim takes it, and `--point` of this tool.
  var description: String { "\(call.kind) \(call.path) \(number) \(fault.rawValue)" }

  init(_ call: Call, _ number: Int, _ fault: Fault) {
    self.call = call
    self.number = number
    self.fault = fault
  }

  /// Reads the description of a point.
  init?(_ description: String) {
    let words = description.split(separator: " ").map(String.init)
    guard words.count == 4, let number = Int(words[2]), let fault = Fault(rawValue: words[3])
    else { return nil }
    self.init(Call(kind: words[0], path: words[1]), number, fault)
  }
}

/// What can happen at a call.
enum Fault: String, CaseIterable {
  case inputOutput = "error=EIO"
  case noSpace = "error=ENOSPC"
  case noDescriptor = "error=EMFILE"
  case noAccess = "error=EACCES"
  case readOnly = "error=EROFS"
  /// From this call on the disk of the output and of the temporary files is dead.
  case deadDisk = "error=EIO+"
  /// From this call on it is full.
  case fullDisk = "error=ENOSPC+"
  case interrupted = "error=EINTR"
  case tryAgain = "error=EAGAIN"
  case short = "short"
  /// Half of the bytes are written, and the process is killed.
  case torn = "torn"
  case killBefore = "kill-before"
  case killAfter = "kill-after"
  case powerLossBefore = "power-loss-before"
  case powerLossAfter = "power-loss-after"
  /// Other runs come to their ends before the call is made.
  case wait = "wait"
  // Lies, by which it is seen that the checks can fail.
  case swallow = "swallow"
  case damage = "damage"
  case copy = "copy"

  /// The faults that can befall a kind of call.
  static func faults(of kind: String) -> [Fault] {
    switch kind {
    case "open": [.inputOutput, .noDescriptor, .noAccess, .interrupted, .killBefore]
    case "create":
      [.inputOutput, .noSpace, .readOnly, .deadDisk, .interrupted, .killBefore, .killAfter]
    case "read": [.inputOutput, .deadDisk, .short, .interrupted, .killBefore]
    case "write":
      [
        .inputOutput, .noSpace, .deadDisk, .fullDisk, .short, .interrupted, .torn, .killBefore,
        .killAfter,
      ]
    case "sync":
      [.inputOutput, .noSpace, .deadDisk, .interrupted, .killBefore, .killAfter]
    case "rename", "mkdir", "link":
      [.inputOutput, .noSpace, .readOnly, .deadDisk, .killBefore, .killAfter]
    case "truncate": [.inputOutput, .deadDisk, .interrupted, .killBefore, .killAfter]
    case "unlink", "rmdir", "mode": [.inputOutput, .deadDisk, .killBefore, .killAfter]
    case "folder": [.inputOutput, .noDescriptor, .noAccess]
    case "thread": [.tryAgain]
    case "lock": [.inputOutput, .killBefore, .killAfter]
    default: [.inputOutput]
    }
  }

  var isKill: Bool { [.torn, .killBefore, .killAfter].contains(self) }
  var isHarmless: Bool { [.short, .interrupted].contains(self) }
  var isLie: Bool { [.swallow, .damage, .copy].contains(self) }
  var isPowerLoss: Bool { [.powerLossBefore, .powerLossAfter].contains(self) }
  var isLasting: Bool { [.deadDisk, .fullDisk].contains(self) }

  /// The words of the system for the error.
  var words: String? {
    switch self {
    case .inputOutput, .deadDisk: "Input/output error"
    case .noSpace, .fullDisk: "No space left on device"
    case .noDescriptor: "Too many open files"
    case .noAccess: "Permission denied"
    case .readOnly: "Read-only file system"
    case .tryAgain: "Resource temporarily unavailable"
    default: nil
    }
  }
}
