extension ExitStatus {
  /// What a status says of the catalog: explanations, alerts and the handbook must agree with it.
  enum Publication {
    /// The new catalog is in its place, or the old one was found to be up to date.
    case published
    /// Nothing was published.
    case unpublished
    /// Nothing was published, unless the verdict is "possibly published".
    case uncertain
    /// The command loads nothing.
    case unrelated
  }

  var publication: Publication {
    switch self {
    case .published, .publishedWithRejects, .publishedWithConcerns, .unfinished: .published
    case .usage, .data, .inputMissing, .fault, .output, .locked, .hungUp, .interrupted, .terminated:
      .unpublished
    case .inputOutput: .uncertain
    case .different: .unrelated
    }
  }
}

extension ExitStatus.Publication {
  /// It in a sentence, after what has failed; empty where the meaning of the status says it.
  var sentence: String {
    switch self {
    case .published, .unrelated: ""
    case .unpublished: "Nothing is published."
    case .uncertain:
      "Nothing is published, unless the verdict is 'possibly published': then a PostgreSQL server was lost in "
        + "the moment of publishing."
    }
  }
}
