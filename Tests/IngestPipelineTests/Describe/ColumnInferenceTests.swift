import Schema
@testable import Inference
import SQLiteSwiftly
import Testing

/// What columns are taken for, by their values alone.
struct ColumnInferenceTests {
  /// A column's name, some values, and what they come to: the type, the domain, the spelling.
  @Test(arguments: [
    ("n", "1 -7 9223372036854775807", "integer"),
    ("n", "0 1 0", "integer"),
    ("n", "1 02", "text"),
    ("n", "1 +2", "text"),
    ("n", "1 9223372036854775808", "text"),
    ("n", "1 -2.5 1e-05", "real number"),
    ("n", "1 2.50", "text"),
    ("n", "1 007.5", "text"),
    ("n", "1,5 2", "real number comma"),
    ("n", "1,234 2,345", "text"),
    ("n", "1,234 2,34", "real number comma"),
    ("n", "1,5 2.5", "text"),
    ("code", "1,5 2", "text"),
    ("item_id", "1,5 2", "text"),
    ("price", "1234567890123456 2", "integer"),
    ("part", "3001 973e104", "text"),
    ("version", "1.1 1.10", "text"),
    ("n", "0.1234567890123456 1", "real number"),
    ("n", "0.12345678901234567 1", "text"),
    ("n", "12.1 12.10", "text"),
    ("n", "12.10 7.05 0", "real number"),
    ("n", "12.10 7.05 7", "text"),
    ("n", "1.0 2.5 13.25", "real number"),
    ("n", "1.0 2", "text"),
    ("n", "-.5 .25", "real number"),
    ("n", "0.5 .25", "text"),
    ("n", "1.50E+01 2.25E-02", "real number"),
    ("n", "1E5 2E7", "text"),
    ("n", "1 3E2", "text"),
    ("n", "-0 1", "text"),
    ("n", "9007199254740993 0.5", "text"),
    ("n", "1.200,10 3,50", "real number group comma"),
    ("n", "1,200.10 3.50", "real number group"),
    ("n", "1,200,300 3", "integer group"),
    ("n", "1,200,300 3000", "text"),
    ("n", "1,200 3", "text"),
    ("n", "0.123456789012345678 1", "text"),
    ("flag", "t f t", "boolean"),
    ("flag", "True False", "boolean"),
    ("flag", "yes no", "boolean yes/no"),
    ("flag", "Y N", "boolean Y/N"),
    ("flag", "t False", "text"),
    ("kind", "t t", "text"),
    ("is_new", "f f", "boolean"),
    ("day", "2024-02-29 2023-12-31", "text date"),
    ("day", "2023-02-29", "text"),
    ("year", "1998 2024", "integer"),
    ("start_date", "20240229 20231231", "text date %Y%m%d"),
    ("size", "20240229 20231231", "integer"),
    ("weight", "5 7", "real number"),
    ("start_date", "20240229 20241301", "integer"),
    ("start_date", "20240229 99991231", "integer"),
    ("d", "31/12/2024 01/02/2024", "text date %d/%m/%Y"),
    ("d", "12/31/2024 01/02/2024", "text date %m/%d/%Y"),
    ("d", "1/2/2024 3/4/2024", "text"),
    ("d", "31/12/2024 1/2/2024", "text date %d/%m/%Y"),
    ("d", "31/12/2024 1/2/2024 01/02/2024", "text"),
    ("d", "01.02.2024", "text date %d.%m.%Y"),
    ("d", "2005.06.03 2005.12.31", "text date %Y.%m.%d"),
    ("d", "01-Jan-1995 31-Dec-1995", "text date %d-%b-%Y"),
    ("d", "1/13/99 12/1/99", "text date %m/%d/%y"),
    ("d", "17/06/09 18/06/09", "text"),
    (
      "d", (2...28).map { "17/06/\($0 < 10 ? "0" : "")\($0)" }.joined(separator: " "),
      "text date %y/%m/%d"
    ),
    (
      "d", (2...28).map { "\($0 < 10 ? "0" : "")\($0).06.17" }.joined(separator: " "),
      "text date %d.%m.%y"
    ),
    ("length", "3:13 12:45", "text"),
    ("start", "3:13 12:45", "text time %H:%M"),
    ("length", "03:13 12:45", "text time %H:%M"),
    ("t", "06:00:00 23:59:59", "text time"),
    ("t", "6:00:00 23:59:59", "text time %H:%M:%S"),
    ("t", "6:00:00 06:00:00", "text"),
    ("t", "23:00:00 25:00:00", "text"),
    ("t", "2024-01-01T00:00:00Z 2024-01-01T12:30:00.25", "text dateTime"),
    ("t", "2024-01-01_10:00:00 2024-01-01_11:00:00", "text dateTime any"),
    ("t", "2024-01-01_10:00:00 2024-01-01_11:00:00.996577", "text dateTime any"),
    ("t", "2024-01-01_00:00:00.000+02 2024-01-02_00:00:00.120+02", "text dateTime any"),
    ("t", "2024-01-01T10:00:00.100Z 2024-01-01T11:00:00.000Z", "text dateTime"),
    ("t", "10:00:00.5 11:00:00 11:00:00.25", "text time"),
    // The time does not tell how it is written.
    ("t", "2024-01-01_00:00:00.000 2024-01-02_00:00:00", "text"),
    ("t", "10:00:00.5 11:00:00.50", "text"),
    ("t", "2024-01-01_10:00:00 2024-01-01_11:00:00.120000", "text"),
    ("t", "2024-01-01T10:00:00+00:00 2024-01-01T11:00:00", "text"),
    ("t", "2024-01-01T10:00:00+02:00 2024-01-01T11:00:00Z", "text"),
    ("t", "2024-01-01T10:00:00+02:00 2024-01-01T11:00:00+01:00", "text"),
    ("t", "2024-01-01_10:00:00_+02", "text"),
    ("t", "9999-12-31T23:59:59-05:00", "text"),
    ("t", "0001-01-01_00:00:00+01", "text"),
    ("u", "123e4567-e89b-12d3-a456-426614174000", "text uuid"),
    ("u", "https://example.org/a?b=%20c http://x", "text uri"),
    ("u", "https://example.org/a b", "text"),
    ("u", "https://example.org/%zz", "text"),
    ("u", "a:b c:d", "text"),
    ("j", "{} {\"a\":[1]}", "text {object}"),
    ("j", "[] [1,{\"a\":null}]", "text {array}"),
    ("j", "[] {}", "text"),
    ("j", "{a:1}", "text"),
    ("n", "1 NA 3", "integer? NA"),
    ("n", "1.5 - null", "real? number null -"),
    ("n", "1 ? 3 #N/A \\N -- .", "integer? #N/A -- ? \\N"),
    ("n", "NA NA", "text"),
    ("n", "a NA", "text"),
    ("n", "1 . 3", "integer?"),
  ])
  func `a column is taken for what all its values are`(
    name: String, values: String, expected: String
  ) {
    var survey = ColumnSurvey(name)
    let texts = values.split(separator: " ").map(String.init)
    for text in texts {
      // An empty field, and a blank within a value, are written as something else above.
      let isEmpty = text == "."
      let bytes = isEmpty ? [] : Array(text.replacing("_", with: " ").utf8)
      survey.add(0..<bytes.count, of: bytes.span)
    }
    #expect(words(of: ColumnConclusion(survey, records: texts.count)) == expected)
  }

