import Platform
package import Text

/// What a warning states of a change since an earlier night; its message is made of these facts.
package struct NightDifference: Equatable, Sendable {
  /// The run that first showed the change, which the line for `--suppress` names.
  package var firstRun: Int
  /// The run of the earlier night, and the date of its data in ISO 8601; nil if there is none, or it is unknown.
  package var sinceRun: Int?
  package var sinceTime: String?
  /// How many keys or rows have changed; nil if the type of a column has.
  package var figures: Figures?
  /// The keys that are new, if others are gone.
  package var added: Int?
  /// The largest share that is usual, in percent; nil for a fixed rule.
  package var usualPercent: Double?
  /// Whether that share is one of many nights, each of which was usual.
  package var isSlow = false
  /// The share in the earlier night, in percent.
  package var percentBefore: Double?
  /// The value of nearly all rows, or the types of the column.
  package var value: String?
  package var valueBefore: String?
  package var examples: [Example] = []

  package init(firstRun: Int, since old: Baseline? = nil, _ figures: Figures? = nil) {
    self.firstRun = firstRun
    sinceRun = old?.run
    sinceTime = old?.dataTime.map(utc)
    self.figures = figures
  }

  /// A number of keys or rows, and those of which they are a part.
  package struct Figures: Equatable, Sendable {
    package let count: Int
    package let all: Int
    package let isSampled: Bool

    package init(_ count: Int, of all: Int, isSampled: Bool = false) {
      self.count = count
      self.all = all
      self.isSampled = isSampled
    }

    package var percent: Double { Double(count) * 100 / Double(max(all, 1)) }

    fileprivate func text(_ name: String) -> String {
      let all = isSampled ? "\(all.grouped) sampled" : "the \(all.grouped)"
      return "\(count.grouped) of \(all) \(name)"
    }
  }

  /// A key with its value in both nights, as far as it has one; NULL is nil.
  package struct Example: Equatable, Sendable {
    package let kind: ChangeShare.Kind
    package var key: [String]
    package var before: String?
    package var after: String?
  }
}

extension NightDifference {
  /// The message of a warning with this code; `keys` is what the keys of the table are called.
  package func message(
    _ code: WarningCode, of table: String, _ column: RowSample.Column?, keys: String = "keys"
  ) -> String {
    let name = column?.name ?? ""
    let count = figures?.count ?? 0
    func shown(_ value: String?) -> String {
      guard let value else { return "NULL" }
      return column?.type == "text" ? value.quotedForMessage : value.escapedForMessage
    }
    func list(_ kind: ChangeShare.Kind, _ words: String = ", for example ") -> String {
      let texts = examples.filter { $0.kind == kind }.map { example in
        let key = example.key.map(\.escapedForMessage).joined(separator: ", ")
        return switch code {
        case _ where kind != .changed: key
        case .textEncodedTwice: "\(key): \(shown(example.after)) for \(shown(example.before))"
        default: "\(key): \(shown(example.before)), now \(shown(example.after))"
        }
      }
      return texts.isEmpty ? "" : words + texts.joined(separator: "; ")
    }
    let share = roundedPercentText(figures?.percent ?? 0)
    let before = "up from \(roundedPercentText(percentBefore ?? 0)) in \(night)"
    let usual =
      usualPercent.map { ": \(share), and up to \(roundedPercentText($0)) is usual" } ?? ""
    let end = usual + (isSlow ? " in \(UsualChanges.nights) nights" : "")
    switch code {
    case .changesUnusual where column != nil:
      return "\(name) has changed for \(figures?.text(keys) ?? "") of \(table) since \(night)\(end)"
        + list(.changed)
    case .changesUnusual, .keysRenumbered:
      return "\(figures?.text(keys) ?? "") of \(table) are gone since \(night), and "
        + "\((added ?? 0).grouped) are new\(end)\(list(.removed))\(list(.added, "; new, for example "))"
    case .tableGrown:
      let sampled = figures?.isSampled == true ? "sampled " : ""
      return
        "\(count.grouped) \(sampled)\(keys) of \(table) are new since \(night), in addition to "
        + "\((figures?.all ?? 0).grouped)\(end)\(list(.added))"
    case .columnConstant:
      return "\(name) is \(shown(value)) in \(share) of the rows of \(table), \(before)"
        + list(.changed)
    case .nullsRisen:
      return "\(name) is NULL in \(figures?.text("rows") ?? "") of \(table): \(share), \(before)"
    case .textEncodedTwice:
      return "\(name) is encoded twice as UTF-8 in \(figures?.text("rows") ?? "") of \(table), "
        + "unlike in \(night)\(list(.changed))"
    case .typeChanged:
      return "\(name) of \(table) was \(valueBefore ?? "") in \(night), and is now \(value ?? "")"
    case .tableEmpty:
      let loss = figures.map { "; it had \($0.all.of("row")) in \(night)" }
      return "no records in the source file of \(table)" + (loss ?? "")
    default:
      let all = figures?.all ?? 0
      return "\(table) shrank from \(all.grouped) to \((all - count).of("row")) since \(night), "
        + "\(shareLost(all, all - count)) fewer"
    }
  }

