import Foundation

/// The command line of the tool.
struct Arguments {
  static let usage = """
    Injects faults into runs of the built command and checks what is left.

    usage: inject-faults [--all] [--share K/N] [--jobs N] [--situation NAME [--point 'KIND PATH NUMBER FAULT']...]
                         [--allocation N[+]] [--race 'POINT RUN']... [--surroundings NAME] [--keep]
                         [--verbose]
                         [--folder DIR]

      --all             every fault at every call, and at 5,000 allocations, rather than at some of the
                        many alike
      --share K/N       the Kth of N shares of these, which are always the same
      --jobs N          how many runs at a time (default: one for each processor)
      --situation NAME  only this one
      --point POINT     only this point, as a failure names it
      --allocation N    only that the Nth allocation of SQLite or zlib fails, and with a plus sign
                        all after it
      --race RACE       only that a run waits at a point for another one, as a failure names them
      --surroundings S  only these limits, this file system, or 'planted', 'strace', 'power'
                        or 'race'
      --folder DIR      where to work (default: a new folder in /dev/shm, or the temporary folder)
      --keep            leave the folder behind
      --verbose         show all failures, not the first fifty

    """

  var all = false
  var share = Share()
  var jobs = ProcessInfo.processInfo.activeProcessorCount
  var situation: String?
  var points: [String] = []
  var allocation: String?
  var races: [String] = []
  var surroundings: String?
  var folder: String?
  var keeps = false
  var isVerbose = false

  init(_ words: [String]) throws {
    var rest = words[...]
    func value(_ option: String) throws -> String {
      guard let value = rest.popFirst() else { throw Failure("\(option) needs a value") }
      return value
    }
    while let word = rest.popFirst() {
      switch word {
      case "--all": all = true
      case "--share": share = try Share(try value(word))
      case "--keep": keeps = true
      case "--verbose": isVerbose = true
      case "--jobs": jobs = max(Int(try value(word)) ?? 1, 1)
      case "--situation": situation = try value(word)
      case "--point": points.append(try value(word))
      case "--allocation": allocation = try value(word)
      case "--race": races.append(try value(word))
      case "--surroundings": surroundings = try value(word)
      case "--folder": folder = try value(word)
      default: throw Failure("unexpected argument '\(word)'\n\(Self.usage)")
      }
    }
  }
}