  @Test func `a few texts that are often used are a list`() {
    #expect(words(of: conclusion(["b", "a"], times: 50)) == "text of a b")
    #expect(words(of: conclusion(["b", "a"], times: 49)) == "text")
    #expect(words(of: conclusion((0..<13).map { "x\($0)" }, times: 100)) == "text")
    #expect(words(of: conclusion(["only"], times: 1000)) == "text")
    #expect(words(of: conclusion(["1", "2"], times: 1000)) == "integer")
  }

  @Test(arguments: [
    (["1", "713", "12"], "Integer in 3 of 3 records; 1 to 713."),
    (
      ["1", "", "NA"],
      "Integer in 1 of 3 records; 1 to 1; \"NA\" in 1 record means a missing value."
    ),
    (["0.5", "-3.25"], "Number in 2 of 2 records; -3.25 to 0.5."),
    (["2024-02-01", "2023-02-01"], "Date in 2 of 2 records; 2023-02-01 to 2024-02-01."),
    (["01/02/2024"], "Text that may be dates (day, month or year first) in 1 of 1 record."),
    (
      ["2024-02-01T10:00:00.500", "2024-02-01T10:00:00"],
      "Text of times that are written in several ways in 2 of 2 records."
    ),
    (
      ["2024-02-01T10:00:00+02:00"],
      "Date with a time with the offset +02:00, stored in UTC in 1 of 1 record; "
        + "2024-02-01T10:00:00+02:00 to 2024-02-01T10:00:00+02:00."
    ),
    (["", ""], "No value in 2 records."),
    (["t", "f"], "Boolean written t and f in 2 of 2 records."),
  ])
  func `the evidence is told`(values: [String], words: String) {
    #expect(conclusion(values, times: 1).description.meaning == words)
  }

  private func conclusion(_ values: [String], times: Int) -> ColumnConclusion {
    var survey = ColumnSurvey("x")
    for _ in 0..<times {
      for value in values { survey.add(0..<value.utf8.count, of: Array(value.utf8).span) }
    }
    return ColumnConclusion(survey, records: values.count * times)
  }

  private func words(of conclusion: ColumnConclusion) -> String {
    var words = ["\(conclusion.type)" + (conclusion.isFull ? "" : "?")]
    switch conclusion.domain {
    case .time(let form): words.append("\(form)")
    case .form(let form): words.append("\(form)")
    case .json(let form): words.append("{\(form)}")
    default: break
    }
    if conclusion.isURI { words.append("uri") }
    if !conclusion.knownValues.isEmpty { words += ["of"] + conclusion.knownValues }
    switch conclusion.format.spelling {
    case .integer(let spelling): words.append(spelling.groupSeparator == nil ? "" : "group")
    case .number(let spelling):
      words.append(
        "number" + (spelling.groupSeparator == nil ? "" : " group")
          + (spelling.decimalSeparator == "," ? " comma" : ""))
    case .anyTime: words.append("any")
    case .boolean(let yes, let no): words.append("\(yes[0])/\(no[0])")
    case .time(let pattern): words.append(pattern)
    default: break
    }
    return (words + conclusion.format.missingValues.dropFirst()).joined(separator: " ")
  }
}
