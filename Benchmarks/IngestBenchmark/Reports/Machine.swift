import Glibc

/// The machine that the figures were taken on.
struct Machine: Equatable {
  let processor: String
  /// The processors that this process may use.
  let processors: Int
  let system: String

  /// This machine.
  static var current: Machine {
    var names = utsname()
    unsafe uname(&names)
    let release = unsafe withUnsafePointer(to: &names.release) { release in
      unsafe release.withMemoryRebound(to: CChar.self, capacity: 65) { unsafe String(cString: $0) }
    }
    return Machine(
      processor: processorName, processors: sysconf(Int32(_SC_NPROCESSORS_ONLN)),
      system: "Linux \(release)")
  }

  /// The first processor's name, as Linux gives it where it knows one.
  private static var processorName: String {
    let lines = (try? textFile("/proc/cpuinfo"))?.split(separator: "\n") ?? []
    let line = lines.first { $0.hasPrefix("model name") }
    let name = line?.split(separator: ":", maxSplits: 1).last.map { $0.drop { $0 == " " } }
    return name.map(String.init) ?? "unknown processor"
  }
}