  /// The earlier night: `run 5 (data of 2020-06-01)`.
  private var night: String {
    guard let sinceRun, sinceRun > 0 else { return "the previous database" }
    return "run \(sinceRun)" + (sinceTime.map { " (data of \($0.prefix(10)))" } ?? "")
  }
}

extension NightDifference {
  /// The form for programs, in which databases store it, too.
  package var json: JSON {
    [
      "first_run": JSON(firstRun), "since_run": JSON(sinceRun), "since_data_time": JSON(sinceTime),
      "count": JSON(figures?.count), "compared": JSON(figures?.all),
      "is_sampled": figures.map { JSON($0.isSampled) } ?? .null,
      "percent": number(figures?.percent), "added": JSON(added),
      "usual_percent": number(usualPercent), "is_slow": JSON(isSlow),
      "percent_before": number(percentBefore), "value": JSON(value),
      "value_before": JSON(valueBefore),
      "examples": JSON(
        examples.map { example -> JSON in
          [
            "kind": JSON(example.kind.rawValue), "key": JSON(example.key),
            "before": JSON(example.before), "after": JSON(example.after),
          ]
        }),
    ]
  }

  private func number(_ percent: Double?) -> JSON {
    percent.map { JSON(($0 * 10_000).rounded() / 10_000) } ?? .null
  }

  /// Reads that form from a database, whose contents are not trusted.
  package init(_ json: JSON, firstRun: Int) {
    func count(_ name: String) -> Int? {
      json[name]?.integer.flatMap { 0...1 << 48 ~= $0 ? Int($0) : nil }
    }
    func percent(_ name: String) -> Double? {
      guard case .number(let digits) = json[name]?.value, let percent = Double(digits) else {
        return nil
      }
      return min(max(percent, 0), 1e15)
    }
    self.firstRun = firstRun
    (sinceRun, sinceTime) = (count("since_run"), json["since_data_time"]?.text)
    if let changed = count("count"), let all = count("compared") {
      figures = Figures(changed, of: all, isSampled: json["is_sampled"]?.truth == true)
    }
    (added, isSlow) = (count("added"), json["is_slow"]?.truth == true)
    (usualPercent, percentBefore) = (percent("usual_percent"), percent("percent_before"))
    (value, valueBefore) = (json["value"]?.text, json["value_before"]?.text)
    examples = (json["examples"]?.list ?? []).compactMap { example in
      example["kind"]?.text.flatMap(ChangeShare.Kind.init).map {
        Example(
          kind: $0, key: (example["key"]?.list ?? []).compactMap(\.text),
          before: example["before"]?.text, after: example["after"]?.text)
      }
    }
  }
}
