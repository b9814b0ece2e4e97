extension ExitStatus {
  /// Whether the database was published; explanations, alerts and the handbook must agree with it.
  enum Publication {
    /// The new database was published, or the previous one is up to date.
    case published
    case unpublished
    /// Nothing was published, unless the verdict is "possibly published".
    case uncertain
    case unrelated
  }

  var publication: Publication {
    switch self {
    case .published, .publishedWithRejects, .publishedWithWarnings, .incomplete: .published
    case .usage, .data, .inputMissing, .fault, .output, .locked, .hungUp, .interrupted, .terminated:
      .unpublished
    case .inputOutput: .uncertain
    case .different: .unrelated
    }
  }
}

extension ExitStatus.Publication {
  /// A sentence that follows the failure; empty if the meaning of the status includes it.
  var sentence: String {
    switch self {
    case .published, .unrelated: ""
    case .unpublished: "Nothing was published."
    case .uncertain:
      "Nothing was published, unless the verdict is 'possibly published': the connection to PostgreSQL was "
        + "lost during publishing."
    }
  }
}
